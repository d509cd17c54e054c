"""The workflow deploys without stored keys and passes all parameters of the template."""

import json
import re
from fnmatch import fnmatchcase

import pytest

from tests.deploy.templates import (
    GITHUB_ROLE,
    ROOT,
    Node,
    listed,
    properties,
    statements,
    template,
)

WORKFLOW = ROOT / ".github" / "workflows" / "deploy.yml"
OLD_SUBJECT = "repo:${Repository}:environment:${Environment}"
NEW_SUBJECT = "repo:${Owner}@${OwnerId}/${Name}@${RepositoryId}:environment:${Environment}"
HALVES = {
    name: {"Fn::Select": [half, {"Fn::Split": ["/", {"Ref": "Repository"}]}]}
    for half, name in enumerate(("Owner", "Name"))
}
#: The limit for a managed policy.
MOST_POLICY_CHARACTERS = 6_144


@pytest.mark.spec("FD-18")
def test_the_workflow_borrows_a_role_for_one_repository_and_environment() -> None:
    trust = properties("AWS::IAM::Role", GITHUB_ROLE)["DeployRole"]["AssumeRolePolicyDocument"]
    [statement] = trust["Statement"]
    assert statement["Action"] == "sts:AssumeRoleWithWebIdentity"
    subject = "token.actions.githubusercontent.com:sub"
    assert statement["Condition"] == {
        "StringEquals": {"token.actions.githubusercontent.com:aud": "sts.amazonaws.com"},
        "StringLike": {subject: [{"Fn::Sub": OLD_SUBJECT}, {"Fn::Sub": [NEW_SUBJECT, HALVES]}]},
    }


def subjects(**given: str) -> list[str]:
    """Returns the patterns that AWS compares, for these parameters."""
    parameters = template(GITHUB_ROLE)["Parameters"]
    defaults = {name: each.get("Default", "") for name, each in parameters.items()}
    values = {**defaults, "Repository": "octo/desk", **given}
    values["Owner"], values["Name"] = values["Repository"].split("/")
    return [
        re.sub(r"\$\{(\w+)\}", lambda found: values[found[1]], each)
        for each in (OLD_SUBJECT, NEW_SUBJECT)
    ]


@pytest.mark.spec("FD-18")
@pytest.mark.parametrize(
    ("subject", "given", "is_trusted"),
    [
        ("repo:octo/desk:environment:production", {}, True),
        ("repo:octo@123456/desk@456789:environment:production", {}, True),
        ("repo:octo@1/desk@2:environment:production", {"OwnerId": "1", "RepositoryId": "2"}, True),
        ("repo:octo@9/desk@2:environment:production", {"OwnerId": "1", "RepositoryId": "2"}, False),
        ("repo:octo@1/desk@9:environment:production", {"OwnerId": "1", "RepositoryId": "2"}, False),
        ("repo:octo@1/desk@2:environment:staging", {}, False),
        ("repo:octo@1/desk@2:ref:refs/heads/main", {}, False),
        ("repo:octopus@1/desk@2:environment:production", {}, False),
        ("repo:octo@1/other@2:environment:production", {}, False),
        ("repo:octo/other:environment:production", {}, False),
    ],
)
def test_both_forms_of_githubs_subject_are_trusted_for_this_repository_alone(
    subject: str, given: dict[str, str], is_trusted: bool
) -> None:
    assert any(fnmatchcase(subject, each) for each in subjects(**given)) == is_trusted


@pytest.mark.spec("FD-18")
def test_the_role_that_makes_roles_makes_them_within_a_boundary_and_is_none_of_them() -> None:
    roles = properties("AWS::IAM::Role", GITHUB_ROLE)
    pattern = {"Fn::Sub": "arn:${AWS::Partition}:iam::${AWS::AccountId}:role/frontdesk-*"}
    bounded = {"StringEquals": {"iam:PermissionsBoundary": {"Ref": "Boundary"}}}
    made = {"iam:CreateRole", "iam:PutRolePolicy", "iam:PutRolePermissionsBoundary"}
    for each in statements(roles["StackRole"]):
        assert each["Resource"] == pattern
        if made & set(listed(each["Action"])):
            assert each["Condition"] == bounded
    for role in roles.values():
        name = "role" + role["Path"] + "frontdesk-github-role-StackRole-1"
        assert not fnmatchcase(name, "role/frontdesk-*")
    granted = {
        action for each in statements(roles["StackRole"]) for action in listed(each["Action"])
    }
    assert not granted & {"iam:DeleteRolePermissionsBoundary", "iam:AttachRolePolicy"}
    passed = may_pass(roles["StackRole"])
    assert passed == {"lambda.amazonaws.com", "scheduler.amazonaws.com"}


def may_pass(role: Node) -> set[str]:
    [statement] = [each for each in statements(role) if "iam:PassRole" in listed(each["Action"])]
    return set(statement["Condition"]["StringEquals"]["iam:PassedToService"])


@pytest.mark.spec("FD-18")
def test_the_boundary_allows_what_the_application_grants_and_nothing_else() -> None:
    granted = {
        action
        for role in properties("AWS::IAM::Role").values()
        for each in statements(role)
        for action in listed(each["Action"])
    }
    boundary = template(GITHUB_ROLE)["Resources"]["Boundary"]["Properties"]["PolicyDocument"]
    allowed = [action for each in boundary["Statement"] for action in listed(each["Action"])]
    assert sorted(allowed) == sorted(granted)
    assert len(json.dumps(boundary, separators=(",", ":"))) < MOST_POLICY_CHARACTERS


def test_actions_of_others_are_pinned_by_commit() -> None:
    used = re.findall(r"uses: (\S+)", WORKFLOW.read_text("utf-8"))
    assert used != []
    assert [each for each in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", each)] == []


@pytest.mark.spec("FD-18")
def test_the_workflow_has_no_keys() -> None:
    workflow = template(WORKFLOW)
    assert workflow["permissions"] == {"contents": "read", "id-token": "write"}
    assert workflow["jobs"]["deploy"]["environment"] == "production"
    assert re.findall(r"secrets\.|access-key", WORKFLOW.read_text("utf-8")) == []


#: Parameters that a deployment does not set: the code names two, and tests the third.
NOT_SET = {"Runtime", "Architecture", "Emulated"}


@pytest.mark.spec("FD-18")
def test_the_workflow_passes_every_parameter_by_its_name() -> None:
    """CloudFormation keeps the old value of a parameter that is left out."""
    passed = dict(re.findall(r'"(\w+)=\\"\$(\w+)\\""', WORKFLOW.read_text("utf-8")))

    assert passed.keys() == template()["Parameters"].keys() - NOT_SET


@pytest.mark.spec("FD-18")
def test_without_a_variable_a_parameter_has_the_default_of_the_template() -> None:
    """An empty text is no number and no allowed value."""
    workflow = WORKFLOW.read_text("utf-8")
    variables = dict(re.findall(r"(\w+): \$\{\{ vars\.\w+(?: \|\| '([^']*)')? \}\}", workflow))
    parameters = template()["Parameters"]
    passed = re.findall(r'"(\w+)=\\"\$(\w+)\\""', workflow)

    assert {name: variables[variable] for name, variable in passed} == {
        name: str(parameters[name].get("Default", "")) for name, _ in passed
    }
