"""A function that starts cold is ready soon: its imports take little time beside boto3's."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.cold import MODULES, add_runtime, clean, ratio
from tests.deploy.templates import functions

pytestmark = pytest.mark.xdist_group("package")

#: The functions with pages, which import most.
WITH_PAGES = ("rsvp.pages", "waitlist.pages", "booking.pages", "reminders.pages", "console")
#: The functions that answer requests with the same framework.
WITH_A_URL = ("waitlist.slot_webhook", "waitlist.slack_press")
MOST = 2.0


@pytest.fixture(scope="module")
def build(code: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cold")
    (folder / "frontdesk-lambda").symlink_to(code.with_name("frontdesk-lambda"))
    add_runtime(folder / "runtime")
    return folder


@pytest.mark.parametrize("module", WITH_PAGES)
def test_imports_cost_at_most_twice_those_of_boto3_with_a_client(build: Path, module: str) -> None:
    assert ratio(build, f"import frontdesk.aws.{module}", MOST) <= MOST


@pytest.mark.parametrize("module", sorted({*MODULES} - {*WITH_PAGES, *WITH_A_URL}))
def test_a_function_without_pages_imports_no_framework_of_pages(build: Path, module: str) -> None:
    code = f"import frontdesk.aws.{module}\nprint({{'jinja2', 'starlette'}} & set(sys.modules))"
    assert clean(build, code) == "set()\n"


def test_every_function_of_the_template_is_measured() -> None:
    modules = {each["Handler"].rpartition(".")[0] for each in functions().values()}
    assert {f"frontdesk.aws.{each}" for each in MODULES} == modules
