"""The guide to a deployment says what AWS does not say before it is too late."""

import pytest

from tests.deploy.templates import ROOT, functions, properties

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


def test_the_guide_counts_what_there_will_be() -> None:
    tables, buckets = (properties(f"AWS::{kind}") for kind in ("DynamoDB::Table", "S3::Bucket"))
    assert len(buckets) == 7
    assert f"{len(functions())} functions, {len(tables)} tables, seven buckets" in GUIDE
