"""The workflow deploys without a key of its own, and says all that the template asks for."""

import re

import pytest

from tests.deploy.templates import GITHUB_ROLE, ROOT, properties, template

WORKFLOW = ROOT / ".github" / "workflows" / "deploy.yml"


@pytest.mark.spec("FD-18")
def test_the_workflow_borrows_a_role_for_one_repository_and_environment() -> None:
    trust = properties("AWS::IAM::Role", GITHUB_ROLE)["DeployRole"]["AssumeRolePolicyDocument"]
    [statement] = trust["Statement"]
    assert statement["Action"] == "sts:AssumeRoleWithWebIdentity"
    assert statement["Condition"] == {
        "StringEquals": {
            "token.actions.githubusercontent.com:aud": "sts.amazonaws.com",
            "token.actions.githubusercontent.com:sub": {
                "Fn::Sub": "repo:${Repository}:environment:${Environment}"
            },
        }
    }


@pytest.mark.spec("FD-18")
def test_the_workflow_has_no_keys() -> None:
    workflow = template(WORKFLOW)
    assert workflow["permissions"] == {"contents": "read", "id-token": "write"}
    assert workflow["jobs"]["deploy"]["environment"] == "production"
    assert re.findall(r"secrets\.|access-key", WORKFLOW.read_text("utf-8")) == []


def test_the_workflow_says_what_the_template_asks_for_and_nothing_that_it_does_not_know() -> None:
    said = set(re.findall(r'"(\w+)=\\"\$', WORKFLOW.read_text("utf-8")))
    parameters = template()["Parameters"]
    asked = {name for name, each in parameters.items() if "Default" not in each}
    assert asked <= said <= set(parameters)
    assert {"BaseUrl", "LinksUrl", "ConsoleUrl", "ClaimsUrl", "AlarmEmail", "Zone"} <= said
