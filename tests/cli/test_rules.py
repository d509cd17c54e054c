"""Booking rules from the command line."""

import json
from pathlib import Path

import pytest

from frontdesk.cli import main
from frontdesk.desks.booking.rules_file.parser import parse_rules
from frontdesk.desks.booking.rules_file.reference import EXAMPLE, reference_page
from frontdesk.desks.booking.rules_file.schema import SECTIONS

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    status = main(["rules", *map(str, arguments)])
    return status, *capsys.readouterr()


@pytest.mark.spec("BK-08")
def test_a_good_file_is_good(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rules.yml"
    file.write_text(EXAMPLE)
    said = f"{file} is good: 2 services, 4 members and rooms.\n"
    assert run(capsys, "check", file) == (0, said, "")
    assert run(capsys, "check", file, "--json") == (0, "[]\n", "")


@pytest.mark.spec("BK-08")
def test_mistakes_are_printed_like_those_of_a_compiler(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rules.yml"
    file.write_text("hours: {mon: 9.30-17}\nstaf: {}\n")
    first = '"9.30-17" is not a time range; write "9:30-17:00"'
    assert run(capsys, "check", file) == (
        1,
        f'{file}:1:14: {first}\n{file}:2:1: "staf" is not known here; did you mean "staff"?\n',
        "",
    )
    status, out, _ = run(capsys, "check", file, "--json")
    assert status == 1
    assert json.loads(out)[0] == {"line": 1, "column": 14, "why": first}


@pytest.mark.spec("BK-08")
def test_a_service_that_can_never_be_booked_is_a_warning_and_the_file_is_good(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rules.yml"
    file.write_text(
        "hours: {mon: 9:00-17:00}\nstaff: {mia: {name: Mia}}\nservices:\n  Day: {minutes: 600}\n"
    )
    why = (
        '"Day" can never be booked: it takes 10 hours, and Mia has at most 8 hours without a break;'
        " write fewer minutes, or longer hours"
    )
    assert run(capsys, "check", file) == (
        0,
        f"{file}:4: warning: {why}\n{file} is good: 1 service, 1 member or room.\n",
        "",
    )
    status, out, _ = run(capsys, "check", file, "--json")
    assert (status, json.loads(out)) == (0, [{"line": 4, "why": why, "warning": True}])


@pytest.mark.spec("BK-08")
def test_a_file_that_cannot_be_read_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    binary = tmp_path / "rules.xlsx"
    binary.write_bytes(b"PK\x03\x04\xff\xfe")
    assert run(capsys, "check", binary)[2].endswith("is not UTF-8 text: save it as UTF-8.\n")
    assert run(capsys, "check", tmp_path / "none.yml")[0] == 1
    assert run(capsys, "check", tmp_path)[0] == 1
    assert "Name the file" in run(capsys, "check")[2]
    huge = tmp_path / "huge.yml"
    huge.write_text("x" * 2_000_000)
    assert "too long" in run(capsys, "check", huge)[1]


def test_the_page_of_rules_is_the_one_that_the_command_prints(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """After a change: `frontdesk rules reference > docs/rules.md`."""
    assert run(capsys, "reference")[1] == PAGE.read_text() == reference_page()


@pytest.mark.spec("BK-08")
def test_the_example_and_the_example_of_each_key_can_be_read() -> None:
    assert parse_rules(EXAMPLE).problems == ()
    for key in SECTIONS[0].keys:
        found = parse_rules(f"{key.name}: {key.example}\n").problems
        assert [each for each in found if "needs somebody" not in each.why] == [] or key.name in (
            "pools",
            "services",
        )


def test_the_json_schema_has_every_key(capsys: pytest.CaptureFixture[str]) -> None:
    schema = json.loads(run(capsys, "schema")[1])
    assert set(schema["properties"]) == {key.name for key in SECTIONS[0].keys}
    assert set(schema["$defs"]) == {section.title for section in SECTIONS[1:]}
