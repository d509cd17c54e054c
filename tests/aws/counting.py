"""Counts what an occasion asks of AWS, and writes it down as `requests.toml` has it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tests.aws.stack import Stack

Counts = dict[str, dict[str, float]]
"""By service, by what."""

WRITES = {"TransactWriteItems", "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem"}
#: CloudWatch adds so many bytes to each line.
LINE_BYTES = 26
#: How long a function waits for another service to answer, on average.
ANSWER_SECONDS = 0.01
ASKED = {
    "s3:PutObject": ("s3", "put"),
    "s3:DeleteObject": ("s3", "delete"),
    "s3:GetObject": ("s3", "get"),
    "sqs:SendMessage": ("sqs", "request"),
    "sqs:ReceiveMessage": ("sqs", "request"),
    "sqs:DeleteMessage": ("sqs", "request"),
    "sqs:GetQueueUrl": ("sqs", "request"),
}
READ = {"ssm:GetParametersByPath": "ssm", "secretsmanager:GetSecretValue": "secrets"}


def count(stack: Stack, do: Callable[[], object]) -> Counts:
    """From one calm moment to the next. Settings and keys as if each function started cold."""
    stack.settle()
    start, mails, given = stack.lines, len(stack.sink.received), stack.given_bytes
    since = stack.milliseconds()
    do()
    stack.settle()
    found = _counted(stack.recorded(start), _readers(stack))
    sent = stack.sink.received[mails:]
    found["ses"] = {"message": len(sent), "kb": sum(len(mail.raw) for mail in sent) / 1024}
    found["logs"] = {"kb": _logged(stack, since, found["lambda"]) / 1024}
    found["out"] = {"kb": (stack.given_bytes - given) / 1024}
    return {service: kept for service, part in found.items() if (kept := _some(part))}


def _some(part: Mapping[str, float]) -> dict[str, float]:
    return {what: round(number, 2) for what, number in sorted(part.items()) if number}


def _counted(rows: Iterable[dict[str, Any]], readers: Mapping[str, set[str]]) -> Counts:
    found: defaultdict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for row in rows:
        if "ends" in row:
            found["lambda"][row["ends"]] += 1
            found["ssm"]["get"] += row["ends"] in readers["ssm"]
            found["secrets"]["get"] += row["ends"] in readers["secrets"]
        elif "units" in row:
            what = "write" if row["operation"] in WRITES else "read"
            found["dynamodb"][what] += sum(row["units"].values())
        elif "put" in row:
            found["events"]["put"] += len(row["put"])
        elif "fired" in row:
            found["scheduler"]["fired"] += 1
        elif row.get("asked") in ASKED:
            service, what = ASKED[row["asked"]]
            if what != "delete":
                found[service][what] += 1
    return found


def _readers(stack: Stack) -> dict[str, set[str]]:
    """Functions that read settings, or keys, when they start."""
    rows = [row for row in stack.recorded() if row.get("asked") in READ]
    return {
        service: {row["by"].rpartition("/")[2] for row in rows if READ[row["asked"]] == service}
        for service in READ.values()
    }


def _logged(stack: Stack, since: int, runs: Mapping[str, float]) -> int:
    logs = stack.client("logs")
    return sum(
        len(line["message"].encode()) + LINE_BYTES
        for name in runs
        for page in logs.get_paginator("filter_log_events").paginate(
            logGroupName=f"/aws/lambda/{name}", startTime=since
        )
        for line in page["events"]
    )


def share(counts: Counts, by: int) -> Counts:
    """Of something that was done for so many at once."""
    return {
        service: {what: round(number / by, 2) for what, number in part.items()}
        for service, part in counts.items()
    }


def less(counts: Counts, other: Counts) -> Counts:
    """What it asks for beyond the other."""
    rest = {
        service: {
            what: round(max(0.0, number - other.get(service, {}).get(what, 0.0)), 2)
            for what, number in part.items()
        }
        for service, part in counts.items()
    }
    return {service: kept for service, part in rest.items() if (kept := _some(part))}


def functions(stack: Stack) -> dict[str, dict[str, float]]:
    """How long each takes on a processor of its own, on average."""
    memory = {
        each["FunctionName"]: each["MemorySize"]
        for each in stack.functions.list_functions()["Functions"]
    }
    rows = stack.recorded()
    asked = Counter(row["by"].rpartition("/")[2] for row in rows if "by" in row and "asked" in row)
    return {name: _function(name, memory[name], rows, asked[name]) for name in sorted(memory)}


def _function(
    name: str, memory_mb: int, rows: Iterable[dict[str, Any]], asked: int
) -> dict[str, float]:
    runs = [row for row in rows if row.get("ends") == name]
    cold = [row["processor"] for row in runs if row["cold"]]
    warm = [row["processor"] for row in runs if not row["cold"]]
    work = sum(warm) / len(warm) if warm else 0.0
    return {
        "memory_mb": memory_mb,
        # The quickest: whatever else a machine does meanwhile makes a start slower.
        "start_seconds": round(max(0.0, min(cold) - work), 2) if cold else 1.0,
        "work_seconds": round(work, 3),
        "wait_seconds": round(asked * ANSWER_SECONDS / len(runs), 3) if runs else 0.1,
    }


# --- the file -------------------------------------------------------------------------------

HEAD = """\
# What each occasion asks of AWS. Counted on the emulator: script/measure-requests writes this
# file, and a test counts again. `lambda` are runs by function. DynamoDB's units are those that it
# charges for. Settings and keys are counted as if every run started cold.
"""


def as_toml(functions: Mapping[str, Mapping[str, float]], occasions: Mapping[str, Counts]) -> str:
    lines = [HEAD]
    for name, values in functions.items():
        lines += [f"[function.{name}]", *_values(values), ""]
    for occasion, counts in occasions.items():
        for service, part in sorted(counts.items()):
            lines += [f"[occasion.{occasion}.{service}]", *_values(part), ""]
        if not counts:
            lines += [f"[occasion.{occasion}]", ""]
    return "\n".join(lines)


def _values(part: Mapping[str, float]) -> list[str]:
    return [f"{name} = {number:g}" for name, number in part.items()]


#: Streams bring several rows in one batch or in several: so many runs more or less are the same,
#: and so are the reads that a run begins with.
SLACK = {"lambda": 2.0, "secrets": 3.0, "ssm": 3.0, "logs": 3.0, "dynamodb.read": 5.0}


def differences(
    kept: Mapping[str, Mapping[str, Mapping[str, float]]], found: Mapping[str, Counts]
) -> list[str]:
    """What differs by more than an eighth, and by more than can be chance."""
    was, now = _flat(kept), _flat(found)
    return [
        f"{'.'.join(name)} was {was.get(name, 0.0):g} and is {now.get(name, 0.0):g}"
        for name in sorted({*was, *now})
        if _differ(was.get(name, 0.0), now.get(name, 0.0), _slack(*name[1:]))
    ]


def _slack(service: str, what: str) -> float:
    return SLACK.get(f"{service}.{what}", SLACK.get(service, 1.0))


def _flat(
    counts: Mapping[str, Mapping[str, Mapping[str, float]]],
) -> dict[tuple[str, str, str], float]:
    return {
        (occasion, service, what): number
        for occasion, services in counts.items()
        for service, part in services.items()
        for what, number in part.items()
    }


def _differ(was: float, now: float, slack: float) -> bool:
    return abs(was - now) > max(slack, max(was, now) / 8)
