"""Every command answers wrong input with a sentence: no traceback, no text of the interpreter."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from frontdesk.cli import COMMANDS, main
from tests.cli.conftest import Shell
from tests.support.raw_texts import RAW

SCENARIOS = {
    "open-bracket.yaml": "event: [",
    "no-such-day.yaml": "event: {starts: 2026-99-99}",
    "zero-byte.yaml": "event: \0",
    "empty-value.yaml": "event: {starts: , seats: 2}\ntimeline: [0d 10:00 nothing]",
    "parts-for-a-value.yaml": "event: {starts: {day: 1}, seats: 2}\ntimeline: [0d 10:00 nothing]",
}
#: The folder of a test has these scenarios, a file, a folder, and bytes that are neither text nor a
#: database.
WRONG = (
    "events --data-dir afile",
    "events --data-dir nowhere",
    "events --data-dir odd-data",
    "events --aws --profile nobody-has-this",
    "events --region eu-west-1",
    "demo",
    "demo --data-dir afile",
    "import nope missing.csv",
    "import supper folder",
    "import supper bytes",
    "import supper afile --data-dir nowhere",
    "export nope",
    "export supper --output folder",
    "export supper --output nowhere/list.csv",
    "export supper --format pdf",
    "story nope",
    "story supper --guest nobody@example.org",
    "story supper --guest nobody",
    "story supper --seat x",
    "story supper --seat -1",
    "story supper --seat 99999999999999999999",
    "why nope",
    "why nope nobody@example.org",
    "slots --on soon",
    "slots --on 31.02.",
    "slots --on 9999-12-31",
    "slots --on 0001-01-01",
    "slots nope",
    "bookings --on soon",
    "bookings --on 9999-12-31",
    "bookings nope",
    "book nothing at all",
    "rules check /nowhere",
    "rules",
    "rules nope",
    "free Massage 2030-11-20",
    "free Massage tomorrow",
    "free Massage 2030-13-45T99:00",
    "free Massage 9999-12-31T23:59",
    "free Massage 2030-11-20T15:00",
    "free Massage 2030-11-20T15:00 --minutes 0",
    "free Massage 2030-11-20T15:00 --minutes x",
    "free Massage 2030-11-20T15:00 --minutes 60 --places 0",
    "free Massage 2020-11-20T15:00 --minutes 60",
    "person nobody@example.org",
    "person nobody",
    "erase nobody@example.org",
    "erase nobody",
    "doctor --data-dir afile",
    "doctor --data-dir odd-data",
    "rebuild --data-dir nowhere",
    "replay x",
    "replay 99999999999999999999",
    "backup folder",
    "backup nowhere/backup.db",
    "backup var/frontdesk.db",
    "backup backup.db --data-dir nowhere",
    "restore",
    "restore missing.db",
    "restore folder",
    "restore bytes",
    "restore bytes --at yesterday",
    "simulate nope",
    "simulate folder",
    "simulate bytes",
    "simulate open-bracket.yaml",
    "simulate no-such-day.yaml",
    "simulate zero-byte.yaml",
    "simulate empty-value.yaml",
    "simulate parts-for-a-value.yaml",
    "simulate rush --seed x",
    "cost --guests many",
    "cost --country Narnia",
    "settings --data-dir afile",
    "keys",
    "keys burn",
    "keys rotate --data-dir nowhere",
    "serve --port x",
    "serve --port 99999",
    "serve --base-url nope",
    "serve --from-email nobody",
    "serve --data-dir afile",
    "serve --data-dir odd-data",
)


@pytest.mark.parametrize("line", WRONG)
@pytest.mark.spec("FD-25")
def test_wrong_input_is_answered_with_a_sentence(
    shell: Shell, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "afile").write_text("Ann\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "bytes").write_bytes(bytes(range(256)) * 20)
    (tmp_path / "odd-data").mkdir()
    (tmp_path / "odd-data" / "frontdesk.db").write_bytes(bytes(range(256)) * 20)
    for name, text in SCENARIOS.items():
        (tmp_path / name).write_text(text)
    words = line.split()
    if words[0] not in ("simulate", "cost"):
        words.insert(1, f"--data-dir={shell.data_dir}")

    status, says = _run(shell, words)

    assert status in (1, 2), says
    assert RAW.search(says) is None, says
    if status == 1:
        assert re.fullmatch(r"frontdesk: .*[.…]", says), says
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.spec("FD-25")
def test_a_device_is_not_replaced_by_a_backup(shell: Shell, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    assert shell.fails("backup", pipe) == (
        f"{pipe} is a device, not a file. Choose a file for the backup."
    )
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    "written", [b"port = ", b"\xff\xfe", b"port = 'x'", b"nope = 1", b"base_url = 'http://'"]
)
@pytest.mark.spec("FD-25")
def test_a_wrong_settings_file_is_answered_with_a_sentence(shell: Shell, written: bytes) -> None:
    (shell.data_dir / "frontdesk.toml").write_bytes(written)

    says = shell.fails("settings")

    assert "frontdesk.toml" in says
    assert RAW.search(says) is None


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ("port = 8000\nfrom_name = Salon\n", "line 2, column 13"),
        ("port =", "its end"),
        ("[", "its end"),
    ],
)
@pytest.mark.spec("FD-25")
def test_a_settings_file_that_is_not_toml_is_answered_with_the_place_and_an_example(
    shell: Shell, written: str, place: str
) -> None:
    (shell.data_dir / "frontdesk.toml").write_text(written)

    assert shell.fails("settings") == (
        f"frontdesk.toml cannot be read: {place} is not TOML."
        ' A line is like port = 8000 or name = "text in quotes".'
    )


def _run(shell: Shell, words: list[str]) -> tuple[int, str]:
    """Returns the exit status, and standard error without the usage."""
    try:
        status = main(words)
    except SystemExit as ended:
        status = int(ended.code or 0)
    said = shell.capture.readouterr().err.rstrip("\n")
    return status, said if status == 1 else said.splitlines()[-1]


def test_wrong_input_is_tried_with_every_command() -> None:
    assert {line.split()[0] for line in WRONG} == {command.name for command in COMMANDS}
