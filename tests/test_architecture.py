"""Rules of the architecture that import contracts cannot check: no clock in rules, and one list of
desks."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from frontdesk.settings import Settings
from frontdesk.wiring.desks import DESKS, desk_modules

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
CLOCK_CALLS = {"now", "utcnow", "today", "time", "monotonic", "perf_counter"}
CLOCKS = {"datetime", "date", "time"}


def rule_modules() -> list[Path]:
    """The modules that the import contract calls rules, each a file or a folder of them."""
    contracts = PROJECT["tool"]["importlinter"]["contracts"]
    [rules] = [contract for contract in contracts if contract["id"] == "rules"]
    places = [name.replace(".", "/") for name in rules["source_modules"]]
    files = [path for place in places for path in SOURCE.glob(f"{place}.py")]
    return sorted([*files, *(path for place in places for path in SOURCE.glob(f"{place}/**/*.py"))])


def clock_calls(tree: ast.AST) -> Iterator[str]:
    """`datetime.now(…)`, `date.today()`, `time.time()`; also with the module's name before them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in CLOCK_CALLS:
            owner = ast.unparse(node.value).rpartition(".")[2]
            if owner in CLOCKS:
                yield f"line {node.lineno}: {ast.unparse(node)}"


@pytest.mark.parametrize("path", rule_modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_the_rules_never_look_at_a_clock(path: Path) -> None:
    assert list(clock_calls(ast.parse(path.read_text()))) == []


def test_reading_the_clock_is_found_however_it_is_written() -> None:
    code = "a = datetime.now(UTC)\nb = dt.date.today()\nc = map(time.time, d)\ne = at.time()\nnow()"

    assert list(clock_calls(ast.parse(code))) == [
        "line 1: datetime.now",
        "line 2: dt.date.today",
        "line 3: time.time",
    ]


# --- desks ------------------------------------------------------------------------------------

#: Packages in which a desk has a folder or module of its name.
OF_A_DESK = (
    "frontdesk.desks",
    "frontdesk.store.sqlite",
    "frontdesk.store.dynamodb",
    "frontdesk.wiring",
    "frontdesk.cli",
    "frontdesk.embedded.orders",
    "frontdesk.embedded.demo",
    "frontdesk.simulate",
)
#: The list in which a desk is named.
THE_LIST = "frontdesk.wiring.desks"
#: The admin desk belongs to the console and the business, which all others have.
PUBLIC_DESKS = ("rsvp", "waitlist", "booking")


def imports(path: Path) -> set[str]:
    """Every module that a file imports, at once or later."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Import():
                found.update(each.name for each in node.names)
            case ast.ImportFrom(module=str(origin), level=0):
                found.add(origin)
                found.update(f"{origin}.{each.name}" for each in node.names)
            case _:
                pass
    return found


def is_of(desk: str, module: str) -> bool:
    return any(f"{module}.".startswith(f"{place}.{desk}.") for place in OF_A_DESK)


def modules_that_name(desk: str) -> set[str]:
    """Outside of its own folders and of the list of desks."""
    found = set()
    for path in SOURCE.glob("frontdesk/**/*.py"):
        module = ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
        if module == THE_LIST or is_of(desk, module):
            continue
        if any(is_of(desk, each) for each in imports(path)):
            found.add(module)
    return found


#: Modules with functions on AWS that are a desk's own: the template names them.
OWN_FUNCTIONS = {
    "booking": ("booking_calendar", "booking_pages", "config_sync"),
    "rsvp": ("rsvp_pages",),
    "waitlist": ("calendar_sync", "drive_sync", "slack_press", "slot_webhook", "waitlist_pages"),
}
#: Others that name a desk still, each with the reason. This list only gets shorter.
EXCEPTIONS = {
    "booking": {
        "frontdesk.simulate.reminders.checks": "looks at the year of a clinic with all desks",
        "frontdesk.simulate.reminders.clinic": "plays a clinic with all desks",
        "frontdesk.simulate.reminders.scenario": "has the rules of the clinic's bookings",
        "frontdesk.simulate.reminders.scenario_file": "reads the rules of the clinic's bookings",
        "frontdesk.simulate.reminders.year": "plays the year of a clinic with all desks",
        "frontdesk.wiring.appointments": "binds it to the reminders desk",
        "frontdesk.aws.jobs": "gives jobs for calendars to the function that has the passwords",
        "frontdesk.wiring.handovers": "binds it to the waitlist desk",
        "frontdesk.wiring.contacts": "lets sign-ups and bookings follow contacts of the waitlist",
        "frontdesk.wiring.claimed_slots": "leaves it the slots that it keeps",
    },
    "rsvp": {
        "frontdesk.embedded.demo": "plays on the stage that the simulation of events has",
        "frontdesk.wiring.contacts": "lets sign-ups and bookings follow contacts of the waitlist",
    },
    "waitlist": {
        "frontdesk.simulate.reminders.checks": "looks at the year of a clinic with all desks",
        "frontdesk.simulate.reminders.clinic": "plays a clinic with all desks",
        "frontdesk.simulate.reminders.year": "plays the year of a clinic with all desks",
        "frontdesk.simulate.booking.player": "lets the waitlist take the times of bookings",
        "frontdesk.wiring.appointments": "lets it offer the times of cancelled appointments",
        "frontdesk.wiring.booking.rules": "lets the booking desk follow its catalogue pages",
        "frontdesk.wiring.handovers": "binds the booking desk to it",
        "frontdesk.wiring.contacts": "lets sign-ups and bookings follow contacts of the waitlist",
        "frontdesk.wiring.claimed_slots": "makes its claimed slots appointments",
    },
}


@pytest.mark.parametrize("desk", PUBLIC_DESKS)
def test_a_desk_is_named_by_its_own_folders_and_the_list_of_desks_alone(desk: str) -> None:
    functions = {f"frontdesk.aws.{name}" for name in OWN_FUNCTIONS[desk]}

    assert modules_that_name(desk) == functions | set(EXCEPTIONS[desk])


def test_an_import_is_found_anywhere_in_a_module(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text(
        "from frontdesk.desks import rsvp\n"
        "def later():\n    import frontdesk.store.sqlite.waitlist.reads\n"
        "if TYPE_CHECKING:\n    from frontdesk.cli.rsvp.lists import events\n"
    )
    found = imports(file)

    assert {desk for desk in PUBLIC_DESKS if any(is_of(desk, each) for each in found)} == {
        "rsvp",
        "waitlist",
    }
    assert is_of("rsvp", "frontdesk.cli.rsvp.lists")
    assert not is_of("rsvp", "frontdesk.desks.rsvps")


def test_every_part_that_the_list_of_desks_names_is_there() -> None:
    settings = Settings()
    for desk in DESKS:
        assert desk.sqlite().code == desk.dynamodb().code
        assert desk.checks().followed
        has_pages = desk.name not in ("admin", "reminders")
        assert list(desk.public_routes(settings)) or not has_pages
        assert desk.links() or not has_pages
        assert list(desk.console_routes(with_calendar=True)) or not has_pages
        desk.console_section(settings, with_calendar=True)
    for package, part in (
        ("frontdesk.cli", "COMMANDS"),
        ("frontdesk.embedded.orders", "ORDERS"),
        ("frontdesk.embedded.demo", "scenes"),
        ("frontdesk.simulate", "play"),
    ):
        found = desk_modules(package)
        assert {each.__name__.rpartition(".")[2] for each in found} >= set(PUBLIC_DESKS)
        assert all(hasattr(each, part) for each in found), package
