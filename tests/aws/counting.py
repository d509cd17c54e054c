"""Counts the requests to AWS that an occasion causes, and writes them in the form of
`requests.toml`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tests.aws.stack import OPEN, Stack

Counts = dict[str, dict[str, float]]
"""Counts by service and operation."""

WRITES = {"TransactWriteItems", "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem"}
#: Work for many people starts many functions at once.
PATIENCE_SECONDS = 180.0
#: CloudWatch adds this many bytes to each line.
LINE_BYTES = 26
ASKED = {
    "s3:PutObject": ("s3", "put"),
    "s3:DeleteObject": ("s3", "delete"),
    "s3:GetObject": ("s3", "get"),
    "sqs:SendMessage": ("sqs", "request"),
    "sqs:ReceiveMessage": ("sqs", "request"),
    "sqs:DeleteMessage": ("sqs", "request"),
    "sqs:GetQueueUrl": ("sqs", "request"),
}
#: Functions read these when they start, and then cache them.
READ = {"ssm:GetParametersByPath": "ssm", "secretsmanager:GetSecretValue": "secrets"}


def count(stack: Stack, do: Callable[[], object]) -> Counts:
    """Counts from one quiet moment to the next, without the reads of starting functions."""
    stack.settle(PATIENCE_SECONDS)
    start, mails, given = stack.lines, len(stack.sink.received), stack.given_bytes
    since = stack.milliseconds()
    do()
    stack.settle(PATIENCE_SECONDS)
    found = _counted(stack.recorded(start))
    sent = stack.sink.received[mails:]
    found["ses"] = {"message": len(sent), "kb": sum(len(mail.raw) for mail in sent) / 1024}
    found["logs"] = {"kb": _logged(stack, since, found["lambda"]) / 1024}
    found["out"] = {"kb": (stack.given_bytes - given) / 1024}
    return {service: kept for service, part in found.items() if (kept := _some(part))}


def _some(part: Mapping[str, float]) -> dict[str, float]:
    return {what: round(number, 2) for what, number in sorted(part.items()) if number}


def _counted(rows: Iterable[dict[str, Any]]) -> Counts:
    found: defaultdict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for row in rows:
        if "ends" in row:
            found["lambda"][row["ends"]] += 1
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
        if name := _waits(row):
            found["answers"][name] += 1
    return found


def _waits(row: Mapping[str, Any]) -> str:
    """Returns the function that waits for an answer. A transaction is one request, but each of its
    items needs a permission."""
    asked = row.get("asked", "")
    if "operation" in row or (asked and not asked.startswith("dynamodb:") and asked not in READ):
        return str(row["by"].rpartition("/")[2])
    return ""


def _reads(rows: Iterable[dict[str, Any]]) -> dict[str, Counter[str]]:
    """Returns how often each function reads each service when it starts."""
    found: defaultdict[str, dict[tuple[str, str], None]] = defaultdict(dict)
    for row in rows:
        if row.get("asked") in READ:
            found[row["by"].rpartition("/")[2]][READ[row["asked"]], row["of"]] = None
    return {name: Counter(service for service, _ in each) for name, each in found.items()}


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
    """Returns the share of one, of counts for so many at once."""
    return {
        service: {what: round(number / by, 3) for what, number in part.items()}
        for service, part in counts.items()
    }


#: These follow a page that somebody has just opened, as when they send a form or press a button.
AFTER_A_PAGE = {
    *("sign-up-confirmed", "sign-up-waiting", "cancelled", "offer-claimed", "joined"),
    *("times-view", "time-held", "booked", "visit-followed"),
}


def with_starts(occasion: str, counts: Counts) -> Counts:
    """Adds cold starts. Every run starts cold, except in functions that answer people: the first
    page wakes the function for the stylesheet and for the button."""
    if "cold" in counts:
        return counts
    pages = 0.0 if occasion in AFTER_A_PAGE else 1.0
    cold = {
        name: min(pages, number) if name in OPEN else number
        for name, number in counts.get("lambda", {}).items()
    }
    return {**counts, "cold": kept} if (kept := _some(cold)) else counts


def less(counts: Counts, other: Counts) -> Counts:
    """Returns the counts without those of another occasion."""
    rest = {
        service: {
            what: round(max(0.0, number - other.get(service, {}).get(what, 0.0)), 2)
            for what, number in part.items()
        }
        for service, part in counts.items()
    }
    return {service: kept for service, part in rest.items() if (kept := _some(part))}


def functions(stack: Stack, *others: Stack) -> dict[str, dict[str, float]]:
    """Returns the processor time of each function, measured on all deployments."""
    memory = {
        each["FunctionName"]: each["MemorySize"]
        for each in stack.functions.list_functions()["Functions"]
    }
    rows = [row for each in (stack, *others) for row in each.recorded()]
    answers, reads = Counter(name for row in rows if (name := _waits(row))), _reads(rows)
    return {
        name: {
            "memory_mb": memory[name],
            **_times([row for row in rows if row.get("ends") == name], answers[name]),
            **reads.get(name, {}),
        }
        for name in sorted(memory)
    }


def _times(runs: Sequence[dict[str, Any]], answers: int) -> dict[str, float]:
    cold = [row["processor"] for row in runs if row["cold"]]
    warm = [row["processor"] for row in runs if not row["cold"]]
    work = sum(warm) / len(warm) if warm else 0.0
    return {
        # The fastest start: other work on the machine only makes starts slower.
        "start_seconds": round(max(0.0, min(cold) - work), 2) if cold else 1.0,
        "work_seconds": round(work * len(runs) / answers, 4) if answers else 0.0,
    }


def quicker(
    found: Mapping[str, Mapping[str, float]], kept: Mapping[str, Mapping[str, float]]
) -> dict[str, dict[str, float]]:
    """Returns the shorter of two times, for machines with other work."""
    return {
        name: {
            what: min(number, kept.get(name, {}).get(what, number)) if "seconds" in what else number
            for what, number in each.items()
        }
        for name, each in found.items()
    }


# --- the file -------------------------------------------------------------------------------

HEAD = """\
# What each occasion asks of AWS. Counted on the emulator: script/measure-requests writes this
# file, and a test counts again. `lambda` are runs by function, `cold` those of them that have to
# start, `answers` how often one waits for another service. DynamoDB's units are those that it
# charges for. Of a function: the processor's time to start, and to work for each answer; how often
# it reads settings (ssm) and keys (secrets) as it starts.
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


#: A stream may send several rows in one batch or in several. So differences up to these numbers do
#: not count, nor do the reads at the start of a run, about ten requests.
SLACK = {"lambda": 3.0, "cold": 3.0, "answers": 12.0, "logs": 3.0, "dynamodb.read": 5.0}


def differences(
    kept: Mapping[str, Mapping[str, Mapping[str, float]]], found: Mapping[str, Counts]
) -> list[str]:
    """Returns differences above an eighth, beyond this slack."""
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
