"""A fact that this version cannot read is a dead letter at once and delays no other fact."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.unreadable import CannotBeRead, Unreadable, read
from frontdesk.engine.ports import Committed
from frontdesk.engine.replay import Replay, replay
from frontdesk.store.fact_json import FactJson
from tests.engine.bell import BellRung, Ring
from tests.engine.driver import EngineDriver
from tests.support.data_file import run_sql

DriverOpener = Callable[..., EngineDriver]
BROKEN = '{"bell":"gate"'
MISSING = '{"bell":"gate","n":1}'


def write(path: Path, kind: str, body: str) -> int:
    """Writes a fact as another version may have written it. No other process may run."""
    db = sqlite3.connect(path)
    with db:
        seq = db.execute(
            "INSERT INTO fd_fact (at, by, desk, kind, subject, about, body)"
            " VALUES (1, 'cli', 'bl', ?, 'gate', '', ?)",
            (kind, body),
        ).lastrowid
    db.close()
    assert seq is not None
    return seq


@pytest.mark.spec("FD-07")
@pytest.mark.parametrize("body", [BROKEN, MISSING])
def test_a_fact_that_cannot_be_read_is_a_dead_letter_at_once_and_the_others_are_followed(
    open_driver: DriverOpener, tmp_path: Path, body: str
) -> None:
    driver = open_driver().people("ann", "cat")
    driver.do(Ring("door", "ann"))
    bad = write(tmp_path / "bell.db", BellRung.kind, body)
    driver.do(Ring("shed", "cat"))

    driver.runtime.follow(driver.clock.now())

    refs = {(letter.what, letter.ref) for letter in driver.letters()}
    assert refs == {("fact", f"bl.react/{bad}"), ("fact", f"bl.tell/{bad}")}
    assert all(letter.why.startswith("CannotBeRead: bl.rung: ") for letter in driver.letters())
    driver.settle()
    assert driver.states() == {"bl/door/1/prize": "sent", "bl/shed/1/prize": "sent"}
    assert [driver.bell(each).counted for each in ("door", "shed")] == [1, 1]
    assert len(driver.letters()) == 2


def test_a_fact_of_an_unknown_kind_delays_no_follower(
    open_driver: DriverOpener, tmp_path: Path
) -> None:
    driver = open_driver().people("ann")
    write(tmp_path / "bell.db", "bl.painted", "{}")
    driver.do(Ring("door", "ann"))

    driver.settle()

    assert driver.states() == {"bl/door/1/prize": "sent"}
    assert driver.letters() == []


@pytest.mark.spec("FD-07")
def test_a_replay_fails_as_long_as_it_cannot_be_read(
    open_driver: DriverOpener, tmp_path: Path
) -> None:
    driver = open_driver()
    write(tmp_path / "bell.db", BellRung.kind, BROKEN)
    driver.settle()

    for letter in driver.letters():
        now = driver.clock.now()
        outcome = replay(driver.runtime, driver.diagnostics(), letter.id, by="cli", now=now)
        assert outcome is Replay.FAILED


def test_following_a_single_unreadable_fact_raises_an_error() -> None:
    rung = BellRung("door", 1, "ann")

    assert read(rung) is rung
    with pytest.raises(CannotBeRead, match=r"bl\.rung: too short"):
        read(Unreadable("bl.rung", "{", "too short"))


@pytest.mark.parametrize(
    ("kind", "body", "why"),
    [
        ("bl.rung", BROKEN, "Input data was truncated"),
        ("bl.rung", MISSING, "Object missing required field `person_id`"),
        ("bl.rung", '{"bell":"gate","n":"one"}', "Expected `int`, got `str` - at `$.n`"),
        ("bl.painted", "{}", "this version knows no such fact"),
    ],
)
def test_an_unreadable_fact_is_kept_unchanged_with_the_reason(
    kind: str, body: str, why: str
) -> None:
    fact = FactJson([BellRung]).fact(kind, body)

    assert fact == Unreadable(kind, body, why)
    assert (fact.subject, fact.about) == ("", "")


def test_a_repeated_key_is_recognised_even_if_the_facts_of_its_commit_cannot_be_read(
    open_driver: DriverOpener, tmp_path: Path
) -> None:
    driver = open_driver()
    path = tmp_path / "bell.db"
    seq = write(path, BellRung.kind, BROKEN)
    run_sql(path, "INSERT INTO fd_idempotency VALUES ('again', 1, ?, 1, '')", seq)

    outcome = driver.store.decide(
        lambda _reads: Accepted(), by="cli", at=driver.clock.now(), key="again"
    )

    assert isinstance(outcome, Committed)
    assert [each.seq for each in outcome.facts] == [seq]
    assert outcome.repeated
