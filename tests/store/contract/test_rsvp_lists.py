"""Long imports, guests and stories of an event, and wordings: read back and erased in bounded
steps."""

from __future__ import annotations

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.jobs import AddJob, Job, JobId
from frontdesk.core.people import ErasePerson
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.core.wording import Wording, wording_setting
from frontdesk.desks.rsvp.changes import (
    AddEvent,
    AddGuest,
    AddImport,
    ImportRow,
    SettleImportRow,
    WriteEvent,
    WriteGuest,
)
from frontdesk.desks.rsvp.model import EventId, GuestId, State
from frontdesk.engine.ports import Committed, Store
from frontdesk.errors import Conflict
from frontdesk.values import replace
from tests.store.samples import (
    NINE,
    PARTY,
    commit,
    event,
    fact,
    given,
    guest,
    person_id,
    refused,
    rsvp,
)

OTHER = EventId("other")


# --- imports --------------------------------------------------------------------------------

JOB = Job(JobId("j1"), "ev", "import", PARTY, total=3)


def row(line: int) -> ImportRow:
    return ImportRow(line, f"Guest {line}", f"guest{line}@example.org", 1)


def test_a_long_list_with_gaps_is_worked_off_in_the_order_of_its_lines(store: Store) -> None:
    lines = [2, 3, 24, 25, 60, *range(700, 760)]
    reads = given(store)
    commit(store, AddJob(JOB), AddImport(JOB.id, tuple(row(line) for line in reversed(lines))))

    met, after = [], 0
    while (found := reads.import_row(JOB.id, after)) is not None:
        met.append(found)
        after = found.line
        commit(store, SettleImportRow(JOB.id, found.line, "confirmed", f"g{found.line}"))

    assert met == [row(line) for line in lines]
    assert reads.import_rows(JOB.id) == [
        ImportRow(line, "", "", 1, "confirmed", f"g{line}") for line in lines
    ]
    assert reads.import_row(JobId("another"), 0) is None


def test_many_rows_that_are_settled_are_passed_over_at_once(store: Store) -> None:
    bad = tuple(replace(row(line), outcome="bad address") for line in range(2, 202))
    reads = given(store)
    commit(store, AddJob(JOB), AddImport(JOB.id, (*bad, row(500))))

    assert reads.import_row(JOB.id, 0) == row(500)
    assert reads.import_row(JOB.id, 500) is None


@pytest.mark.spec("EV-10")
def test_a_list_too_long_for_one_commit_is_written_once(store: Store) -> None:
    given(store)
    every = tuple(row(line) for line in range(2, 3002))
    begin = Accepted((AddJob(JOB), AddImport(JOB.id, every)))

    store.decide(lambda _reads: begin, by="test", at=NINE, key="begin")
    again = store.decide(lambda _reads: begin, by="test", at=NINE, key="begin")

    assert isinstance(again, Committed)
    assert again.repeated
    assert rsvp(store).import_rows(JOB.id) == list(every)
    assert rsvp(store).job(JOB.id) == JOB


def test_a_list_of_nobody_is_an_import_too(store: Store) -> None:
    reads = given(store)
    commit(store, AddJob(JOB), AddImport(JOB.id, ()))

    assert reads.import_rows(JOB.id) == []
    assert reads.import_row(JOB.id, 0) is None


@pytest.mark.spec("FD-20")
def test_an_erased_person_is_in_no_import(store: Store) -> None:
    reads = given(store, guest())
    rows = (
        ImportRow(2, "Ann", "ANN@example.org", 1),
        ImportRow(3, "", "", 1, "twice in the list: ann@example.org"),
        ImportRow(4, "Joann", "joann@example.org", 1),
        ImportRow(5, "", "", 1, "confirmed", "ann"),
    )
    commit(store, AddJob(JOB), AddImport(JOB.id, rows))

    commit(store, ErasePerson(person_id("ann")))

    assert reads.import_rows(JOB.id) == [
        ImportRow(2, "", "", 1, "erased"),
        ImportRow(3, "", "", 1, "erased"),
        rows[2],
        rows[3],
    ]
    assert reads.import_row(JOB.id, 0) == rows[2]


# --- events and guests ----------------------------------------------------------------------


@pytest.mark.spec("FD-06")
def test_a_sign_up_is_listed_and_found_under_the_name_that_it_was_given(store: Store) -> None:
    named = replace(guest(), name="Zoe Lee", email="zoe@example.org", own_name=True)
    reads = given(store, named, guest("bob"))

    rows = reads.guest_rows(PARTY)

    assert [(row.person.name, row.person.email) for row in rows] == [
        ("Bob", "bob@example.org"),
        ("Zoe Lee", "zoe@example.org"),
    ]
    assert [row.guest for row in reads.guest_rows(PARTY, search="zoe@")] == [named]
    assert reads.guest_count(PARTY, search="Ann") == 0
    assert reads.guest(named.id) == named


@pytest.mark.spec("FD-20")
def test_a_sign_up_of_an_erased_person_names_nobody(store: Store) -> None:
    named = replace(guest(), name="Zoe Lee", email="zoe@example.org")
    reads = given(store, named)

    commit(store, ErasePerson(person_id("ann")))
    nameless = replace(named, name="", email="")
    erased = reads.guest(named.id)
    with pytest.raises(Conflict):  # decided before the person was erased
        commit(store, WriteGuest(replace(named, version=1)))
    commit(store, WriteGuest(replace(nameless, version=1)))

    assert erased == nameless
    assert reads.guest(named.id) == replace(nameless, version=1)


def test_a_slug_that_an_event_gave_up_is_free_again(store: Store) -> None:
    reads = given(store)
    was = event()
    commit(
        store,
        WriteEvent(PARTY, 0, "tea", was.details, was.settings, was.state, 0, "", False),
    )
    other = replace(was, id=OTHER)

    commit(store, AddEvent(other))

    assert reads.event_by_slug("garden-party") == other
    assert reads.event_by_slug("tea") == replace(was, slug="tea", version=1)
    assert refused(store, AddEvent(replace(was, id=EventId("third"), slug="tea")))


def test_a_person_has_a_place_at_every_event(store: Store) -> None:
    reads = given(store, guest())
    commit(store, AddEvent(replace(event(), id=OTHER, slug="other")))
    there = guest("a-guest", event_id=OTHER, person_id=person_id("ann"))
    commit(store, AddGuest(there))

    assert reads.places_of(person_id("ann")) == [there, guest()]
    assert reads.places_of(person_id("bob")) == []
    assert reads.guest_of(OTHER, person_id("ann")) == reads.guest(there.id) == there


def test_nobody_passes_their_place_to_another_person(store: Store) -> None:
    reads = given(store, guest())

    assert refused(store, WriteGuest(guest(version=1, person_id=person_id("bob"))))
    assert reads.guest(GuestId("ann")) == guest()


def test_a_place_in_front_has_a_ticket_below_all_others(store: Store) -> None:
    first = guest("late", State.WAITING, ticket=-3)
    second = guest("early", State.WAITING, ticket=-1)
    third = guest("third", State.WAITING, ticket=12)
    reads = given(store, second, third, first)

    assert reads.next_in_line(PARTY, 1, 9) == [first, second, third]
    assert [reads.position(each) for each in (first, second, third)] == [1, 2, 3]
    assert reads.line_ends(PARTY) == (-3, 12)


def test_guests_who_left_are_no_longer_in_line(store: Store) -> None:
    ann, bob = guest("ann", State.WAITING, ticket=1), guest("bob", State.WAITING, ticket=2)
    reads = given(store, ann, bob)

    commit(store, WriteGuest(replace(ann, state=State.CANCELLED, version=1)))

    assert reads.next_in_line(PARTY, 1, 9) == [bob]
    assert reads.line_ends(PARTY) == (2, 2)


def test_arrivals_are_counted_by_person(store: Store) -> None:
    reads = given(
        store,
        guest("ann", party=3, arrived=2),
        guest("bob", arrived=1),
        guest("cat", State.CANCELLED, arrived=1),
    )

    assert reads.arrived(PARTY) == 3
    assert reads.arrived(OTHER) == 0


def test_the_list_can_be_sorted_backwards_by_state_with_names_forwards(store: Store) -> None:
    reads = given(
        store,
        guest("ann", joined_at=None),
        guest("bob"),
        guest("cat", State.WAITING),
        guest("dan", State.PENDING),
    )

    def names(order: str) -> list[str]:
        return [each.guest.id for each in reads.guest_rows(PARTY, order=order)]

    assert names("-state") == ["dan", "cat", "ann", "bob"]
    assert names("joined") == ["ann", "bob", "cat", "dan"]
    assert names("-joined") == ["bob", "cat", "dan", "ann"]


# --- stories, wordings ----------------------------------------------------------------------


def test_the_newest_facts_are_read_oldest_first(store: Store) -> None:
    reads = given(store)
    first, second, third = commit(store, facts=(fact(), fact(), fact())).facts
    commit(store, facts=(fact(OTHER),))

    assert reads.latest_facts(PARTY, 2) == [second, third]
    assert reads.latest_facts(PARTY, 9, before=third.seq) == [first, second]
    assert reads.latest_facts(PARTY, 1, before=third.seq) == [second]


def test_a_wording_is_written_and_taken_back_only_as_it_was_read(store: Store) -> None:
    reads = rsvp(store)
    short, long = Wording("Hello", "Hi"), Wording("Hello there", "Hi")
    commit(store, WriteSetting(wording_setting("fd", "confirmed"), None, long))

    commit(store, WriteSetting(wording_setting("ev", "confirmed"), None, short))
    assert refused(store, WriteSetting(wording_setting("ev", "confirmed"), None, long))
    assert refused(store, WriteSetting(wording_setting("ev", "confirmed"), long, None))
    assert refused(store, WriteSetting(wording_setting("ev", "cancelled"), short, long))
    commit(store, WriteSetting(wording_setting("ev", "confirmed"), short, long))
    assert reads.wording("confirmed") == long
    assert reads.wording("cancelled") is None

    commit(store, WriteSetting(wording_setting("ev", "confirmed"), long, None))
    commit(store, WriteSetting(wording_setting("ev", "confirmed"), None, None))
    assert reads.wording("confirmed") is None
    assert store.reads().desk("fd").wording("confirmed") == long
    assert refused(store, WriteSetting(wording_setting("fd", "confirmed"), short, None))
