"""The parts of the template are merged, and the part of a desk names no other desk."""

import os
import re
import subprocess
import sys
from functools import reduce
from pathlib import Path

import pytest

from script.aws_template import (
    PARTS,
    BadPart,
    Node,
    as_list,
    compose,
    grouped,
    indexes_of,
    merged,
    parse,
    patterns,
    read,
)

SHARED = """
Policies:
  Log: { Action: logs:PutLogEvents, Resource: [<Id>Log] }
  Settings: { Action: ssm:GetParametersByPath, OnAnEmulator: "*", Resource: [/ev/config] }
  Streams: { Action: dynamodb:GetRecords, Resource: <Streams> }
  FindStreams: { Action: dynamodb:ListStreams, Resource: "*" }
  Failures: { Action: sqs:SendMessage, Resource: [Failures] }
"""
DESK = """
Tables: [EvEvent]
Functions:
  TellGuests:
    Module: messages
    Timeout: 30
    Retries: 2
    Events:
      Facts: { Rule: tell-guests, Facts: [ev.confirmed] }
    Policies: [Settings]
    May:
      Read: [EvEvent, EvGuests/in-line]
      GetMail: { Action: s3:GetObject, Resource: [s3://ev-raw-mime/mail/*] }
"""
OTHER_DESK = """
Tables: [WlEntries]
Functions:
  TellGuests: { May: { Read: [WlEntries] } }
"""
WRITE = """
import pathlib, sys
from script.aws_template import write_template
write_template(pathlib.Path(sys.argv[1]))
"""
#: Resources that every desk may refer to.
COMMON = ("engine", "admin")


def sub(text: str) -> dict[str, str]:
    return {"Fn::Sub": text}


def composed(*texts: str) -> dict[str, dict[str, object]]:
    resources: dict[str, dict[str, object]] = compose(map(parse, texts))["Resources"]
    return resources


def test_a_function_of_a_few_lines_has_its_name_its_endpoint_its_log_and_its_role() -> None:
    made = composed(SHARED, DESK)

    assert made.keys() == {
        "EvEvent",
        "TellGuests",
        "TellGuestsLog",
        "TellGuestsErrors",
        "TellGuestsRole",
    }
    failures = {"Type": "SQS", "Destination": {"Fn::GetAtt": ["Failures", "Arn"]}}
    rule = {
        "RuleName": "tell-guests",
        "Pattern": {"source": ["frontdesk"], "detail-type": ["ev.confirmed"]},
        "RetryPolicy": {"MaximumRetryAttempts": 20, "MaximumEventAgeInSeconds": 3600},
        "DeadLetterConfig": {"Arn": {"Fn::GetAtt": ["Failures", "Arn"]}},
    }
    assert made["TellGuests"]["Properties"] == {
        "FunctionName": "tell-guests",
        "Handler": "frontdesk.aws.messages.tell_guests",
        "MemorySize": 256,
        "Timeout": 30,
        "Role": {"Fn::GetAtt": ["TellGuestsRole", "Arn"]},
        "LoggingConfig": {"LogFormat": "JSON", "LogGroup": {"Ref": "TellGuestsLog"}},
        "EventInvokeConfig": {
            "MaximumRetryAttempts": 2,
            "DestinationConfig": {"OnFailure": failures},
        },
        "Events": {"Facts": {"Type": "EventBridgeRule", "Properties": rule}},
    }


def test_a_function_may_do_what_every_part_says_and_nothing_else() -> None:
    role = composed(SHARED, DESK, OTHER_DESK)["TellGuestsRole"]["Properties"]

    assert isinstance(role, dict)
    config = "arn:${AWS::Partition}:ssm:${AWS::Region}:${AWS::AccountId}:parameter/ev/config"
    mail = "arn:${AWS::Partition}:s3:::ev-raw-mime-${AWS::AccountId}${BucketSuffix}/mail/*"
    statements = {
        "Log": ("logs:PutLogEvents", [{"Fn::GetAtt": ["TellGuestsLog", "Arn"]}]),
        "Settings": (
            "ssm:GetParametersByPath",
            {"Fn::If": ["OnAnEmulator", "*", [sub(config)]]},
        ),
        "Failures": ("sqs:SendMessage", [{"Fn::GetAtt": ["Failures", "Arn"]}]),
        "GetMail": ("s3:GetObject", [sub(mail)]),
        "Read": (
            ["dynamodb:GetItem", "dynamodb:BatchGetItem"],
            [
                {"Fn::GetAtt": ["EvEvent", "Arn"]},
                sub("${EvGuests.Arn}/index/in-line"),
                {"Fn::GetAtt": ["WlEntries", "Arn"]},
            ],
        ),
    }
    assert role["Policies"][0]["PolicyDocument"]["Statement"] == [
        {"Effect": "Allow", "Action": action, "Resource": resource}
        for action, resource in statements.values()
    ]


def test_a_role_names_each_table_once_with_all_that_may_be_done_with_it() -> None:
    made = grouped({"Put": ["A"], "Log": {"Action": "l"}, "Read": ["A", "B"], "Query": ["B/i"]})

    read, put = ["dynamodb:GetItem", "dynamodb:BatchGetItem"], ["dynamodb:PutItem"]
    assert made == {
        "Log": {"Action": "l"},
        "ReadPut": {"Action": read + put, "Resource": ["A"]},
        "Read": {"Action": read, "Resource": ["B"]},
        "Query": {"Action": ["dynamodb:Query"], "Resource": ["B/i"]},
    }


def test_a_role_names_a_table_in_two_groups_where_that_is_shorter() -> None:
    made = grouped({"Read": ["A", "B"], "Put": ["A", "C"]})

    assert made == {
        "Read": {"Action": ["dynamodb:GetItem", "dynamodb:BatchGetItem"], "Resource": ["B", "A"]},
        "Put": {"Action": ["dynamodb:PutItem"], "Resource": ["C", "A"]},
    }


def test_grouping_changes_no_permission() -> None:
    verbs = patterns()["Verbs"]
    whole: Node = reduce(merged, map(read, sorted(PARTS.glob("*.yaml"))), {})
    for entry in whole["Functions"].values():
        given = {verb: tables for verb, tables in entry["May"].items() if verb in verbs}
        listed = {
            (action, table)
            for verb, tables in given.items()
            for action in as_list(verbs[verb])
            for table in tables
        }
        assert listed == {
            (action, table)
            for each in grouped(given).values()
            for action in each["Action"]
            for table in each["Resource"]
            for table in each_index(table)
        }


def each_index(table: str) -> list[str]:
    logical, _, index = table.partition("/")
    return [f"{logical}/{name}" for name in indexes_of(logical)] if index == "*" else [table]


def test_all_indexes_of_a_table_are_named_as_one_and_some_by_their_names() -> None:
    made = grouped({"Query": ["WlSlots/open", "WlSlots/by-start", "WlSlots/by-freed"]})
    assert made["Query"]["Resource"] == ["WlSlots/*"]
    made = grouped({"Query": ["WlSlots/open", "WlSlots/by-start"]})
    assert made["Query"]["Resource"] == ["WlSlots/open", "WlSlots/by-start"]


def test_a_group_of_many_tables_is_named_once() -> None:
    many = [f"Table{number}" for number in range(9)]
    made = grouped({"Read": [*many, "B"], "Put": [*many, "C"]})

    assert {sid: each["Resource"] for sid, each in made.items()} == {
        "ReadPut": many,
        "Read": ["B"],
        "Put": ["C"],
    }


@pytest.mark.parametrize(
    ("part", "says"),
    [
        ("Functions: { TellGuests: { Timeout: 60 } }", "/Functions/TellGuests/Timeout is in two"),
        ("Functions: { TellGuests: { Memroy: 60 } }", "TellGuests has unknown keys: ['Memroy']"),
        ("Functions: { TellGuests: { May: { Raed: [A] } } }", "the statement Raed has no action"),
        ("Tables: [EvGests]", "the store has no table ev-gests"),
        ("Alarm: {}", "unknown sections: ['Alarm']"),
        ("LogMetrics: { Sent: { Metric: Sent } }", "missing: {'Ref': '<Log>'}"),
    ],
)
def test_a_mistake_in_a_part_is_named(part: str, says: str) -> None:
    with pytest.raises(BadPart, match=re.escape(says)):
        composed(SHARED, DESK, part)


#: The part that connects two desks may know both, and declares nothing.
BETWEEN = "handovers"
each_part = pytest.mark.parametrize(
    "part", sorted({path.stem for path in PARTS.glob("*.yaml")} - {BETWEEN})
)


def names_declared(path: Path) -> set[str]:
    part = read(path)
    sections = ("Parameters", "Conditions", "Functions", "Resources", "MailBuckets", "Buckets")
    found = {name for section in sections for name in part.get(section, ())}
    return found | {*part.get("Tables", ())}


def own_names(part: str) -> set[str]:
    """Returns the names that a part declares, without additions to functions of the common
    parts."""
    before = COMMON[: COMMON.index(part)] if part in COMMON else COMMON
    common = {name for each in before for name in names_declared(PARTS / f"{each}.yaml")}
    return names_declared(PARTS / f"{part}.yaml") - common


@each_part
def test_a_part_refers_only_to_resources_of_parts_that_it_may_know(part: str) -> None:
    strangers = {path.stem for path in PARTS.glob("*.yaml")} - {part, BETWEEN}
    if part in COMMON:
        strangers &= set(COMMON[: COMMON.index(part)])
    for stranger in strangers:
        text = re.sub(r"#.*", "", (PARTS / f"{stranger}.yaml").read_text("utf-8"))
        assert set(re.findall(r"[A-Z]\w+", text)) & own_names(part) == set(), stranger


def test_the_part_between_two_desks_declares_nothing_of_its_own() -> None:
    others = {path for path in PARTS.glob("*.yaml") if path.stem != BETWEEN}
    declared = {name for path in others for name in names_declared(path)}
    of_all_desks = {"HasDeskOff"}
    assert names_declared(PARTS / f"{BETWEEN}.yaml") - declared == of_all_desks


def test_the_template_is_the_same_in_every_process(tmp_path: Path) -> None:
    """The order of a set differs between processes, and a changed order would be a deployment."""
    written = []
    for seed in ("1", "2"):
        path = tmp_path / f"{seed}.json"
        subprocess.run(
            [sys.executable, "-c", WRITE, str(path)],
            cwd=PARTS.parents[2],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
        )
        written.append(path.read_bytes())

    assert written[0] == written[1]
