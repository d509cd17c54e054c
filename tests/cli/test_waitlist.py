"""The waitlist from the command line."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from frontdesk.core.decision import Command
from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.commands import (
    CancelBooking,
    ClaimOffer,
    JoinList,
    SetCatalogue,
    TakeBackSlot,
)
from frontdesk.desks.waitlist.model import EntryId, Lane, Offer, SlotId, Wish
from frontdesk.desks.waitlist.slot_intake import slot_intake_in
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.ports import Committed
from frontdesk.settings import Settings
from frontdesk.values import replace
from frontdesk.wiring.one_machine import build
from tests.cli.conftest import Shell
from tests.support.salon import HOUR, MINUTE, OPENING, SHOP

NINE = datetime.now(UTC).replace(hour=9, minute=0, second=0, microsecond=0) + timedelta(days=1)


@dataclass
class Day:
    shell: Shell
    slot: SlotId
    cat: EntryId


@pytest.fixture
def day(empty: Shell) -> Day:
    """Ann has taken a slot of today; Bob was next; Cat waits for another service."""
    clock = VirtualClock(NINE)
    product = build(Settings(data_dir=empty.data_dir), clock=clock)

    def run(command: Command) -> None:
        assert isinstance(product.engine.run(command, by="test", now=clock.now()), Committed)

    slot_intake_in(product.site).documents.open()
    run(SetCatalogue(SHOP))
    cat = EntryId("")
    for name, service in (("Ann", "Cut"), ("Bob", "Cut"), ("Cat", "Cut and colour")):
        cat = EntryId(product.engine.new_id())
        wish = Wish(service, 1, NINE.date(), NINE.date() + timedelta(days=9))
        email = f"{name.lower()}@example.org"
        run(JoinList(cat, PersonId(product.engine.new_id()), name, email, wish, Lane.STAFF))
        clock.move_to(clock.now() + MINUTE)
    slot_intake_in(product.site).free(
        "test:1", replace(OPENING, starts_at=NINE + 3 * HOUR), by="test"
    )
    product.runtime.settle(clock.now())
    slot = product.engine.reads().desk("wl").slot_by_origin("test:1")
    run(ClaimOffer(slot.id, 1))
    product.runtime.settle(clock.now())
    product.close()
    return Day(empty, slot.id, cat)


@pytest.mark.spec("WL-11")
@pytest.mark.spec("FD-25")
def test_why_somebody_was_or_was_not_offered_a_slot_is_said(day: Day) -> None:
    ann, bob, cat = (
        day.shell.says("why", day.slot, who)
        for who in ("ann@example.org", "BOB@example.org", day.cat)
    )

    assert ann.startswith("It was offered to them at 09:03 (UTC), as number 1; they claimed it at")
    assert bob == "They suit it, but it was claimed before their turn came, after one offer.\n"
    assert cat == "They are waiting for Cut and colour; this is Cut.\n"
    assert day.shell.data("why", day.slot, day.cat) == [cat.strip()]


def test_an_unknown_entry_or_slot_is_named_in_the_error(day: Day) -> None:
    assert day.shell.fails("why", "no-slot", day.cat).startswith("There is no slot no-slot.")
    assert day.shell.fails("why", day.slot, "dan@example.org") == (
        "Nobody with dan@example.org is on the list."
    )
    assert "is not an entry, address or number" in day.shell.fails("why", day.slot, "somebody")


def test_slots_are_listed_and_tell_their_story(day: Day) -> None:
    on = NINE.date().isoformat()
    listed = day.shell.says("slots", "--on", on)
    story = day.shell.says("slots", day.slot)

    assert listed.startswith(f"{day.slot}  ")
    assert listed.endswith("Cut with Mia: booked by Ann\n")
    assert day.shell.data("slots", "--on", on)[0]["state"] == "booked by Ann"
    assert len(story.splitlines()) == len(day.shell.data("slots", day.slot)) == 4
    assert day.shell.says("slots", "--on", "2020-01-01") == (
        "No slot came free for Wednesday 1 January.\n"
    )


def test_a_slot_can_be_freed_once(day: Day) -> None:
    at = (NINE + 5 * HOUR).strftime("%Y-%m-%dT%H:%M")
    when = f"{NINE:%A} {NINE.day} {NINE:%B}, {NINE + 5 * HOUR:%H:%M} (UTC)"
    said = day.shell.says("free", "cut", at, "--staff", "mia")
    assert said.startswith(f"Cut with Mia, {when}, is free (slot ")
    assert "). Bob is asked " in said, "first, or at the end of quiet hours"
    again = day.shell.fails("free", "CUT", at, "--staff", "Mia")
    assert again.startswith(f"That cannot be done: Cut with Mia, {when}, is free already (slot ")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (
            ("massage", "--minutes", "30"),
            "There is no service massage. There are: Cut, Cut and colour, Table.",
        ),
        (("cut", "--staff", "Mias"), "Nobody in the team is called Mias. There are: Mia, Jo."),
    ],
)
def test_a_name_that_is_mistyped_frees_nothing(day: Day, wrong: tuple[str, ...], says: str) -> None:
    service, *options = wrong
    at = (NINE + 5 * HOUR).strftime("%Y-%m-%dT%H:%M")

    assert day.shell.fails("free", service, at, *options) == says


def test_a_slot_in_a_year_that_is_mistyped_is_not_freed(day: Day) -> None:
    at = (NINE + timedelta(days=400)).strftime("%Y-%m-%dT%H:%M")

    assert day.shell.fails("free", "cut", at) == "This is more than a year away. Check the date."


@pytest.mark.spec("WL-07")
def test_a_time_is_freed_anew_once_its_booking_was_cancelled(day: Day) -> None:
    at, words = (NINE + 5 * HOUR).strftime("%Y-%m-%dT%H:%M"), ("--staff", "mia")
    freed = day.shell.data("free", "cut", at, *words)
    offers = decided(day, freed["slot"], ClaimOffer(SlotId(freed["slot"]), 1, by_staff=True))
    assert offers, "Bob has it"
    assert ", is booked (slot " in day.shell.fails("free", "cut", at, *words)

    cancel = CancelBooking(
        SlotId(freed["slot"]), offers[0].entry_id, SlotId("unused"), by_staff=True, offer=False
    )
    decided(day, freed["slot"], cancel)
    anew = SlotId(day.shell.data("free", "cut", at, *words)["slot"])
    assert anew != freed["slot"]

    decided(day, anew, TakeBackSlot(anew))
    assert day.shell.fails("free", "cut", at, *words).endswith(
        "Offer it once more on its page in the console."
    )


def decided(day: Day, slot_id: str, command: Command) -> Sequence[Offer]:
    """Runs a command and returns the offers of a slot."""
    now = datetime.now(UTC).replace(microsecond=0)
    product = build(Settings(data_dir=day.shell.data_dir), clock=VirtualClock(now))
    try:
        outcome = product.engine.run(command, by="test", now=now)
        assert isinstance(outcome, Committed), outcome
        product.runtime.settle(now)
        offers: Sequence[Offer] = product.engine.reads().desk("wl").offers(slot_id)
        return offers
    finally:
        product.close()


@pytest.mark.spec("WL-07")
def test_a_slot_at_a_time_that_is_taken_is_freed_only_if_staff_say_so(day: Day) -> None:
    at = (NINE + 3 * HOUR + HOUR / 2).strftime("%Y-%m-%dT%H:%M")

    said = day.shell.fails("free", "cut", at, "--staff", "mia")

    assert "has another slot at this time (Cut with Mia, " in said
    assert said.endswith("If both can take place, add --anyway.")
    assert day.shell.data("free", "cut", at, "--staff", "mia", "--anyway")["asked"] == "Bob"


@pytest.mark.parametrize(
    "time",
    ["2026-11-20", "tomorrow", "2026-11-20T15:00+08:00", "2026-11-20T25:00", "20261120T1500"],
)
def test_a_time_of_day_is_needed_to_free_a_slot(day: Day, time: str) -> None:
    with pytest.raises(SystemExit):
        day.shell.run("free", "cut", time, "--staff", "mia")

    error = day.shell.capture.readouterr().err
    assert "2026-11-20T15:00" in error or "there is no 2026-11-20T25:00" in error
    assert "fromisoformat" not in error


def sql(day: Day, statement: str) -> None:
    with closing(sqlite3.connect(day.shell.data_dir / "frontdesk.db")) as db, db:
        assert db.execute(statement).rowcount == 1


def problems(day: Day) -> list[str]:
    found: list[str] = json.loads(day.shell.run("doctor", "--json")[1])["problems"]
    return found


@pytest.mark.spec("FD-12", "WL-15")
def test_the_doctor_sees_an_offer_that_went_out_at_night(day: Day) -> None:
    at_three = NINE - 6 * HOUR
    sql(day, f"UPDATE fd_send SET sent_at = {int(at_three.timestamp())} WHERE kind = 'offer'")

    [problem] = problems(day)
    assert problem.startswith("waitlist: offer ")
    assert problem.endswith(f" went out in quiet hours, at {at_three.isoformat()}")


@pytest.mark.spec("FD-12")
@pytest.mark.parametrize(("quiet", "wrong"), [("hold", 1), ("ignore", 0)])
def test_a_message_about_no_slot_follows_the_quiet_hours_of_that_night(
    day: Day, quiet: str, wrong: int
) -> None:
    """Answers may go out at any time. A booking at three in the morning causes one."""
    at_three = int((NINE + 18 * HOUR).timestamp())
    changed = f"sent_at = {at_three}, subject = 'nobody', quiet = '{quiet}'"
    sql(day, f"UPDATE fd_send SET {changed} WHERE kind = 'booked'")

    assert len(problems(day)) == wrong


@pytest.mark.spec("WL-24")
@pytest.mark.parametrize("timer", ["wl/house/daily", "wl/summary/monthly"])
def test_the_doctor_reports_a_missing_nightly_timer(day: Day, timer: str) -> None:
    sql(day, f"DELETE FROM fd_timer WHERE name = '{timer}'")

    [problem] = problems(day)
    assert problem.startswith("waitlist: ")
    assert problem.endswith(" is not planned any more")


@pytest.mark.spec("WL-19", "FD-06")
def test_the_doctor_sees_a_slot_whose_customer_waits_again(day: Day) -> None:
    sql(day, "UPDATE wl_entry SET status = 'waiting' WHERE status = 'booked'")

    said = [each for each in problems(day) if each.startswith(f"slot {day.slot}: it is booked by")]
    assert [each.partition(", ")[2] for each in said] == ["whose entry is waiting"]


def test_doctor_and_rebuild_look_at_the_list(day: Day) -> None:
    assert "3 entries, 1 slot" in day.shell.says("doctor")
    assert day.shell.data("rebuild")["waitlist"] == []
