"""Documents in files: after any failure the last text counts."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest

from frontdesk.core.decision import Refused
from frontdesk.desks.waitlist.delivery import delivery_rules
from frontdesk.desks.waitlist.desk import waitlist_desk
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import DocumentName
from frontdesk.desks.waitlist.slot_intake import SlotIntake, document_desk
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Reads, Store
from frontdesk.features.documents.files import DocumentFiles, LocalFiles
from frontdesk.features.documents.model import Document, DocumentUnavailable
from frontdesk.features.documents.sync import Documents
from frontdesk.store.sqlite.store import SqliteStore
from frontdesk.store.sqlite.waitlist import WAITLIST
from tests.support.power_cuts import Fuse, FusedStore, PowerCut
from tests.support.waitlist import NINE, OPENING, render

RULES = DocumentName.RULES
FIVE, NINE_MINUTES = "Claim window: 5 minutes.\n", "Claim window: 9 minutes.\n"
GLORP = "Claim window: a while.\n"
LAST_WEEK, NEXT_WEEK = time.time() - 7 * 86_400, time.time() + 7 * 86_400


@dataclass
class Desk(DocumentFiles):
    """Has files that may be unreadable; the power may fail before or after a write."""

    lie: dict[str, str] = field(default_factory=dict)
    is_stuck: bool = False
    fails: str = ""

    def read(self, name: str) -> str | None:
        if self.is_stuck:
            raise DocumentUnavailable
        return self.lie.get(name)

    def write(self, name: str, text: str) -> None:
        if self.is_stuck:
            raise OSError("stuck")
        if self.fails == "before":
            raise PowerCut
        self.lie[name] = text
        if self.fails == "after":
            raise PowerCut


def zone(_reads: Reads) -> str:
    return "Asia/Singapore"


class Process:
    """Runs the intake on a data file, until the power fails."""

    def __init__(self, folder: Path, papers: DocumentFiles, fuse: Fuse | None = None) -> None:
        self.store = SqliteStore(folder / "frontdesk.db", [WAITLIST])
        store = cast(Store, FusedStore(cast(Any, self.store), fuse or Fuse()))
        engine = Engine(
            store, [waitlist_desk(delivery_rules(render))], new_id=iter("abcdef").__next__
        )
        clock = VirtualClock(NINE)
        documents = Documents(document_desk(zone), engine, clock, papers)
        self.slot_intake = SlotIntake(engine, clock, documents, zone)

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()

    def document(self) -> Document:
        return waitlist(self.store.reads()).document(RULES)

    @property
    def minutes(self) -> float:
        return waitlist(self.store.reads()).rules().claim_window.total_seconds() / 60


def opened(folder: Path, papers: DocumentFiles) -> None:
    with Process(folder, papers) as process:
        process.slot_intake.documents.open()
        process.slot_intake.documents.write(RULES, FIVE, by="member:mia")
        assert (process.minutes, process.document().replaces) == (5, "")


#: The number of commits on disk before the failure, or before writing the document fails.
CUTS: dict[str, tuple[int | None, str]] = {
    "after the commit": (0, ""),
    "before the paper": (None, "before"),
    "after the paper": (None, "after"),
    "after the commit that says so": (1, ""),
}


@pytest.mark.spec("WL-23", "FD-02")
@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("restarts", [True, False], ids=["started anew", "the next slot"])
def test_a_save_in_the_console_survives_a_power_failure_at_any_moment(
    tmp_path: Path, cut: str, restarts: bool
) -> None:
    papers = Desk()
    opened(tmp_path, papers)
    commits, failing = CUTS[cut]
    papers.fails = failing

    with Process(tmp_path, papers, Fuse(commits)) as process, pytest.raises(PowerCut):
        process.slot_intake.documents.write(RULES, NINE_MINUTES, by="member:mia")

    papers.fails = ""
    with Process(tmp_path, papers) as process:
        if restarts:
            process.slot_intake.documents.open()
            assert papers.lie[RULES] == NINE_MINUTES
            assert process.document().replaces == ""
        process.slot_intake.free("test:1", OPENING, by="test")
        assert (process.minutes, process.document().text) == (9, NINE_MINUTES)


@pytest.mark.spec("WL-23")
def test_writing_the_older_text_again_in_the_file_counts_as_an_edit(tmp_path: Path) -> None:
    papers = Desk()
    opened(tmp_path, papers)
    with Process(tmp_path, papers) as process:
        process.slot_intake.documents.write(RULES, NINE_MINUTES, by="member:mia")
        papers.lie[RULES] = FIVE

        process.slot_intake.free("test:1", OPENING, by="test")

        assert (process.minutes, papers.lie[RULES]) == (5, FIVE)


@pytest.mark.spec("WL-23")
def test_an_edit_of_the_file_after_a_power_failure_is_newer(tmp_path: Path) -> None:
    papers = Desk()
    opened(tmp_path, papers)
    with Process(tmp_path, papers, Fuse(0)) as process, pytest.raises(PowerCut):
        process.slot_intake.documents.write(RULES, NINE_MINUTES, by="member:mia")
    papers.lie[RULES] = "Claim window: 7 minutes.\n"

    with Process(tmp_path, papers) as process:
        process.slot_intake.documents.open()

        assert (process.minutes, papers.lie[RULES]) == (7, "Claim window: 7 minutes.\n")
        assert process.document().replaces == ""


@pytest.mark.spec("WL-23")
def test_a_document_that_cannot_be_written_now_is_written_later(
    tmp_path: Path,
) -> None:
    papers = Desk()
    opened(tmp_path, papers)
    with Process(tmp_path, papers) as process:
        papers.is_stuck = True
        for text in ("Claim window: 7 minutes.\n", NINE_MINUTES):
            outcome = process.slot_intake.documents.write(RULES, text, by="member:mia")
            assert not isinstance(outcome, Refused)
        process.slot_intake.documents.open()
        papers.is_stuck = False
        assert papers.lie[RULES] == FIVE

        process.slot_intake.free("test:1", OPENING, by="test")

        assert (papers.lie[RULES], process.minutes) == (NINE_MINUTES, 9)


@pytest.mark.spec("WL-23")
def test_an_unreadable_file_is_not_taken_for_missing_and_not_overwritten(
    tmp_path: Path,
) -> None:
    papers = Desk()
    opened(tmp_path, papers)
    papers.lie[RULES] = NINE_MINUTES
    papers.is_stuck = True
    with Process(tmp_path, papers) as process:
        process.slot_intake.documents.open()
        assert process.minutes == 5

        papers.is_stuck = False
        process.slot_intake.documents.open()
        assert (process.minutes, papers.lie[RULES]) == (9, NINE_MINUTES)


def test_saving_in_the_console_replaces_an_edit_in_the_file_even_with_the_same_text(
    tmp_path: Path,
) -> None:
    papers = Desk()
    opened(tmp_path, papers)
    with Process(tmp_path, papers) as process:
        process.slot_intake.documents.write(RULES, GLORP, by="member:mia")
        papers.lie[RULES] = NINE_MINUTES

        process.slot_intake.documents.write(RULES, GLORP, by="member:mia")
        process.slot_intake.free("test:1", OPENING, by="test")

        assert (papers.lie[RULES], process.minutes) == (GLORP, 5)


def test_a_file_that_is_a_folder_cannot_be_read(tmp_path: Path) -> None:
    papers = LocalFiles(tmp_path)
    assert papers.read(RULES) is None
    (tmp_path / "rules.md").mkdir()

    with pytest.raises(DocumentUnavailable):
        papers.read(RULES)


@pytest.fixture
def files_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Records the names of files that are opened to be read."""
    names: list[str] = []
    plain_open = Path.open

    def counted(path: Path, mode: str = "r", *rest: Any, **named: Any) -> Any:
        names.extend([path.name] if mode == "rb" else [])
        return plain_open(path, mode, *rest, **named)

    monkeypatch.setattr(Path, "open", counted)
    return names


def test_a_file_is_read_again_only_after_it_has_changed(
    tmp_path: Path, files_read: list[str]
) -> None:
    papers = LocalFiles(tmp_path)
    papers.write(RULES, FIVE)
    os.utime(tmp_path / "rules.md", (LAST_WEEK, LAST_WEEK))

    unchanged = [papers.read(RULES) for _ in range(3)]
    papers.write(RULES, NINE_MINUTES)

    assert (unchanged, papers.read(RULES), files_read) == (
        [FIVE] * 3,
        NINE_MINUTES,
        ["rules.md"] * 2,
    )


def test_a_file_that_has_just_changed_is_read_each_time(
    tmp_path: Path, files_read: list[str]
) -> None:
    papers = LocalFiles(tmp_path)
    papers.write(RULES, FIVE)
    os.utime(tmp_path / "rules.md", (NEXT_WEEK, NEXT_WEEK))

    assert ([papers.read(RULES) for _ in range(3)], files_read) == ([FIVE] * 3, ["rules.md"] * 3)
