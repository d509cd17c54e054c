"""Each function may do its own work and nothing else, as far as the emulator cannot tell."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from frontdesk.aws.schedules import MESSENGER, OTHERS, SENDERS, TIMER_FUNCTIONS
from frontdesk.connect.embeddings.titan import DIMENSIONS
from frontdesk.store.dynamodb.schema import TABLES
from frontdesk.wiring.aws import INDEX
from tests.deploy.templates import (
    APPLICATION,
    GITHUB_ROLE,
    WRITTEN,
    Node,
    attribute,
    functions,
    listed,
    may,
    named,
    on_aws,
    properties,
    role_of,
    statements,
    template,
)

MOST_POLICY_CHARACTERS = 10_240
ROLES = properties("AWS::IAM::Role")
each_role = pytest.mark.parametrize("name", sorted(ROLES))
each_file = pytest.mark.parametrize("path", [APPLICATION, GITHUB_ROLE], ids=lambda path: path.name)
#: Lines in which a star is no wildcard: a filter for logs, an expression, a cron line.
NOT_A_RIGHT = re.compile(r"^\s*(- )?(FilterPattern|ScheduleExpression|Expression|AllowedPattern):")
#: Tables to which a function must have no access.
KEPT_FROM = {
    "register": {"fd-members", "fd-sessions", "fd-messages", "fd-mail", "fd-deadletters"},
    "link-handler": {"fd-members", "fd-sessions", "fd-messages", "fd-mail", "fd-deadletters"},
    "fd-relay": {table.name for table in TABLES},
    "fd-timer-sync": {table.name for table in TABLES},
    "keeper": {"fd-members", "fd-sessions", "fd-messages", "fd-sends", "ev-imports"},
    "reminder-fire": {"fd-people", "fd-members", "fd-sessions", "fd-messages", "fd-mail"},
    "offer-timeout": {"fd-people", "fd-members", "fd-sessions", "fd-messages", "fd-mail"},
    "host-summary": {"fd-people", "fd-members", "fd-sessions", "fd-sends", "ev-imports"},
    "host-import": {"fd-sessions", "fd-messages", "wl-slots"},
    "intake-ses-parser": {"fd-members", "fd-sessions", "ev-imports", "fd-settings"},
    "ev-bounces": {"fd-members", "fd-sessions", "ev-imports", "fd-settings", "fd-mail"},
    "web-form": {"fd-members", "fd-sessions", "fd-messages", "fd-mail", "ev-guests", "wl-offers"},
    "claim-handler": {"fd-members", "fd-sessions", "fd-messages", "fd-mail", "ev-guests"},
    "slot-webhook": {"fd-people", "fd-members", "fd-messages", "fd-mail", "wl-entries"},
    "offer-engine": {"fd-members", "fd-sessions", "fd-messages", "fd-sends", "ev-guests"},
    "sender": {"fd-mail", "fd-sessions", "ev-guests", "ev-event"},
    "roll-on-timer": {"fd-members", "fd-sessions", "fd-messages", "fd-mail", "ev-guests"},
    "housekeeping": {"fd-members", "fd-sessions", "fd-messages", "fd-mail", "ev-guests"},
    "summary": {"fd-people", "fd-members", "fd-messages", "fd-mail", "ev-guests", "wl-entries"},
    "drive-sync": {"fd-sessions", "fd-messages", "fd-mail", "ev-guests", "wl-offers"},
    "calendar-sync": {"fd-sessions", "fd-messages", "fd-mail", "fd-sends", "ev-guests"},
    "slack-post": {"fd-sessions", "fd-messages", "fd-mail", "ev-guests"},
    "slack-press": {"fd-sessions", "fd-messages", "fd-jobs", "ev-guests", "wl-offers"},
    "bk-pages": {"fd-members", "fd-sessions", "fd-messages", "fd-mail", "ev-guests", "wl-entries"},
    "bk-engine": {"fd-sessions", "fd-messages", "fd-sends", "ev-guests", "wl-entries"},
    "bk-sender": {"fd-sessions", "ev-guests", "tbl-claims", "wl-entries"},
    "bk-timer": {"fd-members", "fd-sessions", "fd-messages", "fd-mail", "ev-guests"},
    "bk-calendar": {"fd-people", "fd-members", "fd-messages", "fd-mail", "ev-guests"},
    "fn-config-sync": {"fd-people", "fd-members", "fd-mail", "tbl-bookings", "wl-entries"},
    "texts-in": {"fd-members", "fd-sessions", "ev-guests", "tbl-bookings"},
    "reminder": {"fd-members", "fd-sessions", "fd-messages", "fd-mail", "tbl-claims"},
    "dispatch": {"fd-mail", "fd-sessions", "ev-guests", "tbl-bookings", "wl-entries"},
    "reply-handler": {"fd-members", "fd-sessions", "fd-messages", "fd-mail", "tbl-claims"},
    "ar-engine": {"fd-members", "fd-sessions", "fd-messages", "ev-guests", "wl-proposals"},
}


def wildcards_without_a_reason(text: str) -> list[str]:
    """Finds wildcards without a comment behind them or in the line above."""
    found, above = [], ""
    for line in text.splitlines():
        code, _, reason = line.partition("  #")
        is_comment = line.lstrip().startswith("#")
        has_reason = reason.strip() or above.lstrip().startswith("#")
        is_right = not is_comment and not NOT_A_RIGHT.match(code)
        if "*" in code and is_right and not has_reason:
            found.append(code.strip())
        above = line
    return found


@pytest.mark.spec("FD-18")
@pytest.mark.parametrize("path", [*WRITTEN, GITHUB_ROLE], ids=lambda path: path.name)
def test_every_wildcard_has_its_reason_beside_it(path: Path) -> None:
    assert wildcards_without_a_reason(path.read_text("utf-8")) == []


def test_a_wildcard_without_a_reason_is_seen() -> None:
    text = 'Resource: "*"\n# why\nResource: a/*\nAction: s3:*  # why\nFilterPattern: "*failed"'
    assert wildcards_without_a_reason(text) == ['Resource: "*"']


@each_file
def test_no_role_may_do_everything_that_a_service_can(path: Path) -> None:
    roles = properties("AWS::IAM::Role", path)
    assert [
        action
        for role in roles.values()
        for each in statements(role)
        for action in listed(each["Action"])
        if "*" in action
    ] == []


@pytest.mark.spec("FD-18")
def test_each_function_has_a_role_of_its_own_that_only_lambda_may_assume() -> None:
    names = [each["Role"]["Fn::GetAtt"] for each in functions().values()]
    assert sorted(names) == sorted([f"{name}Role", "Arn"] for name in functions())
    for name in functions():
        assert ROLES[f"{name}Role"]["AssumeRolePolicyDocument"]["Statement"] == [
            {
                "Effect": "Allow",
                "Principal": {"Service": "lambda.amazonaws.com"},
                "Action": "sts:AssumeRole",
            }
        ]


@each_role
def test_every_role_stays_within_the_boundary_of_the_deployment(name: str) -> None:
    assert ROLES[name]["PermissionsBoundary"] == {
        "Fn::If": ["HasBoundary", {"Ref": "PermissionsBoundary"}, {"Ref": "AWS::NoValue"}]
    }


@each_role
def test_a_role_lists_its_permissions_and_attaches_no_managed_policy(name: str) -> None:
    assert "ManagedPolicyArns" not in ROLES[name]
    assert {each["Effect"] for each in statements(ROLES[name])} == {"Allow"}


@each_role
def test_a_role_is_not_longer_than_aws_takes(name: str) -> None:
    tables = {logical: each["TableName"] for logical, each in tables_by_logical_name().items()}
    called = {logical: each["FunctionName"] for logical, each in functions().items()}
    here = "ap-southeast-1:123456789012"

    def resolved(value: Any) -> Any:
        """Fills in names of the greatest length."""
        match on_aws(value):
            case {"Fn::GetAtt": [logical, *_]}:
                if logical in called:
                    return f"arn:aws-us-gov:lambda:{here}:function:{called[logical]}"
                table = tables.get(logical, "x" * 40)
                return f"arn:aws-us-gov:dynamodb:{here}:table/{table}"
            case {"Fn::Sub": text}:
                text = re.sub(r"\$\{(\w+)\.Arn\}", lambda m: resolved(attribute(m[1])), text)
                return re.sub(r"\$\{[^}]*\}", "x" * 14, text)
            case dict():
                return {key: resolved(each) for key, each in value.items()}
            case list():
                return [resolved(each) for each in value]
            case _:
                return value

    policies = [each["PolicyDocument"] for each in ROLES[name]["Policies"]]
    written = "".join(json.dumps(resolved(each), separators=(",", ":")) for each in policies)
    assert len(written) <= MOST_POLICY_CHARACTERS


def tables_by_logical_name() -> dict[str, Node]:
    return properties("AWS::DynamoDB::Table")


def table_names(role: Node, prefix: str) -> set[str]:
    """Returns the tables and indexes on which a role allows anything except reading streams."""
    logical = {name: each["TableName"] for name, each in tables_by_logical_name().items()}
    found = set()
    for each in statements(role):
        if not any(action.startswith(prefix) for action in listed(each["Action"])):
            continue
        for resource in listed(each["Resource"]):
            match resource:
                case {"Fn::GetAtt": [name, "Arn"]}:
                    found.add(logical[name])
                case {"Fn::Sub": text}:
                    found.add(re.sub(r"\$\{(\w+)\.Arn\}", lambda m: logical[m[1]], text))
                case {"Fn::GetAtt": [_, "StreamArn"]} | "*":
                    pass
                case _:
                    raise AssertionError(resource)
    return found


@each_role
def test_a_role_names_tables_and_indexes_that_exist(name: str) -> None:
    known = {table.name for table in TABLES} | {
        f"{table.name}/index/{index}"
        for table in TABLES
        for index, _key in (*table.local, *table.global_)
    }
    assert table_names(ROLES[name], "dynamodb:") - known == set()


@pytest.mark.parametrize("name", sorted(KEPT_FROM))
def test_a_function_has_no_permissions_that_it_does_not_need(name: str) -> None:
    [function] = [each for each in functions().values() if each["FunctionName"] == name]
    touched = {each.partition("/")[0] for each in table_names(role_of(function), "dynamodb:")}
    assert touched & KEPT_FROM[name] == set()


def test_the_audit_can_be_added_to_and_never_changed() -> None:
    audits = [attribute(each) for each in ("EvAudit", "WlAudit", "TblAudit", "ArAudit", "FdAudit")]
    for role in ROLES.values():
        for action in ("dynamodb:UpdateItem", "dynamodb:DeleteItem"):
            assert [each for each in may(role, action) if each in audits] == []


def who_may(action: str) -> set[str]:
    return {each["FunctionName"] for each in functions().values() if may(role_of(each), action)}


@pytest.mark.spec("FD-18")
def test_few_functions_have_permissions_beyond_the_tables() -> None:
    assert {
        action: who_may(action)
        for action in (
            "ses:SendRawEmail",
            "sns:Publish",
            "textract:DetectDocumentText",
            "bedrock:InvokeModel",
            "events:PutEvents",
            "scheduler:CreateSchedule",
            "scheduler:DeleteSchedule",
            "iam:PassRole",
            "lambda:InvokeFunction",
            "s3:PutObject",
        )
    } == {
        "ses:SendRawEmail": {"messenger", "sender", "bk-sender", "dispatch", "fd-sweep"},
        "sns:Publish": {"sender", "bk-sender", "dispatch", "fd-sweep"},
        "textract:DetectDocumentText": {"host-import"},
        "bedrock:InvokeModel": {
            *("fd-console", "host-summary", "host-import", "summary", "fn-config-sync"),
        },
        "events:PutEvents": {"fd-relay"},
        "scheduler:CreateSchedule": {"fd-timer-sync", "fd-sweep"},
        "scheduler:DeleteSchedule": {"fd-timer-sync"},
        "iam:PassRole": {"fd-timer-sync", "fd-sweep"},
        "lambda:InvokeFunction": {
            *("fd-sweep", "fd-timer-sync", "reminder-fire", "fd-console", "host-import"),
            *("fd-relay", "bk-pages"),
        },
        "s3:PutObject": {
            *("intake-ses-parser", "texts-in", "drive-sync", "fd-console", "fd-sweep"),
            *("slack-press", "fn-config-sync", "reminder"),
        },
    }


#: The functions that take times, give them up or hand them over.
CLAIMING = (
    *("bk-pages", "bk-engine", "bk-timer", "bk-calendar", "fd-console", "host-import", "fd-sweep"),
    *("offer-engine", "slot-webhook", "calendar-sync", "ar-engine"),
)
#: Permissions that a function needs because a stream calls it.
OF_ITS_STREAM = ("logs:", "dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShard")
#: Permissions of functions that the sweep does not need: it calls no model.
OF_ITS_OWN = (*OF_ITS_STREAM, "dynamodb:ListStreams", "lambda:InvokeFunction", "bedrock:")
#: The functions whose work the sweep does itself. It calls other functions for jobs and for timers
#: of reminders.
SWEPT = (
    *("keeper", "messenger", "reminder-fire", "offer-timeout", "host-summary"),
    *("offer-engine", "sender", "roll-on-timer", "housekeeping", "summary"),
    *("bk-engine", "bk-sender", "bk-timer", "ar-engine", "dispatch"),
)


@pytest.mark.spec("BK-11", "FD-18")
def test_a_function_that_claims_times_may_write_single_cells_and_whole_rows() -> None:
    """The store's condition compares a few cells one by one, and many by the revision of their
    row."""
    claims = attribute("TblClaims")
    actions = ("dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query", "dynamodb:UpdateItem")
    found = {
        each["FunctionName"]: [action for action in actions if claims in may(role_of(each), action)]
        for each in functions().values()
    }
    writing = {name: may_do for name, may_do in found.items() if "dynamodb:UpdateItem" in may_do}

    assert writing == {name: list(actions) for name in CLAIMING}


@pytest.mark.parametrize("name", SWEPT)
def test_the_sweep_may_do_what_the_functions_may_whose_work_it_does(name: str) -> None:
    [function] = [each for each in functions().values() if each["FunctionName"] == name]
    [sweep] = [each for each in functions().values() if each["FunctionName"] == "fd-sweep"]
    lacking = [
        (action, resource)
        for each in statements(role_of(function))
        for action in listed(each["Action"])
        if not action.startswith(OF_ITS_OWN)
        for resource in may(role_of(function), action)
        if resource not in may(role_of(sweep), action)
    ]
    assert lacking == []


@pytest.mark.spec("FD-08", "FD-18")
def test_each_key_is_readable_only_by_functions_that_sign_or_open_its_links() -> None:
    keys = {name: attribute(name, "Id") for name in ("LinkKeys", "ClaimKeys")}
    read = {
        each["FunctionName"]: {name for name, key in keys.items() if key in secrets}
        for each in functions().values()
        if (secrets := may(role_of(each), "secretsmanager:GetSecretValue"))
    }
    assert {name: found for name, found in read.items() if found} == {
        "link-handler": {"LinkKeys"},
        "fd-console": {"LinkKeys"},
        "messenger": {"LinkKeys"},
        "claim-handler": {"ClaimKeys"},
        "sender": {"ClaimKeys"},
        "bk-pages": {"LinkKeys"},
        "bk-sender": {"LinkKeys"},
        "dispatch": {"LinkKeys"},
        "reply-handler": {"LinkKeys"},
        "fd-sweep": {"LinkKeys", "ClaimKeys"},
    }


@pytest.mark.spec("FD-28")
def test_each_desk_counts_its_own_rate_limits() -> None:
    counting = {
        each["FunctionName"]: table
        for each in functions().values()
        for table in table_names(role_of(each), "dynamodb:")
        if table.endswith("-ratelimit")
    }
    assert counting == {
        **dict.fromkeys(("register", "link-handler", "fd-console", "bk-pages"), "fd-ratelimit"),
        "reply-handler": "fd-ratelimit",
        "messenger": "fd-ratelimit",  # what texts have cost
        # texts of a day, and what those of a month cost
        **dict.fromkeys(("sender", "bk-sender", "dispatch", "fd-sweep"), "fd-ratelimit"),
        **dict.fromkeys(("offer-engine", "roll-on-timer"), "fd-ratelimit"),
        **dict.fromkeys(
            ("web-form", "claim-handler", "slot-webhook", "slack-press"), "wl-ratelimit"
        ),
    }


@pytest.mark.spec("FD-18")
def test_a_secret_from_outside_is_read_only_by_those_who_need_it() -> None:
    arn = "arn:${AWS::Partition}:%s:${AWS::Region}:${AWS::AccountId}:%s"

    def who_reads(action: str, resource: str) -> set[str]:
        return {
            each["FunctionName"]
            for each in functions().values()
            if {"Fn::Sub": resource} in may(role_of(each), action)
        }

    key = arn % ("secretsmanager", "secret:wl/drive/sa-*")
    assert who_reads("secretsmanager:GetSecretValue", key) == {"drive-sync", "fn-config-sync"}
    readers = {
        name: who_reads("ssm:GetParameter", arn % ("ssm", f"parameter/wl/{name}"))
        for name in ("slack", "calendar")
    }
    assert readers == {"slack": {"slack-post", "slack-press"}, "calendar": {"calendar-sync"}}
    calendars = arn % ("ssm", "parameter/bk/calendars")
    assert who_reads("ssm:GetParameter", calendars) == {"bk-calendar", "calendar-sync"}
    google = arn % ("secretsmanager", "secret:bk/calendar/sa-*")
    assert who_reads("secretsmanager:GetSecretValue", google) == {"bk-calendar", "calendar-sync"}
    assert who_may("ssm:GetParameter") == {
        *("slack-post", "slack-press", "calendar-sync", "bk-calendar"),
    }
    asked = may(ROLES["FdConsoleRole"], "lambda:InvokeFunction")
    asked_by_console = ("BkCalendar", "FnConfigSync", "DriveSync", "CalendarSync")
    assert asked == [attribute(name) for name in asked_by_console]
    assert may(role_of(named("BkPages")), "lambda:InvokeFunction") == [attribute("BkCalendar")]


@pytest.mark.spec("FD-18")
def test_one_desk_cannot_read_the_mail_of_the_other() -> None:
    def buckets(function: Node) -> set[str]:
        arns = [
            resource["Fn::Sub"]
            for each in statements(role_of(function))
            if any(action.startswith("s3:") for action in listed(each["Action"]))
            for resource in listed(each["Resource"])
        ]
        return {each.partition(":::")[2][:2] for each in arns if "-raw-mime-" in each}

    seen = {each["FunctionName"]: buckets(each) for each in functions().values()}
    assert {name: " ".join(sorted(found)) for name, found in seen.items() if found} == {
        **dict.fromkeys(("keeper", "messenger", "bk-engine", "bk-sender"), "ev"),
        **dict.fromkeys(("texts-in", "slack-press"), "wl"),
        "ar-engine": "ar",
        **dict.fromkeys(("host-import", "fd-console", "fd-sweep", "host-summary"), "ar ev wl"),
        "intake-ses-parser": "ar ev wl",
    }


@pytest.mark.spec("FD-18")
def test_mail_goes_out_only_as_the_verified_sender() -> None:
    arn = "arn:${AWS::Partition}:ses:${AWS::Region}:${AWS::AccountId}:"
    for name in ("Messenger", "Sender", "BkSender", "Dispatch", "FdSweep"):
        [sending] = [
            each
            for each in statements(ROLES[f"{name}Role"])
            if each["Action"] == "ses:SendRawEmail"
        ]
        assert sending == {
            "Effect": "Allow",
            "Action": "ses:SendRawEmail",
            "Resource": [
                {"Fn::Sub": arn + "identity/*"},
                {"Fn::Sub": arn + "configuration-set/${MailOut}"},
            ],
            "Condition": {"StringEquals": {"ses:FromAddress": {"Ref": "FromEmail"}}},
        }
    assert template()["Parameters"]["Emulated"]["Default"] == "no"


@pytest.mark.spec("FD-18")
def test_texts_go_to_phones_and_nothing_is_published_to_a_topic() -> None:
    topics = {"all but": {"Fn::Sub": "arn:${AWS::Partition}:sns:*:*:*"}}
    published = {name: found for name, role in ROLES.items() if (found := may(role, "sns:Publish"))}
    assert published == {
        f"{name}Role": [topics] for name in ("Sender", "BkSender", "Dispatch", "FdSweep")
    }


@pytest.mark.spec("FD-18")
def test_only_the_one_role_is_handed_over_and_to_the_scheduler_alone() -> None:
    for name in ("FdTimerSync", "FdSweep"):
        [passed] = [
            each for each in statements(ROLES[f"{name}Role"]) if each["Action"] == "iam:PassRole"
        ]
        assert passed["Resource"] == attribute("ScheduleRole")
        assert passed["Condition"] == {
            "StringEquals": {"iam:PassedToService": "scheduler.amazonaws.com"}
        }


@pytest.mark.spec("FD-18")
def test_schedules_may_call_only_the_functions_for_timers_and_sending() -> None:
    role = named("ScheduleRole")
    rung = {*TIMER_FUNCTIONS.values(), OTHERS, MESSENGER, *SENDERS.values()}
    assert sorted(each["Fn::GetAtt"][0] for each in may(role, "lambda:InvokeFunction")) == sorted(
        logical for logical, each in functions().items() if each["FunctionName"] in rung
    )
    assert may(role, "sqs:SendMessage") == [attribute("Failures")]
    assert len(statements(role)) == 2
    again = ("Sweep", "DriveSync", "CalendarSync", "Housekeeping", "Summary")
    reminders = ("HourlyTick", "WeeklySummary", "RemindersDriveSync")
    for name in ("ScheduleRole", *(f"{each}ScheduleRole" for each in (*again, *reminders))):
        assert named(name)["AssumeRolePolicyDocument"]["Statement"] == [
            {
                "Effect": "Allow",
                "Principal": {"Service": "scheduler.amazonaws.com"},
                "Action": "sts:AssumeRole",
                "Condition": {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}},
            }
        ]


TITAN = {
    "Fn::Sub": "arn:${AWS::Partition}:bedrock:${EmbeddingRegion}"
    "::foundation-model/amazon.titan-embed-text-v2:0"
}
SERVICES = {
    "Fn::Sub": "arn:${AWS::Partition}:s3vectors:${AWS::Region}:${AWS::AccountId}"
    ":bucket/bk-vectors-${AWS::AccountId}${BucketSuffix}/index/vec-services"
}


@pytest.mark.spec("BK-04", "FD-18")
def test_one_function_keeps_the_index_of_services_and_one_asks_it() -> None:
    """A query with metadata also needs the right to get vectors. The emulator does not check it."""
    actions = ("ListVectors", "PutVectors", "DeleteVectors", "QueryVectors", "GetVectors")
    found = {
        each["FunctionName"]: {
            action for action in actions if may(role_of(each), f"s3vectors:{action}") == [SERVICES]
        }
        for each in functions().values()
        if any(may(role_of(each), f"s3vectors:{action}") for action in actions)
    }
    assert found == {
        "fn-config-sync": {"ListVectors", "PutVectors", "DeleteVectors"},
        "host-import": {"QueryVectors", "GetVectors"},
    }
    assert may(ROLES["FnConfigSyncRole"], "bedrock:InvokeModel") == [TITAN]
    assert TITAN in may(ROLES["HostImportRole"], "bedrock:InvokeModel")


@pytest.mark.spec("BK-04", "FD-18")
def test_the_index_is_made_only_where_there_are_embeddings_and_fits_their_vectors() -> None:
    for name in ("Vectors", "VecServices"):
        assert template()["Resources"][name]["Condition"] == "KeepsVectors"
    index = named("VecServices")
    assert (index["IndexName"], index["Dimension"]) == (INDEX, DIMENSIONS)
    assert (index["DataType"], index["DistanceMetric"]) == ("float32", "cosine")
    for name in ("FnConfigSync", "HostImport"):
        variables = functions()[name]["Environment"]["Variables"]
        assert variables["FRONTDESK_EMBEDDING_REGION"] == {
            "Fn::If": ["HasEmbeddings", {"Ref": "EmbeddingRegion"}, ""]
        }
        assert variables["FRONTDESK_VECTOR_BUCKET"] == index["VectorBucketName"]
