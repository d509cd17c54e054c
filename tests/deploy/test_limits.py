"""The template that SAM expands for AWS is within the limits of AWS."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from script.aws_template import write_template
from tests.deploy.templates import (
    Node,
    events,
    functions,
    listed,
    named,
    properties,
    template,
)
from tests.deploy.test_lint import TOOLS
from tests.deploy.test_lint import tools as tools

MOST_RESOURCES = 500
MOST_BYTES = 1_000_000
MOST_PARAMETERS = 200
MOST_ENVIRONMENT_BYTES = 4_096
MOST_PATTERN_CHARACTERS = 2_048
MOST_FILTERS = 5
MOST_FILTER_CHARACTERS = 4_096
LONGEST_BUCKET_NAME = 63
LONGEST_TRUST_CHARACTERS = 2_048
#: The longest names, by the property that has them.
LONGEST_NAMES = {"FunctionName": 64, "RuleName": 64, "Name": 64, "TopicName": 256, "QueueName": 80}
#: SAM expands templates in AWS. It needs no account here, since no role has a managed policy.
EXPAND = """
import json, sys
from samtranslator.translator.transform import transform
from samtranslator.parser.parser import Parser
template = json.load(open(sys.argv[1]))
for each in (template["Globals"]["Function"],):
    each["CodeUri"] = "s3://code/frontdesk-lambda.zip"
print(json.dumps(transform(template, {}, None)))
"""


@pytest.fixture(scope="module")
def expanded(tools: Path, tmp_path_factory: pytest.TempPathFactory) -> Node:
    path = tmp_path_factory.mktemp("expanded") / "template.json"
    write_template(path)
    done = subprocess.run(
        [TOOLS / "python", "-c", EXPAND, path],
        check=True,
        capture_output=True,
        text=True,
        env={"AWS_DEFAULT_REGION": "ap-southeast-1"},
    )
    found: Node = json.loads(done.stdout)
    return found


@pytest.mark.spec("FD-18")
def test_the_expanded_template_is_one_that_cloudformation_takes(expanded: Node) -> None:
    assert len(expanded["Resources"]) <= MOST_RESOURCES
    assert len(json.dumps(expanded)) <= MOST_BYTES
    assert len(expanded["Parameters"]) <= MOST_PARAMETERS


@pytest.mark.spec("FD-18")
def test_no_resource_depends_on_itself(expanded: Node) -> None:
    """CloudFormation creates a resource after those that it names, so names must not form a
    circle."""
    waits = {
        name: set(needed(each)) & expanded["Resources"].keys()
        for name, each in expanded["Resources"].items()
    }
    while ready := {name for name, others in waits.items() if not others & waits.keys()}:
        waits = {name: others for name, others in waits.items() if name not in ready}
    assert waits == {}


def needed(node: Any) -> list[str]:
    """Returns the resources that a resource names or depends on."""
    match node:
        case {"Ref": str() as name}:
            return [name]
        case {"Fn::GetAtt": [name, *_]} | {"Fn::GetAtt": str() as name}:
            return [name.partition(".")[0]]
        case {"Fn::Sub": text}:
            text, more = (text, {}) if isinstance(text, str) else text
            return [*re.findall(r"\$\{(\w+)", text), *needed(more)]
        case dict():
            own = listed(node.get("DependsOn", [])) if "Type" in node else []
            return [*own, *(name for each in node.values() for name in needed(each))]
        case list():
            return [name for each in node for name in needed(each)]
        case _:
            return []


@pytest.mark.parametrize("name", sorted(functions()))
def test_the_environment_of_a_function_is_short_enough(name: str) -> None:
    own = functions()[name].get("Environment", {}).get("Variables", {})
    common = template()["Globals"]["Function"]["Environment"]["Variables"]
    assert len(json.dumps(common | own)) <= MOST_ENVIRONMENT_BYTES


def test_rules_and_streams_have_patterns_that_are_short_enough() -> None:
    for _function, rule in events("EventBridgeRule"):
        assert len(json.dumps(rule["Pattern"])) <= MOST_PATTERN_CHARACTERS
    for _function, stream in events("DynamoDB"):
        filters = stream["FilterCriteria"]["Filters"]
        assert len(filters) <= MOST_FILTERS
        assert all(len(each["Pattern"]) <= MOST_FILTER_CHARACTERS for each in filters)


def test_names_are_short_enough() -> None:
    too_long = [
        value
        for resource in template()["Resources"].values()
        for key, longest in LONGEST_NAMES.items()
        for value in [resource.get("Properties", {}).get(key)]
        if isinstance(value, str)
        and not resource["Type"].startswith(("AWS::SSM", "AWS::SecretsManager"))
        and len(value) > longest
    ]
    assert too_long == []


@pytest.mark.parametrize("suffix", ["", "-2", "-" + "x" * 27])
def test_a_bucket_has_a_name_that_s3_takes_with_every_suffix(suffix: str) -> None:
    allowed = re.compile(template()["Parameters"]["BucketSuffix"]["AllowedPattern"])
    assert allowed.fullmatch(suffix)
    assert not allowed.fullmatch(f"{suffix}-")
    assert not allowed.fullmatch("-" + "x" * 28)
    given = [each["BucketName"]["Fn::Sub"] for each in properties("AWS::S3::Bucket").values()]
    given.append(named("Vectors")["VectorBucketName"]["Fn::Sub"])
    for each in given:
        name = each.replace("${AWS::AccountId}", "123456789012").replace("${BucketSuffix}", suffix)
        assert re.fullmatch(r"[a-z0-9][a-z0-9-]+[a-z0-9]", name)
        assert len(name) <= LONGEST_BUCKET_NAME


def test_the_trust_policy_of_a_role_is_short_enough() -> None:
    for role in properties("AWS::IAM::Role").values():
        assert len(json.dumps(role["AssumeRolePolicyDocument"])) <= LONGEST_TRUST_CHARACTERS


@pytest.mark.spec("FD-19", "FD-27")
@pytest.mark.parametrize(
    ("parameter", "good", "bad"),
    [
        ("MailDomain", ["rsvp.example.org"], ["", "@example.org", "example", "a b.org"]),
        ("AlarmEmail", ["", "you@example.org"], ["you", "you @example.org"]),
        ("FromEmail", ["events@example.org"], ["", "Events <events@example.org>"]),
        ("Zone", ["UTC", "Asia/Singapore", "Etc/GMT+8"], ["", "Asia Singapore"]),
    ],
)
def test_a_slip_in_a_parameter_is_refused_before_deployment(
    parameter: str, good: list[str], bad: list[str]
) -> None:
    allowed = re.compile(template()["Parameters"][parameter]["AllowedPattern"])
    assert [bool(allowed.fullmatch(each)) for each in good] == [True] * len(good)
    assert [bool(allowed.fullmatch(each)) for each in bad] == [False] * len(bad)


@pytest.mark.parametrize(
    "name",
    ["MonthlyBudget", "WaitlistMonthlyBudget", "BookingMonthlyBudget", "RemindersMonthlyBudget"],
)
def test_a_budget_is_at_least_a_dollar(name: str) -> None:
    assert template()["Parameters"][name]["MinValue"] == 1
