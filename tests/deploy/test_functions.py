"""The functions: names, sizes, time-outs and logs, and who may call their URLs."""

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from importlib import import_module
from typing import Any

import pytest

from tests.deploy.templates import Node, attribute, functions, named, properties, template

#: Memory in MB and time-out in seconds.
SIZES = {
    "register": (256, 15),
    "link-handler": (256, 15),
    "fd-console": (512, 30),
    "fd-relay": (256, 30),
    "keeper": (512, 15),
    "messenger": (256, 30),
    "fd-timer-sync": (256, 30),
    "reminder-fire": (256, 15),
    "offer-timeout": (256, 15),
    "host-summary": (512, 60),
    "host-import": (512, 60),
    "intake-ses-parser": (512, 30),
    "ev-bounces": (256, 15),
    "fd-sweep": (512, 300),
    "web-form": (256, 15),
    "claim-handler": (256, 15),
    "slot-webhook": (256, 15),
    "offer-engine": (512, 15),
    "sender": (256, 30),
    "roll-on-timer": (256, 15),
    "housekeeping": (256, 60),
    "summary": (256, 60),
    "texts-in": (256, 15),
    "drive-sync": (512, 60),
    "calendar-sync": (256, 60),
    "slack-post": (256, 60),
    "slack-press": (512, 15),
    "bk-pages": (256, 30),
    "bk-engine": (512, 15),
    "bk-sender": (256, 30),
    "bk-timer": (256, 15),
    "bk-calendar": (256, 60),
    "fn-config-sync": (512, 60),
    "reminder": (512, 60),
    "dispatch": (256, 30),
    "reply-handler": (256, 15),
    "ar-engine": (512, 15),
}
OPEN_TO_PEOPLE = {
    *("Register", "LinkHandler", "FdConsole", "WebForm", "ClaimHandler", "BkPages"),
    "ReplyHandler",
}
#: Functions that answer only clients with a secret.
OPEN_TO_TOOLS = {"SlotWebhook", "SlackPress", "FnConfigSync", "CalendarSync"}
ONE = "https://one.example"
each_function = pytest.mark.parametrize("name", sorted(functions()))


@pytest.mark.spec("FD-18")
def test_each_function_has_its_name_its_endpoint_and_the_smallest_sufficient_size() -> None:
    deployed = {
        each["FunctionName"]: (each["MemorySize"], each["Timeout"]) for each in functions().values()
    }
    assert deployed == SIZES


@pytest.mark.spec("FD-18")
@each_function
def test_the_handler_of_a_function_has_its_name(name: str) -> None:
    function = functions()[name]
    module, _, handler = function["Handler"].rpartition(".")

    assert module.startswith("frontdesk.aws.")
    assert handler == function["FunctionName"].replace("-", "_")
    assert callable(getattr(import_module(module), handler))


@pytest.mark.spec("FD-18")
def test_functions_run_python_3_14_on_arm64_by_default() -> None:
    common = template()["Globals"]["Function"]

    def chosen(what: str) -> Node:
        packaged = {"Fn::FindInMap": ["Packaged", "Code", what]}
        return {"Fn::If": [f"Has{what}", {"Ref": what}, packaged]}

    assert common["Runtime"] == chosen("Runtime")
    assert common["Architectures"] == [chosen("Architecture")]
    assert template()["Mappings"] == {
        "Packaged": {"Code": {"Runtime": "python3.14", "Architecture": "arm64"}}
    }
    assert all(
        not {"Runtime", "Architectures", "CodeUri"} & each.keys()
        for each in properties("AWS::Serverless::Function").values()
    )


def test_an_upgrade_takes_the_runtime_of_the_new_version() -> None:
    """CloudFormation keeps the values of parameters, even those that were defaults."""
    for name in ("Runtime", "Architecture"):
        assert template()["Parameters"][name]["Default"] == ""
        assert template()["Conditions"][f"Has{name}"] == {
            "Fn::Not": [{"Fn::Equals": [{"Ref": name}, ""]}]
        }


@pytest.mark.spec("FD-18")
@each_function
def test_nothing_is_traced_and_nothing_is_in_a_private_network(name: str) -> None:
    function = functions()[name]
    assert function["Tracing"] == "Disabled"
    assert "VpcConfig" not in function


@pytest.mark.spec("FD-18")
def test_there_is_no_api_gateway() -> None:
    kinds = {each["Type"] for each in template()["Resources"].values()}
    events = {
        event["Type"] for each in functions().values() for event in each.get("Events", {}).values()
    }
    assert [kind for kind in kinds | events if "Api" in kind] == []


@pytest.mark.spec("FD-18")
@each_function
def test_logs_are_json_kept_for_a_week_and_their_errors_are_counted(name: str) -> None:
    function = functions()[name]
    [log] = [
        (logical, group)
        for logical, group in properties("AWS::Logs::LogGroup").items()
        if group["LogGroupName"] == f"/aws/lambda/{function['FunctionName']}"
    ]
    metrics = [
        each["MetricTransformations"]
        for each in properties("AWS::Logs::MetricFilter").values()
        if each["LogGroupName"] == {"Ref": log[0]} and '"ERROR"' in each["FilterPattern"]
    ]
    assert function["LoggingConfig"] == {"LogFormat": "JSON", "LogGroup": {"Ref": log[0]}}
    assert log[1]["RetentionInDays"] == 7
    assert [{"MetricNamespace": "Frontdesk", "MetricName": "Errors", "MetricValue": "1"}] in metrics


#: Lines of a log, and whether each is an error. Lambda writes the lines with a `record`.
LINES: list[tuple[Node, bool]] = [
    ({"level": "ERROR", "errorType": "KeyError", "errorMessage": "'timer'"}, True),
    # from the runtime client before version 4.0.4
    ({"log_level": "ERROR", "errorType": "KeyError", "errorMessage": "'timer'"}, True),
    ({"level": "WARNING", "message": "slow"}, False),
    ({"event": "follow.failed", "why": "Busy"}, True),
    ({"event": "page.failed", "path": "/e/supper"}, True),
    ({"event": "send.sent", "via": "mail"}, False),
    ({"type": "platform.report", "record": {"status": "success"}}, False),
    ({"type": "platform.report", "record": {"status": "timeout"}}, True),
    ({"type": "platform.report", "record": {"status": "failure"}}, True),
    (
        {
            "type": "platform.report",
            "record": {"status": "error", "errorType": "Runtime.OutOfMemory"},
        },
        True,
    ),
    # The runtime writes another line about it, which is counted.
    ({"type": "platform.report", "record": {"status": "error", "errorType": "KeyError"}}, False),
]


@pytest.mark.spec("FD-18")
@pytest.mark.parametrize(("line", "is_error"), LINES)
def test_an_error_is_counted_whether_we_or_the_runtime_log_it(line: Node, is_error: bool) -> None:
    pattern = properties("AWS::Logs::MetricFilter")["RegisterErrors"]["FilterPattern"]
    terms = re.findall(r'\(\$\.([\w.]+) = "([^"]*)"\)', pattern)
    assert pattern == "{ " + " || ".join(f'($.{path} = "{value}")' for path, value in terms) + " }"

    assert any(fnmatchcase(value_at(line, path), value) for path, value in terms) == is_error


def value_at(line: Node, path: str) -> str:
    found: Any = line
    for key in path.split("."):
        found = found.get(key, {}) if isinstance(found, dict) else {}
    return found if isinstance(found, str) else ""


def test_only_public_functions_have_a_url_and_anybody_may_open_it() -> None:
    urls = properties("AWS::Lambda::Url")
    opened = OPEN_TO_PEOPLE | OPEN_TO_TOOLS
    assert {each["TargetFunctionArn"]["Fn::GetAtt"][0] for each in urls.values()} == opened
    assert {each["AuthType"] for each in urls.values()} == {"NONE"}
    for name in opened:
        assert named(f"{name}UrlOpen") == {
            "FunctionName": {"Ref": name},
            "Principal": "*",
            "Action": "lambda:InvokeFunctionUrl",
            "FunctionUrlAuthType": "NONE",
        }
        assert named(f"{name}UrlCall") == {
            "FunctionName": {"Ref": name},
            "Principal": "*",
            "Action": "lambda:InvokeFunction",
            "InvokedViaFunctionUrl": True,
        }


def test_only_buckets_of_mail_and_a_log_may_invoke_functions_from_outside() -> None:
    others = {
        name: each
        for name, each in properties("AWS::Lambda::Permission").items()
        if not name.endswith(("UrlOpen", "UrlCall"))
    }
    assert others.pop("TextLogMayRing")["Principal"] == "logs.amazonaws.com"
    arn = "arn:${AWS::Partition}:s3:::%s-raw-mime-${AWS::AccountId}${BucketSuffix}"
    assert others == {
        name: {
            "FunctionName": {"Ref": "IntakeSesParser"},
            "Action": "lambda:InvokeFunction",
            "Principal": "s3.amazonaws.com",
            "SourceAccount": {"Ref": "AWS::AccountId"},
            "SourceArn": {"Fn::Sub": arn % desk},
        }
        for name, desk in (
            ("MailMayRing", "ev"),
            ("RequestsMayRing", "wl"),
            ("RemindersMailMayRing", "ar"),
        )
    }


@pytest.mark.parametrize(
    ("links", "claims", "bookings", "replies", "is_taken"),
    [
        ("", "", "", "", True),
        (ONE, "", "", "", True),
        ("", ONE, "", "", True),
        ("", "", ONE, "", True),
        ("", "", "", ONE, True),
        (ONE, *(f"https://{number}.example" for number in ("two", "three", "four")), True),
        (ONE, ONE, "", "", False),
        (ONE, "", ONE, "", False),
        (ONE, "", "", ONE, False),
        ("", ONE, ONE, "", False),
        ("", ONE, "", ONE, False),
        ("", "", ONE, ONE, False),
    ],
)
def test_two_kinds_of_links_at_one_address_are_refused(
    links: str, claims: str, bookings: str, replies: str, is_taken: bool
) -> None:
    given = {
        "LinksUrl": links,
        "ClaimsUrl": claims,
        "BookingUrl": bookings,
        "RepliesUrl": replies,
    }
    holds = [
        not says(rule["RuleCondition"], given) or says(asserted["Assert"], given)
        for rule in template()["Rules"].values()
        for asserted in rule["Assertions"]
    ]
    assert all(holds) is is_taken


def says(condition: Any, given: Mapping[str, str]) -> Any:
    """Evaluates a condition as CloudFormation does."""
    match condition:
        case {"Fn::Not": [inner]}:
            return not says(inner, given)
        case {"Fn::Equals": [one, other]}:
            return says(one, given) == says(other, given)
        case {"Ref": name}:
            return given[name]
        case str():
            return condition
        case _:
            raise AssertionError(condition)


@pytest.mark.parametrize(
    ("address", "is_taken"),
    [
        ("", True),
        ("https://events.example", True),
        ("https://events.example/desk", True),
        ("https://events.example/", False),
        ("events.example", False),
    ],
)
def test_a_custom_address_has_one_spelling(address: str, is_taken: bool) -> None:
    for name in (
        *("BaseUrl", "LinksUrl", "ConsoleUrl", "WaitlistUrl", "ClaimsUrl", "BookingUrl"),
        "RepliesUrl",
    ):
        pattern = template()["Parameters"][name]["AllowedPattern"]
        assert bool(re.fullmatch(pattern, address)) is is_taken


def test_the_addresses_in_mails_are_those_of_the_functions_or_of_a_custom_domain() -> None:
    doors = {
        "BaseUrl": "RegisterUrl",
        "LinksUrl": "LinkHandlerUrl",
        "ConsoleUrl": "FdConsoleUrl",
        "WaitlistUrl": "WebFormUrl",
        "ClaimsUrl": "ClaimHandlerUrl",
        "BookingUrl": "BkPagesUrl",
        "RepliesUrl": "ReplyHandlerUrl",
    }
    for name, door in doors.items():
        assert named(f"{name}Setting")["Value"] == {
            "Fn::If": [f"Has{name}", {"Ref": name}, attribute(door, "FunctionUrl")]
        }
