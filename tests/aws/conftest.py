"""The application, deployed once for all tests that drive it end to end."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.aws.outside import Outside
from tests.aws.outside import outside as everything_outside
from tests.aws.stack import AwsDesk, Stack, built, deployed, desk_on

HERE = Path(__file__).parent
#: What these have asked of AWS by the end tells which grants are needed.
JOURNEYS = {
    HERE / f"test_{name}.py"
    for name in ("counted", "journeys", "nothing_twice", "outside", "waitlist")
}
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


@pytest.fixture
def desk(stack: Stack, tmp_path: Path) -> Iterator[AwsDesk]:
    """An event of its own. Afterwards all that must hold holds, and nobody was denied anything."""
    desk = desk_on(stack, tmp_path)
    yield desk
    desk.settle()
    assert (stack.denied(), desk.problems()) == ([], [])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Grants are looked at last, and only when all journeys were gone through."""
    grants = [item for item in items if item.path == GRANTS]
    others = [item for item in items if item.path != GRANTS]
    if grants and not {item.path for item in others} >= JOURNEYS:
        config.hook.pytest_deselected(items=grants)
        grants = []
    items[:] = [*others, *grants]
