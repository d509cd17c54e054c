"""Rules of the architecture that import contracts cannot check: no clock in rules, and one list of
desks."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
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
    """Returns the modules that the import contract calls rules; each entry is a file or a
    folder."""
    contracts = PROJECT["tool"]["importlinter"]["contracts"]
    [rules] = [contract for contract in contracts if contract["id"] == "rules"]
    places = [name.replace(".", "/") for name in rules["source_modules"]]
    files = [path for place in places for path in SOURCE.glob(f"{place}.py")]
    return sorted([*files, *(path for place in places for path in SOURCE.glob(f"{place}/**/*.py"))])


def clock_calls(tree: ast.AST) -> Iterator[str]:
    """Finds `datetime.now(…)`, `date.today()` and `time.time()`, also with the module's name before
    them."""
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
    "frontdesk.aws",
    "frontdesk.cli",
    "frontdesk.embedded.orders",
    "frontdesk.embedded.demo",
    "frontdesk.simulate",
)
#: The list in which a desk is named.
THE_LIST = "frontdesk.wiring.desks"
#: Admin is no desk of its own here: it is the console and the business, which all desks have.
PUBLIC_DESKS = ("rsvp", "waitlist", "booking", "reminders")


@cache
def imports(path: Path) -> set[str]:
    """Returns every module that a file imports, at its start or later."""
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


def is_where_desks_meet(module: str) -> bool:
    return any(f"{module}.".startswith(f"{place}.") for place in WHERE_DESKS_MEET)


def modules_that_name(desk: str) -> set[str]:
    """Finds modules that name a desk, outside its own folders, the list of desks, and the folders
    for pairs of desks."""
    found = set()
    for path in SOURCE.glob("frontdesk/**/*.py"):
        module = ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
        if module == THE_LIST or is_of(desk, module) or is_where_desks_meet(module):
            continue
        if any(is_of(desk, each) for each in imports(path)):
            found.add(module)
    return found


#: Folders for code about two desks, which belongs to neither.
WHERE_DESKS_MEET = {
    "frontdesk.simulate.clinic": "plays a clinic with all desks",
    "frontdesk.wiring.between_desks": "lets desks follow the facts of each other",
}
#: Other modules that import a desk, each with the reason. This list may only get shorter.
EXCEPTIONS = {
    "booking": {},
    "reminders": {},
    "rsvp": {"frontdesk.embedded.demo": "plays on the stage that the simulation of events has"},
    "waitlist": {"frontdesk.simulate.booking.player": "lets it take the times of bookings"},
}


@pytest.mark.parametrize("desk", PUBLIC_DESKS)
def test_a_desk_is_imported_by_its_own_folders_and_where_desks_meet_alone(desk: str) -> None:
    assert modules_that_name(desk) == set(EXCEPTIONS[desk])


#: Folders that may name desks in code, each with the reason. Imports have the stricter list above.
MAY_NAME_DESKS = {
    "frontdesk/cost": "counts the requests of each desk",
    "frontdesk/desks": "is divided by desk; a contract keeps imports apart",
    "frontdesk/settings": "declares settings, whose names do not change",
    "frontdesk/simulate/clinic": "plays a clinic with all desks",
    "frontdesk/wiring": "binds desks to each other",
}
#: Other files with the name of a desk, each with the reason. This list may only get shorter.
NAMES_A_DESK = {
    "frontdesk/aws/container.py": "has the names of buckets in the template",
    "frontdesk/aws/routing.py": "maps the first part of a path to a function",
    "frontdesk/cli/cost.py": "prints what the requests of each desk cost",
    "frontdesk/core/consents.py": "has the stored names of the forms that ask for consent",
    "frontdesk/core/mail.py": "has the stored names of the folders of mail",
    "frontdesk/embedded/demo/booking.py": "lets the demo's waitlist take a cancelled time",
    "frontdesk/embedded/demo/__init__.py": "plays on the stage that the simulation of events has",
    "frontdesk/intake/sms.py": "keeps texts in the stored folder of that name",
    "frontdesk/setting_values.py": "checks the names in a setting",
    "frontdesk/store/dynamodb/mail.py": "keeps discarded mail in the bucket of requests",
    "frontdesk/store/dynamodb/schema.py": "has the tables of all desks, as the template has",
    "frontdesk/simulate/booking/player.py": "lets the waitlist take the times of bookings",
    "frontdesk/simulate/booking/scenario.py": "has customers who join the waitlist",
    "frontdesk/simulate/booking/scenario_file.py": "reads customers who join the waitlist",
    "frontdesk/simulate/rsvp/scenario_file.py": "reads the reminders of an event",
    # Words in the text of people, and a parameter of the calendar format.
    "frontdesk/connect/cancel_words.py": "finds 'cancel my booking' in a mail",
    "frontdesk/connect/tables/layout.py": "finds a column called 'RSVP'",
    "frontdesk/connect/tables/people.py": "finds the value 'waitlist' in a list of guests",
    "frontdesk/core/ics.py": "writes the parameter RSVP of a calendar file",
    "frontdesk/reading/booking_request.py": "reads a request for a booking",
    "frontdesk/reading/clauses.py": "finds 'I have a booking' in a mail",
    "frontdesk/reading/confirmation.py": "reads a confirmation of a booking",
    "frontdesk/reading/contacts.py": "skips addresses like booking@",
    "frontdesk/reading/person_names.py": "skips names like 'Booking team'",
    "frontdesk/reading/service_and_staff.py": "finds 'my last booking' in a mail",
    "frontdesk/reading/visit_answer.py": "finds 'cancel my booking' in an answer",
    "frontdesk/reading/wish_vocabulary.py": "has the words that say nothing of a wish",
    # A booking is what a claimed offer becomes; the length of a line is the spec's attribute.
    "frontdesk/store/dynamodb/rsvp/events.py": "has the spec's attribute waitlist_len",
    "frontdesk/store/dynamodb/rsvp/seats.py": "has the spec's attribute waitlist_len",
    "frontdesk/store/dynamodb/waitlist/slots.py": "ends the booking of a slot",
    "frontdesk/store/sqlite/waitlist/slots.py": "ends the booking of a slot",
}


def words_in(text: str) -> set[str]:
    """Returns the words of a name: 'WaitlistParts' and 'waitlist_url' have the word 'waitlist';
    'waitlisted' has not."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", text)}


def words_of_code(text: str) -> set[str]:
    """Returns the words of all names and strings of a module, without docstrings and comments."""
    tree = ast.parse(text)
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    prose = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        fields = [value for _, value in ast.iter_fields(node) if isinstance(value, str)]
        found.update(*(words_in(value) for value in fields if id(node) not in prose))
    return found


def files_that_name_a_desk() -> set[str]:
    """Finds modules, templates and scripts of pages that name a desk outside its folders."""
    found = set()
    for path in SOURCE.glob("frontdesk/**/*"):
        place = path.relative_to(SOURCE)
        if path.suffix not in (".py", ".html", ".js") or _may_name_desks(place):
            continue
        module = ".".join(place.with_suffix("").parts)
        others = {desk for desk in PUBLIC_DESKS if not is_of(desk, module)}
        text = path.read_text()
        if others & (words_of_code(text) if path.suffix == ".py" else words_in(text)):
            found.add(place.as_posix())
    return found


def _may_name_desks(place: Path) -> bool:
    return any(place.is_relative_to(folder) for folder in MAY_NAME_DESKS)


def test_no_name_and_no_text_outside_of_its_folders_has_the_name_of_a_desk() -> None:
    assert files_that_name_a_desk() == set(NAMES_A_DESK)


def test_the_name_of_a_desk_is_found_in_names_and_strings_but_not_in_docstrings() -> None:
    code = '"""About the booking desk."""\ndef waitlist_url(): return f"/rsvp/{1}"  # reminders'

    assert words_of_code(code) & set(PUBLIC_DESKS) == {"waitlist", "rsvp"}
    assert words_in("{{ WaitlistParts }} waitlisted") & set(PUBLIC_DESKS) == {"waitlist"}


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
        has_pages = desk.name in PUBLIC_DESKS
        assert list(desk.public_routes(settings)) or desk.name in ("admin", "reminders")
        assert desk.links() or not has_pages
        assert list(desk.console_routes(with_calendar=True)) or not has_pages
        desk.console_section(settings, with_calendar=True)
    with_commands = set(PUBLIC_DESKS) - {"reminders"}  # no command is about appointments only
    for package, part, desks in (
        ("frontdesk.cli", "COMMANDS", with_commands),
        ("frontdesk.embedded.orders", "ORDERS", with_commands),
        ("frontdesk.embedded.demo", "scenes", set(PUBLIC_DESKS)),
        ("frontdesk.simulate", "play", set(PUBLIC_DESKS)),
    ):
        found = desk_modules(package)
        assert {each.__name__.rpartition(".")[2] for each in found} == desks
        assert all(hasattr(each, part) for each in found), package
