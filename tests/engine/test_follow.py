"""Followers handle each fact once and in order; a fact that fails does not block others."""

from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from typing import Any

import pytest

from frontdesk.core.decision import Accepted, Command, Decision
from frontdesk.core.notes import Note
from frontdesk.core.people import PersonId
from frontdesk.core.sends import SendId
from frontdesk.engine.follow import FAR_BEHIND, Binding, send_id
from frontdesk.engine.ports import Ask, Followed, Reads, Recorded
from frontdesk.values import replace
from tests.engine.bell import (
    BELL,
    Bell,
    BellFact,
    BellRung,
    Count,
    Ring,
    RingsCounted,
    Visited,
    prize_note,
)
from tests.engine.driver import MINUTE, NINE, EngineDriver

DriverOpener = Callable[..., EngineDriver]


def facts(driver: EngineDriver, kind: type[BellFact]) -> list[Recorded]:
    return list(driver.store.unfollowed("a test", frozenset({kind.kind}), 1000))


def test_a_fact_causes_its_command_and_its_note(open_driver: DriverOpener) -> None:
    driver = open_driver().people("ann")
    driver.do(Ring("door", "ann"))

    driver.settle()

    assert driver.bell() == Bell(rung=1, counted=1)
    assert driver.states() == {"bl/door/1/prize": "sent"}
    assert [each.by for each in facts(driver, RingsCounted)] == ["follower:bl.react"]


@pytest.mark.spec("FD-01", "FD-02")
def test_a_followers_effect_and_its_place_are_one_commit(
    open_driver: DriverOpener,
) -> None:
    driver = open_driver().people("ann")
    after_each_commit: list[tuple[bool, bool, bool, bool]] = []

    def look(_facts: Sequence[Recorded]) -> None:
        """Records the rows on disk right after a commit."""
        after_each_commit.append(
            (
                driver.bell().counted == 1,
                bool(driver.store.unfollowed("bl.react", frozenset({BellRung.kind}), 1)),
                len(driver.ledger()) == 1,
                bool(driver.store.unfollowed("bl.tell", frozenset({BellRung.kind}), 1)),
            )
        )

    driver.do(Ring("door", "ann"))
    driver.store.on_commit(look)
    driver.settle()

    assert driver.bell().counted == 1
    assert len(driver.ledger()) == 1
    for counted, is_to_be_counted, queued, is_to_be_told in after_each_commit:
        assert counted != is_to_be_counted
        assert queued != is_to_be_told


def test_equal_commands_caused_by_a_run_of_facts_are_run_once(open_driver: DriverOpener) -> None:
    driver = open_driver().people("ann")
    for _ in range(100):
        driver.do(Ring("door", "ann"))

    driver.settle()

    assert [each.fact for each in facts(driver, RingsCounted)] == [RingsCounted("door", 100)]
    assert len(driver.ledger()) == 100


def test_a_command_that_a_later_fact_causes_again_hides_no_other(open_driver: DriverOpener) -> None:
    driver = open_driver().people("ann")
    for bell in ("door", "gate", "door"):
        driver.do(Ring(bell, "ann"))

    driver.settle()

    assert (driver.bell("door"), driver.bell("gate")) == (Bell(2, 2), Bell(1, 1))


@pytest.mark.spec("FD-03")
def test_a_fact_that_is_delivered_again_has_no_second_effect(open_driver: DriverOpener) -> None:
    driver = open_driver().people("ann")
    driver.do(Ring("door", "ann"))
    (rung,) = facts(driver, BellRung)
    driver.settle()
    before = (driver.bell(), driver.ledger(), driver.texts(), facts(driver, RingsCounted))

    for follower in driver.runtime.followers:
        follower._effect.apply([rung], driver.clock.now())
    driver.settle()

    assert (driver.bell(), driver.ledger(), driver.texts(), facts(driver, RingsCounted)) == before


@pytest.mark.spec("FD-03")
def test_followers_may_work_in_any_order(open_driver: DriverOpener) -> None:
    driver = open_driver().people("ann", "bob")
    driver.do(Ring("door", "ann"))
    driver.do(Ring("gate", "bob"))
    driver.runtime.followers = driver.runtime.followers[::-1]

    driver.settle()

    assert (driver.bell("door"), driver.bell("gate")) == (Bell(1, 1), Bell(1, 1))
    assert driver.states() == {"bl/door/1/prize": "sent", "bl/gate/1/prize": "sent"}


@pytest.mark.spec("FD-07")
@pytest.mark.parametrize("fails", ["notes", "reactions", "recipients"])
def test_a_fact_that_cannot_be_followed_becomes_a_dead_letter_and_the_next_ones_are_followed(
    open_driver: DriverOpener, fails: str
) -> None:
    driver = open_driver(desk=broken_for_the_second_ring(fails)).people("ann", "bob", "cat")
    for bell, person in (("door", "ann"), ("gate", "bob"), ("shed", "cat")):
        driver.do(Ring(bell, person))
    bad = facts(driver, BellRung)[1].seq

    driver.wait(MINUTE)

    follower = "bl.react" if fails == "reactions" else "bl.tell"
    assert driver.complaints() == [("fact", f"{follower}/{bad}", "ValueError: no second ring")]
    told = {f"bl/{bell}/1/prize": "sent" for bell in ("door", "gate", "shed")}
    if fails == "reactions":
        assert [driver.bell(each).counted for each in ("door", "gate", "shed")] == [1, 0, 1]
    else:
        told.pop("bl/gate/1/prize")
    assert driver.states() == told


@pytest.mark.spec("FD-07")
def test_a_fact_that_cannot_be_followed_is_tried_again_after_growing_pauses(
    open_driver: DriverOpener,
) -> None:
    tried = []

    def broken(_fact: BellRung) -> Note:
        tried.append((driver.clock.now() - NINE).seconds)
        raise ValueError("no notes today")

    driver = open_driver(desk=replace(BELL, notes={BellRung: broken})).people("ann")
    driver.do(Ring("door", "ann"))

    driver.settle()
    assert (tried, driver.bell().counted) == ([0], 1)
    assert driver.runtime.next_follow_at() == NINE + timedelta(seconds=1)
    driver.settle()
    assert tried == [0]
    driver.wait(MINUTE)

    assert tried == [0, 1, 3, 7]
    assert driver.runtime.next_follow_at() is None


def broken_for_the_second_ring(fails: str) -> object:
    def is_second(bell: str) -> bool:
        if bell == "gate":
            raise ValueError("no second ring")
        return False

    def note(fact: BellRung) -> Note | None:
        return None if is_second(fact.bell) else prize_note(fact)

    def reaction(_reads: Reads, recorded: Recorded) -> Iterable[Command]:
        assert isinstance(recorded.fact, BellRung)
        return [] if is_second(recorded.fact.bell) else [Count(recorded.fact.bell)]

    def recipients(_reads: Reads, note: Note) -> Iterable[PersonId]:
        return [] if is_second(note.subject) else [PersonId(note.to)]

    match fails:
        case "notes":
            return replace(BELL, notes={BellRung: note})
        case "reactions":
            return replace(BELL, reactions={BellRung: reaction})
        case _:
            return replace(BELL, delivery=replace(BELL.delivery, recipients=recipients))


def test_notes_are_queued_and_their_sends_ended_in_batches_that_let_others_go_first(
    open_driver: DriverOpener, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = open_driver().people("ann")
    for _ in range(60):
        driver.do(Ring("door", "ann"))
    submit, asked = driver.engine.store.submit, []

    def noted(ask: Ask, *, patient: bool = False, **named: Any) -> Any:
        def counting(reads: Reads) -> Decision:
            decision = ask(reads)
            assert isinstance(decision, Accepted)
            (kind,) = {type(change).__name__ for change in decision.changes}
            asked.append((kind, len(decision.changes), patient))
            return decision

        return submit(counting, patient=patient, **named)

    monkeypatch.setattr(driver.engine.store, "submit", noted, raising=False)
    driver.settle()

    of_sends = [each for each in asked if each[0] in ("QueueSend", "FinishSend")]
    assert of_sends == [("QueueSend", 60, True), ("FinishSend", 60, True)]


@pytest.mark.spec("FD-07")
def test_a_note_to_an_unknown_person_affects_no_other_note(open_driver: DriverOpener) -> None:
    driver = open_driver().people("ann", "cat")
    for person in ("ann", "nobody", "cat"):
        driver.do(Ring("door", person))
    bad = facts(driver, BellRung)[1].seq

    driver.wait(MINUTE)

    assert driver.states() == {"bl/door/1/prize": "sent", "bl/door/3/prize": "sent"}
    assert [letter.ref for letter in driver.letters()] == [f"bl.tell/{bad}"]


@pytest.mark.spec("FD-03")
def test_an_effect_that_is_refused_still_settles_its_fact(open_driver: DriverOpener) -> None:
    driver = open_driver().people("ann")
    driver.do(Ring("door", "ann"))
    driver.do(Count("door"))

    driver.settle()

    (rung,) = facts(driver, BellRung)
    left = driver.store.unfollowed("bl.react", frozenset({"bl.rung"}), 10)
    assert (list(left), driver.letters()) == ([], [])
    moved = driver.store.decide(
        lambda _reads: pytest.fail("it was settled before"),
        by="cli",
        at=driver.clock.now(),
        cause=Followed("bl.react", rung.seq),
    )
    assert moved.repeated  # type: ignore[union-attr]


def test_a_flow_across_desks_is_a_binding_with_its_own_place(open_driver: DriverOpener) -> None:
    def ring_the_gate(_reads: Reads, recorded: Recorded) -> Iterable[Command]:
        return [Ring("gate", "bob")] if recorded.fact.subject == "door" else []

    binding = Binding("door.to.gate", {BellRung: ring_the_gate})
    driver = open_driver(bindings=[binding]).people("ann", "bob")
    driver.do(Ring("door", "ann"))

    driver.settle()

    assert driver.states() == {"bl/door/1/prize": "sent", "bl/gate/1/prize": "sent"}


def test_two_followers_cannot_have_one_name(open_driver: DriverOpener) -> None:
    with pytest.raises(ValueError, match=r"two followers are called bl\.react"):
        open_driver(bindings=[Binding("bl.react", {})])


def test_facts_of_no_interest_are_passed_over_in_one_step(open_driver: DriverOpener) -> None:
    driver = open_driver().people("ann")
    dull = tuple(Visited("door", stop) for stop in range(FAR_BEHIND + 1))
    driver.store.commit(Accepted(facts=dull), by="cli", at=driver.clock.now())

    driver.settle()

    head = facts_upto(driver)
    left = driver.store.unfollowed("bl.react", frozenset({"bl.visited"}), 10)
    assert (head, list(left)) == (FAR_BEHIND + 1, [])


def facts_upto(driver: EngineDriver) -> int:
    every = driver.store.unfollowed("a test", frozenset({"bl.visited"}), 10 * FAR_BEHIND)
    return every[-1].seq


@pytest.mark.spec("FD-04")
def test_the_id_of_a_send_says_key_and_recipient_and_never_changes() -> None:
    assert send_id("ev/1/2/reminder", PersonId("ann")) == SendId("6y211gxnhh7sc63h69jkjxyepf")
    assert send_id("ev/1/2/reminder", PersonId("bob")) != send_id(
        "ev/1/2/reminder", PersonId("ann")
    )
    assert send_id("a", PersonId("b c")) != send_id("a b", PersonId("c"))
