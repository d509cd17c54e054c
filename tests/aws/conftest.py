"""The application, deployed once for all tests that drive it end to end."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.aws.clinic import Clinic
from tests.aws.outside import Outside
from tests.aws.outside import outside as everything_outside
from tests.aws.salon import Salon
from tests.aws.stack import AwsDesk, SetUp, Stack, built, deployed, desk_on

HERE = Path(__file__).parent
#: The recorded requests of these journeys show which grants are needed.
JOURNEYS = {
    HERE / f"test_{name}.py"
    for name in (
        *("booking", "booking_calendars", "booking_requests", "booking_staff"),
        *("counted", "journeys", "nothing_twice", "outside", "reminders", "waitlist"),
    )
}
COUNTED = HERE / "test_counted.py"
GRANTS = HERE / "test_grants.py"


@pytest.fixture(scope="session")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("code") / "build")


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory, code: Path) -> Iterator[Stack]:
    """Tests that ask for it are of the group "aws": one process owns it."""
    with deployed(tmp_path_factory.mktemp("aws"), code) as stack:
        yield stack


@pytest.fixture(scope="session")
def outside(tmp_path_factory: pytest.TempPathFactory, code: Path) -> Iterator[Outside]:
    """The same with all that can be set up; another deployment."""
    with everything_outside(tmp_path_factory.mktemp("outside"), code) as outside:
        yield outside


@pytest.fixture(scope="session")
def reminding(tmp_path_factory: pytest.TempPathFactory, code: Path) -> Iterator[Stack]:
    """The same with the reminders desk switched on; a third deployment."""
    set_up = SetUp(parameters={"Reminders": "yes"})
    with deployed(tmp_path_factory.mktemp("reminding"), code, set_up) as stack:
        yield stack


@pytest.fixture
def clinic(reminding: Stack, tmp_path: Path) -> Iterator[Clinic]:
    """A stylist whose customers are reminded. Afterwards nobody was denied anything."""
    reminding.forget_visitors()
    back = desk_on(reminding, tmp_path, desks_off="").product
    clinic = Clinic(reminding, back, os.urandom(4).hex())
    yield clinic
    reminding.settle()
    assert reminding.denied() == []


@pytest.fixture
def desk(stack: Stack, tmp_path: Path) -> Iterator[AwsDesk]:
    """Uses its own event. Checks the invariants afterwards, and that no permission was missing."""
    desk = desk_on(stack, tmp_path)
    yield desk
    desk.settle()
    assert (stack.denied(), desk.problems()) == ([], [])


@pytest.fixture
def salon(stack: Stack, tmp_path: Path) -> Iterator[Salon]:
    """A stylist of its own. Afterwards nobody was denied anything."""
    stack.forget_visitors()
    salon = Salon(stack, desk_on(stack, tmp_path).product, os.urandom(4).hex())
    yield salon
    stack.settle()
    assert stack.denied() == []


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Requests are counted first, since pages ask for more when the tables have more rows. Grants
    are looked at last, and only when all journeys were gone through."""
    counted = [item for item in items if item.path == COUNTED]
    grants = [item for item in items if item.path == GRANTS]
    others = [item for item in items if item.path not in (COUNTED, GRANTS)]
    if grants and not {item.path for item in (*counted, *others)} >= JOURNEYS:
        config.hook.pytest_deselected(items=grants)
        grants = []
    items[:] = [*counted, *others, *grants]
