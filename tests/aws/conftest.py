"""Deploys the application four times, for all tests that use it end to end."""

import json
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from tempfile import mkdtemp

import pytest

from tests.aws.clinic import Clinic
from tests.aws.grants import write_granted
from tests.aws.outside import Outside
from tests.aws.outside import outside as everything_outside
from tests.aws.played import HERE, JOURNEYS, Played
from tests.aws.practice import Practice
from tests.aws.practice import practice as whole_practice
from tests.aws.salon import Salon
from tests.aws.stack import AwsDesk, SetUp, Stack, deployed, desk_on
from tests.support.calendars import Radicale, radicale_server

COUNTED = HERE / "test_counted.py"
GRANTS = HERE / "test_grants.py"
#: The deployments by their fixtures, each with its group of tests, which runs in one process. The
#: groups with many tests take longest, so they begin first. They mostly wait, so the smaller
#: deployments share a process, and other tests have the rest of the machine.
DEPLOYMENTS = {
    "stack": "aws-stack",
    "outside": "aws-others",
    "reminding": "aws-others",
    "practice": "aws-others",
}
PLAYED = pytest.StashKey[Played]()
PASSED = pytest.StashKey[bool]()


@pytest.fixture(scope="session", autouse=True)
def played(request: pytest.FixtureRequest, run_folder: Path) -> Played:
    """Returns the finished journeys; `pytest_runtest_makereport` records them."""
    return request.config.stash.setdefault(PLAYED, Played(run_folder))


@pytest.fixture(scope="session")
def stack(run_folder: Path, code: Path) -> Iterator[Stack]:
    folder = new_folder(run_folder, "stack")
    with deployed(folder, code) as stack:
        write_granted(stack, folder / "granted")
        yield stack


@pytest.fixture(scope="session")
def outside(run_folder: Path, code: Path) -> Iterator[Outside]:
    """Deploys the application with everything that can be set up."""
    with everything_outside(new_folder(run_folder, "outside"), code) as outside:
        yield outside


@pytest.fixture(scope="session")
def diary(run_folder: Path) -> Iterator[Radicale]:
    """Starts the server of the calendar with appointments, connected as 'diary'."""
    with radicale_server(new_folder(run_folder, "diary")) as server:
        yield server


@pytest.fixture(scope="session")
def reminding(run_folder: Path, code: Path, diary: Radicale) -> Iterator[Stack]:
    """Deploys the application with the reminders desk on, and with a calendar."""
    connected = (
        f'[diary]\nkind = "caldav"\nurl = "{diary.url}"\nuser = "mia"\npassword = "secret"\n'
        'appointments = "trusted"\n'
    )
    set_up = SetUp(
        parameters={"Reminders": "yes", "BookingCalendars": "yes"},
        hidden={"/bk/calendars": json.dumps({"calendars": connected})},
    )
    with deployed(new_folder(run_folder, "reminding"), code, set_up) as stack:
        yield stack


@pytest.fixture(scope="session")
def practice(run_folder: Path, code: Path) -> Iterator[Practice]:
    """Deploys the application with reminders, a sheet, documents and Slack."""
    with whole_practice(new_folder(run_folder, "practice"), code) as practice:
        yield practice


def new_folder(run_folder: Path, deployment: str) -> Path:
    """Creates a folder beside those of other processes, since grants are compared with all
    records."""
    return Path(mkdtemp(prefix=f"aws-{deployment}-", dir=run_folder))


@pytest.fixture
def clinic(reminding: Stack, tmp_path: Path) -> Iterator[Clinic]:
    """Has its own stylist, whose customers get reminders. Checks at the end that no call was
    denied."""
    reminding.forget_visitors()
    back = desk_on(reminding, tmp_path, desks_off="").product
    clinic = Clinic(reminding, back, os.urandom(4).hex())
    yield clinic
    reminding.settle()
    assert reminding.denied() == []


@pytest.fixture
def desk(stack: Stack, tmp_path: Path) -> Iterator[AwsDesk]:
    """Uses its own event. Checks at the end the invariants, and that no call was denied."""
    desk = desk_on(stack, tmp_path)
    yield desk
    desk.settle()
    assert (stack.denied(), desk.problems()) == ([], [])


@pytest.fixture
def salon(stack: Stack, tmp_path: Path) -> Iterator[Salon]:
    """Has its own stylist. Checks at the end that no call was denied."""
    stack.forget_visitors()
    salon = Salon(stack, desk_on(stack, tmp_path).product, os.urandom(4).hex())
    yield salon
    stack.settle()
    assert stack.denied() == []


def pytest_itemcollected(item: pytest.Item) -> None:
    """Adds the group of a test. A test of two groups would be in a third one, whose process would
    deploy everything again."""
    for name, group in DEPLOYMENTS.items():
        if name in getattr(item, "fixturenames", ()):
            assert item.get_closest_marker("xdist_group") is None, item.nodeid
            item.add_marker(pytest.mark.xdist_group(group))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Generator[None]:
    """Counts requests first, since pages make more requests when tables have more rows. Checks
    grants last, and only after all journeys: so other plugins choose tests before this one sorts
    them."""
    yield
    counted = [item for item in items if item.path == COUNTED]
    grants = [item for item in items if item.path == GRANTS]
    others = [item for item in items if item.path not in (COUNTED, GRANTS)]
    if grants and not {item.path for item in (*counted, *others)} >= JOURNEYS:
        config.hook.pytest_deselected(items=grants)
        grants = []
    items[:] = [*counted, *others, *grants]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[PASSED] = item.stash.get(PASSED, True) and not report.failed
    if report.when == "teardown" and item.path in JOURNEYS:
        item.config.stash[PLAYED].add(item.nodeid, passed=item.stash[PASSED])
    return report
