"""Each command does its work, answers in words or JSON, and fails with one line."""

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZipFile

import pytest

from frontdesk.cli import COMMANDS, main
from tests.cli.conftest import Shell
from tests.support.data_file import run_sql


def sql(shell: Shell, *statements: str) -> None:
    for statement in statements:
        run_sql(shell.data_dir, statement)


def test_events_are_listed_with_their_figures(shell: Shell) -> None:
    [supper] = shell.data("events")

    assert {key: supper[key] for key in ("event", "seats", "taken", "free", "waiting")} == {
        "event": "supper",
        "seats": 2,
        "taken": 2,
        "free": 0,
        "waiting": 1,
    }
    heading, row = shell.says("events").splitlines()
    assert heading.split() == [
        *("event", "name", "starts", "seats", "taken", "held", "free", "waiting", "state")
    ]
    assert row.startswith("supper  Supper  ")
    assert supper["state"] == "open"


def test_an_event_that_is_over_is_not_called_open(shell: Shell) -> None:
    sql(shell, "UPDATE ev_event SET starts_at = 1000000000, ends_at = 1000003600")

    assert shell.data("events")[0]["state"] == "over"


# --- import and export ----------------------------------------------------------------------


@pytest.mark.spec("EV-10")
@pytest.mark.spec("FD-25")
def test_an_import_says_what_became_of_every_row_and_twice_changes_nothing(
    shell: Shell, tmp_path: Path
) -> None:
    people = tmp_path / "people.csv"
    people.write_text("name,email\nDan,dan@example.org\nNobody,nowhere\nAnn,ANN@example.org\n")

    status, out, _ = shell.run("import", "supper", people)
    assert status == 1
    assert out.splitlines() == [
        "Row 2: dan@example.org: In line.",
        "Row 3: “nowhere” is not an e-mail address.",
        "Row 4: ann@example.org: Was on the list already.",
        "3 rows: 1 joined the line, 1 was on the list already, 1 was left out.",
    ]
    _, again, _ = shell.run("import", "supper", people, "--json")
    assert [row["outcome"] for row in json.loads(again)["rows"]] == [
        "already on the list",
        "Row 3: “nowhere” is not an e-mail address.",
        "already on the list",
    ]
    assert shell.data("events")[0]["waiting"] == 2


@pytest.mark.spec("EV-10", "EV-11")
def test_a_party_that_is_larger_than_the_event_is_said_to_be_left_out(
    shell: Shell, tmp_path: Path
) -> None:
    people = tmp_path / "people.csv"
    people.write_text("name,email,party\nDan,dan@example.org,900\n")

    status, out, _ = shell.run("import", "supper", people)

    assert status == 1
    assert out.splitlines() == [
        "Row 2: dan@example.org: The party is larger than the event.",
        "1 row: 1 was left out.",
    ]


def test_an_invited_guest_is_pending_and_gets_the_mail(shell: Shell, tmp_path: Path) -> None:
    people = tmp_path / "people.txt"
    people.write_text("Dan <dan@example.org>\n")

    assert shell.says("import", "supper", people, "--invite").splitlines() == [
        "Row 1: dan@example.org: Invited.",
        "1 row: 1 was invited.",
    ]
    dan = shell.data("person", "dan@example.org")
    assert dan["places"][0]["state"] == "pending"
    assert [mail["kind"] for mail in dan["messages"]] in (["invitation"], [])  # quiet hours


@pytest.mark.spec("FD-20")
def test_the_list_is_exported_in_open_formats(shell: Shell, tmp_path: Path) -> None:
    printed = shell.says("export", "supper")
    rows = list(csv.DictReader(io.StringIO(printed.removeprefix("\ufeff"))))
    assert [(row["name"], row["state"], row["place in line"]) for row in rows] == [
        ("Ann", "confirmed", ""),
        ("Bob", "confirmed", ""),
        ("Cat", "waiting", "1"),
    ]
    as_json = json.loads(shell.says("export", "supper", "--format", "json"))
    assert [row["email"] for row in as_json] == [
        "ann@example.org",
        "bob@example.org",
        "cat@example.org",
    ]
    shell.says("export", "supper", "--format", "xlsx", "--output", tmp_path / "list.xlsx")
    assert "xl/workbook.xml" in ZipFile(tmp_path / "list.xlsx").namelist()


# --- stories --------------------------------------------------------------------------------


@pytest.mark.spec("EV-30")
def test_a_story_is_told_of_an_event_a_guest_or_a_seat(shell: Shell) -> None:
    texts = [line[18:] for line in shell.says("story", "supper").splitlines()]
    assert texts == [
        "The event was set up with 2 seats.",
        "Ann signed up and got a seat.",
        "Bob signed up and got a seat.",
        "Cat joined the line: first.",
    ]
    [cat] = shell.data("story", "supper", "--guest", "CAT@example.org")
    assert (cat["by"], cat["text"]) == ("Cat", "Cat joined the line: first.")
    assert shell.fails("story", "supper", "--seat", "7") == (
        "Nothing of that kind has happened at supper."
    )


def test_why_a_seat_is_not_on_offer_is_said(shell: Shell) -> None:
    assert shell.says("why", "supper") == (
        "Nothing waits: no free seat is kept from anybody in line.\n"
    )
    sql(
        shell,
        "UPDATE ev_guest SET party = 2 WHERE state = 'waiting'",
        "UPDATE ev_event SET taken = 1, free = 1",
    )

    assert shell.data("why", "supper") == [
        (
            "1 seat free, and the parties in line that still wait for an offer need more. They"
            " keep their places until enough seats are free."
        )
    ]


# --- doctor and rebuild ---------------------------------------------------------------------


def test_the_doctor_finds_no_problem_in_sound_data(shell: Shell) -> None:
    assert shell.says("doctor") == (
        "All is well: 1 event, 3 guests, 0 entries, 0 slots, 0 bookings, 0 appointments and 4 facts"
        " were looked at, and everything holds.\n"
    )
    assert shell.data("doctor")["problems"] == []


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        ("UPDATE ev_event SET taken = 1, free = 1", "taken says 1, the guests add up to 2"),
        ("UPDATE ev_guest SET state = 'cancelled' WHERE state = 'waiting'", "the audit says"),
        ("DELETE FROM fd_timer", "has lost the timers"),
        ("DELETE FROM fd_message", "and no message is kept."),
        ("INSERT INTO fd_stopped_number (digest, key_mark) VALUES ('a', 'of another key')",
         "1 number said STOP and would get texts again"),
        ("UPDATE fd_send SET key = 'same', person_id = (SELECT min(person_id) FROM fd_person)",
         "more than once"),
        ("INSERT INTO fd_dead_letter (at, what, ref, why) VALUES (1, 'timer', 'x', 'no such')",
         "Dead letter 1: a timer could not be processed: no such"),
    ],
)  # fmt: skip
def test_the_doctor_names_what_is_wrong_and_changes_nothing(
    shell: Shell, damage: str, says: str
) -> None:
    sql(shell, damage)
    before = (shell.data_dir / "frontdesk.db").read_bytes()

    status, out, _ = shell.run("doctor")

    assert status == 1
    assert says in out
    assert (shell.data_dir / "frontdesk.db").read_bytes() == before


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (None, "link-keys.json is missing: no link that was sent opens any more."),
        ("[]", "link-keys.json is not a file of link keys"),
        ("[{", "link-keys.json is not a file of link keys"),
        ("[{}]", "link-keys.json is not a file of link keys"),
        ("{}", "link-keys.json is not a file of link keys"),
    ],
)
def test_the_doctor_names_link_keys_that_are_missing_or_broken_and_makes_none(
    shell: Shell, damage: str | None, says: str
) -> None:
    path = shell.data_dir / "link-keys.json"
    path.unlink() if damage is None else path.write_text(damage)

    status, out, _ = shell.run("doctor")

    assert (status, says in out) == (1, True), out
    assert (path.read_text() if path.exists() else None) == damage


def test_the_doctor_sees_a_seat_left_empty_while_somebody_is_owed_it(shell: Shell) -> None:
    sql(
        shell,
        "UPDATE ev_guest SET state = 'cancelled', reminders = '[]' WHERE guest_id ="
        " (SELECT guest_id FROM ev_guest WHERE state = 'confirmed' LIMIT 1)",
        "UPDATE ev_event SET taken = 1, free = 1",
    )

    assert "1 free, and guest" in shell.run("doctor")[1]


@pytest.mark.spec("FD-12")
def test_the_doctor_sees_what_went_out_in_the_middle_of_the_night(shell: Shell) -> None:
    at_three = int(datetime(2030, 1, 15, 2, tzinfo=UTC).timestamp())
    sql(
        shell,
        f"UPDATE fd_send SET kind = 'reminder', sent_at = {at_three}"
        " WHERE send_id = (SELECT min(send_id) FROM fd_send)",
    )

    [problem] = json.loads(shell.run("doctor", "--json")[1])["problems"]

    assert problem.startswith("event supper: reminder ")
    assert problem.endswith(" went out in quiet hours, at 2030-01-15T02:00:00+00:00")


def test_a_damaged_file_is_reported(shell: Shell) -> None:
    path = shell.data_dir / "frontdesk.db"
    content = bytearray(path.read_bytes())
    for page in range(5, len(content) // 4096):
        content[page * 4096 : page * 4096 + 16] = b"\xff" * 16
    path.write_bytes(content)

    assert shell.run("doctor")[0] == 1


@pytest.mark.spec("EV-30")
def test_every_list_is_rebuilt_from_the_audit_and_compared(shell: Shell) -> None:
    assert shell.data("rebuild") == {
        "same": True,
        "events": [{"event": "supper", "guests": 3, "differences": []}],
        "waitlist": [],
        "booking": [],
        "reminders": [],
    }
    sql(shell, "UPDATE ev_guest SET party = 2 WHERE state = 'waiting'")

    status, out, _ = shell.run("rebuild")

    assert status == 1
    assert out.splitlines()[-1] == "1 event with 3 guests rebuilt from the audit: 1 difference."


@pytest.mark.spec("FD-06", "FD-27")
def test_a_fact_that_cannot_be_read_is_named_and_the_story_goes_on(shell: Shell) -> None:
    sql(
        shell,
        "INSERT INTO fd_fact (at, by, desk, kind, subject, about, body)"
        " SELECT at, by, desk, kind, subject, 'somebody', '{' FROM fd_fact WHERE seq = 2",
        "INSERT INTO fd_fact (at, by, desk, kind, subject, about, body)"
        " SELECT at, by, desk, 'ev.painted', subject, about, '{}' FROM fd_fact WHERE seq = 2",
    )
    unread = ["fact 5 (ev.confirmed) cannot be read", "fact 6 (ev.painted) cannot be read"]

    rebuilt = json.loads(shell.run("rebuild", "--json")[1])
    assert rebuilt["events"] == [{"event": "supper", "guests": 3, "differences": unread}]
    assert set(unread) <= set(json.loads(shell.run("doctor", "--json")[1])["problems"])
    assert [line["text"] for line in shell.data("story", "supper")][-2:] == [
        "Something happened that this version of Frontdesk cannot read."
    ] * 2


# --- backup, people, keys, dead letters -------------------------------------------------------


@pytest.mark.spec("FD-20")
def test_a_backup_brings_back_what_was_there(shell: Shell, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    shell.says("backup", copy)
    shell.says("erase", "ann@example.org")
    assert shell.fails("person", "ann@example.org") == "Nobody has this address."

    shell.says("restore", copy)

    assert shell.data("person", "ann@example.org")["person"]["name"] == "Ann"
    assert shell.fails("restore", tmp_path / "none") == f"There is no file {tmp_path / 'none'}."


def test_a_restore_says_which_keys_are_missing(shell: Shell, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    shell.says("backup", copy)
    assert "There is no" not in shell.says("restore", copy)

    (shell.data_dir / "link-keys.json").unlink()
    (shell.data_dir / "number-key").unlink()
    said = shell.says("restore", copy).splitlines()

    links, numbers = said[-2:]
    assert links.startswith(f"There is no link-keys.json in {shell.data_dir}. Links that were sent")
    assert numbers.startswith(
        f"There is no number-key in {shell.data_dir}. Numbers that wrote STOP"
    )


def test_a_file_that_is_no_backup_is_not_restored(shell: Shell, tmp_path: Path) -> None:
    bad = tmp_path / "bad.db"
    bad.write_bytes(b"no database at all" * 100)

    assert "bad.db" in shell.fails("restore", bad)
    assert shell.data("events")[0]["taken"] == 2


@pytest.mark.spec("FD-20")
def test_a_person_is_exported_whole_and_erased_whole(shell: Shell) -> None:
    ann = shell.data("person", "ann@example.org")
    assert ann["person"]["email"] == "ann@example.org"
    assert [place["event"] for place in ann["places"]] == ["supper"]
    assert [mail["kind"] for mail in ann["messages"]] == ["confirmed"]

    shell.says("erase", "ann@example.org")

    assert shell.data("doctor")["problems"] == []
    content = (shell.data_dir / "frontdesk.db").read_bytes()
    assert b"ann@example.org" not in content
    assert (
        shell.says("story", "supper")
        .splitlines()[1]
        .endswith("Somebody who was erased signed up and got a seat.")
    )
    assert shell.fails("erase", "ann@example.org") == "Nobody has this address."


@pytest.mark.spec("FD-08")
def test_a_new_key_signs_and_the_old_one_still_counts(shell: Shell) -> None:
    assert shell.data("keys", "rotate") == {"key": 2, "older": [1]}


@pytest.mark.spec("FD-07")
def test_dead_letters_are_tried_again_and_the_audit_says_so(shell: Shell) -> None:
    assert shell.says("replay") == "There are no dead letters.\n"
    sql(
        shell,
        "UPDATE fd_send SET state = 'failed', sent_at = NULL",
        "DELETE FROM fd_message",
        "INSERT INTO fd_dead_letter (at, what, ref, why)"
        " SELECT 1, 'send', send_id, 'no answer' FROM fd_send ORDER BY send_id LIMIT 1",
    )

    assert shell.data("replay") == {"1": "It is tried again now."}

    assert shell.says("replay") == "There are no dead letters.\n"
    sent = "SELECT count(*) FROM fd_send WHERE state = 'sent'"
    assert run_sql(shell.data_dir, sent) == [(1,)]


# --- settings ---------------------------------------------------------------------------------


@pytest.mark.spec("FD-19")
def test_settings_are_listed_with_their_values_and_no_secret(
    empty: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FRONTDESK_SMTP_PASSWORD", "hunter2")
    monkeypatch.setenv("FRONTDESK_PORT", "9000")

    listed = {one["name"]: one["value"] for one in empty.data("settings")}

    assert (listed["port"], listed["smtp_password"]) == (9000, "(hidden)")
    assert "hunter2" not in empty.says("settings")


@pytest.mark.spec("FD-19")
def test_a_setting_that_is_on_or_off_says_yes_or_no(
    empty: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FRONTDESK_BEHIND_PROXY", "yes")

    (listed,) = [one for one in empty.data("settings") if one["name"] == "behind_proxy"]

    assert "behind_proxy = yes" in empty.says("settings").splitlines()
    assert (listed["value"], listed["default"]) == (True, False)


@pytest.mark.spec("FD-19")
def test_wrong_settings_are_all_named_in_one_line(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FRONTDESK_PORT", "many")
    (shell.data_dir / "frontdesk.toml").write_text('chanel = "smtp"\n')

    assert shell.fails("events") == (
        "chanel in frontdesk.toml is not a setting; FRONTDESK_PORT should be a port, not 'many'"
    )


# --- expected errors --------------------------------------------------------------------------


def test_an_empty_data_directory_is_reported(empty: Shell) -> None:
    assert empty.fails("events") == f"There is no data in {empty.data_dir} yet."


def test_an_event_that_is_not_there_is_answered_with_those_that_are(shell: Shell) -> None:
    assert shell.fails("story", "super") == "There is no event super. There are: supper."
    assert shell.fails("export", "super") == "There is no event super. There are: supper."


def test_an_unreadable_list_is_reported(shell: Shell, tmp_path: Path) -> None:
    missing = tmp_path / "missing.csv"

    assert shell.fails("import", "supper", missing) == (
        f"{missing} cannot be read: there is no such file or folder."
    )
    (tmp_path / "nobody.csv").write_text("name,email\n")
    assert "contains no people" in shell.fails("import", "supper", tmp_path / "nobody.csv")


def test_an_invalid_address_is_reported(shell: Shell) -> None:
    assert shell.fails("person", "nobody at all")
    assert shell.fails("erase", "nobody at all")


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])

    assert ended.value.code == 0
    assert next(each.says for each in COMMANDS if each.name == command) in " ".join(
        capsys.readouterr().out.split()
    )


def test_an_unknown_command_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["dance"])

    assert ended.value.code == 2
    assert "invalid choice: 'dance'" in capsys.readouterr().err


# --- simulate and demo ------------------------------------------------------------------------


@pytest.mark.spec("FD-26")
def test_a_simulation_prints_what_happened_and_fails_when_something_is_broken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        "event: {name: Tea, seats: 1, starts: 2026-11-27 15:00}\n"
        "timeline: [-3d 09:00 Ann signs up]\n"
    )
    assert main(["simulate", str(file), "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["figures"]["taken"] == 1
    assert printed.err == ""

    file.write_text(file.read_text() + "expect: {taken: 0}\n")
    assert main(["simulate", str(file)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == (
        "BROKEN at the end: taken is 1, and should be 0"
    )

    file.write_text("event: 1\n")
    assert main(["simulate", str(file)]) == 1
    assert capsys.readouterr().err == "frontdesk: mine, line 1: event needs parts of its own.\n"


def test_the_shipped_simulations_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate"]) == 0
    assert [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()] == [
        *("bad-mail-day", "booked-week", "busy-month", "called-off", "cap-changes", "clinic"),
        *("quiet-hours", "rush", "saturday", "texts-fail", "twins", "workshop-late", "workshop"),
    ]
