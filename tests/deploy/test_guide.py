"""The guide says what AWS reports only when it is too late."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import botocore.session
import pytest
from botocore import xform_name

from tests.deploy.templates import (
    APPLICATION,
    GITHUB_ROLE,
    ROOT,
    SES_RULES,
    functions,
    properties,
    template,
)

GUIDE = (ROOT / "docs" / "deploying.md").read_text("utf-8")


def section(title: str) -> str:
    """Returns the text from its heading to the next, as one line."""
    _, _, rest = GUIDE.partition(f"# {title}\n")
    return " ".join(rest.partition("\n##")[0].split())


@pytest.mark.spec("FD-18")
@pytest.mark.parametrize(
    ("title", "says"),
    [
        ("The account", "IAM user and role access to Billing information"),
        ("Limits of a new account", "aws lambda get-account-settings"),
        ("Limits of a new account", "`L-B99A9384`"),
        ("Limits of a new account", "aws sns get-sms-attributes --attributes MonthlySpendLimit"),
        ("A language model", "Anthropic's use-case form"),
        ("A language model", "`aws-marketplace:Subscribe`"),
        ("If the first deployment fails", "aws cloudformation delete-stack"),
        ("If the first deployment fails", "`already exists`"),
        ("If the first deployment fails", "`budgets:ModifyBudget`"),
        ("The waitlist", "leave the SMS sandbox"),
        ("Upgrades", "A parameter that you leave out keeps its value"),
        ("Upgrades", "`Runtime= Architecture=`"),
    ],
)
def test_surprises_of_an_aws_account_are_in_the_guide(title: str, says: str) -> None:
    assert says in section(title)


def test_the_guide_gives_the_right_numbers_of_resources() -> None:
    tables, buckets = (properties(f"AWS::{kind}") for kind in ("DynamoDB::Table", "S3::Bucket"))
    assert len(buckets) == 7
    assert f"{len(functions())} functions, {len(tables)} tables, seven buckets" in GUIDE


#: Parameters that only tests set.
NOT_FOR_OWNERS = {"Emulated"}


@pytest.mark.spec("FD-18")
@pytest.mark.parametrize("path", [APPLICATION, SES_RULES, GITHUB_ROLE], ids=lambda path: path.stem)
def test_the_guide_names_every_parameter(path: Path) -> None:
    unnamed = {
        name for name in template(path)["Parameters"] if not re.search(rf"\b{name}\b", GUIDE)
    }

    assert unnamed - NOT_FOR_OWNERS == set()


def test_every_parameter_that_the_guide_sets_is_one_of_a_template() -> None:
    known = {name for path in (APPLICATION, SES_RULES, GITHUB_ROLE) for name in parameters(path)}
    of_sns = {"MonthlySpendLimit", "DeliveryStatusIAMRole", "DeliveryStatusSuccessSamplingRate"}

    assert set(re.findall(r"(?<![\w$?])([A-Z][a-z]\w+)=", GUIDE)) - of_sns <= known


def parameters(path: Path) -> set[str]:
    return {*template(path)["Parameters"]}


#: Commands of the AWS CLI that are no operations of services.
BESIDE = {("configure", "sso"): set(), ("logs", "tail"): {"--since"}}
EVERYWHERE = {"--query", "--output", "--region", "--profile", "--cli-binary-format"}


def typed() -> Iterator[list[str]]:
    """Yields the commands of the AWS CLI in the guide, in blocks and in sentences."""
    blocks = re.findall(r"```sh\n(.*?)```", GUIDE, re.DOTALL)
    lines = [line for each in blocks for line in each.replace("\\\n", " ").splitlines()]
    lines += re.findall(r"`(aws [a-z][^`]*)`", re.sub(r"```.*?```", "", GUIDE, flags=re.DOTALL))
    for line in lines:
        words = shlex.split(line.replace("'", '"') if line.count("'") == 1 else line, comments=True)
        if words[:1] == ["aws"]:
            yield words[1 : words.index("&&") if "&&" in words else len(words)]


def options_of(service: str, operation: str) -> set[str] | None:
    """Returns the options of an operation; None if AWS has no such operation."""
    if (service, operation) in BESIDE:
        return BESIDE[service, operation]
    session = botocore.session.get_session()
    if service not in session.get_available_services():
        return None
    model = session.get_service_model(service)
    found = {xform_name(each, "-"): each for each in model.operation_names}
    if operation not in found:
        return None
    shape = model.operation_model(found[operation]).input_shape
    return {f"--{xform_name(each, '-')}" for each in (shape.members if shape else ())}


def test_every_command_of_aws_in_the_guide_exists_with_these_options() -> None:
    commands = list(typed())
    assert len(commands) > 20
    for service, operation, *words in commands:
        if operation == "wait":
            continue
        known = options_of(service, operation)
        assert known is not None, (service, operation)
        given = {each.partition("=")[0] for each in words if each.startswith("--")}
        assert given <= known | EVERYWHERE, (service, operation, given - known)


def test_no_page_says_to_install_a_package_with_our_name_from_the_index() -> None:
    """Frontdesk is not on the index: anybody could publish a package with this name."""
    said = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md", *(ROOT / "src").rglob("*.py")]
    asking = re.compile(r"pip install [^\n`]*\bfrontdesk\b")

    assert [path.name for path in said if asking.search(path.read_text("utf-8"))] == []
