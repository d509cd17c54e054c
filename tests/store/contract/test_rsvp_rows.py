"""Events, guests, offers and imports: written, refused and read back."""

from __future__ import annotations

from datetime import time

import pytest

from frontdesk.core.jobs import AddJob, Job, JobId
from frontdesk.core.people import Person
from frontdesk.core.quiet_hours import QuietHours
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.rsvp.changes import (
    AddEvent,
    AddGuest,
    AddImport,
    AddOffer,
    CutOffer,
    ImportRow,
    MoveOffer,
    SettleImportRow,
    WriteEvent,
    WriteGuest,
)
from frontdesk.desks.rsvp.facts import GuestJoinedLine, ThanksDue
from frontdesk.desks.rsvp.model import (
    SAVED_DEFAULTS,
    Event,
    EventId,
    EventSettings,
    EventState,
    Guest,
    GuestId,
    Lane,
    Offer,
    OfferState,
    State,
)
from frontdesk.desks.rsvp.reads import GuestRow
from frontdesk.engine.ports import Store
from frontdesk.values import replace
from tests.store.samples import (
    ANN,
    DAY,
    HOUR,
    NINE,
    PARTY,
    add_person,
    commit,
    event,
    fact,
    given,
    guest,
    person_id,
    refused,
    rsvp,
)

# --- events ---------------------------------------------------------------------------------


def written(before: Event, **columns: object) -> WriteEvent:
    plain = WriteEvent(
        before.id,
        before.version,
        before.slug,
        before.details,
        before.settings,
        before.state,
        before.sequence,
        before.thanks,
        before.thanks_sent,
    )
    return replace(plain, **columns)  # type: ignore[arg-type]


def test_an_event_is_found_by_id_and_slug(store: Store) -> None:
    reads = given(store)

    assert reads.event(PARTY) == reads.event_by_slug("garden-party") == event()
    assert reads.event(EventId("none")) is reads.event_by_slug("none") is None
    assert reads.events() == [event()]


def test_events_that_are_not_over_are_found_in_the_order_of_their_start(store: Store) -> None:
    reads = given(store)
    end = event().details.ends_at
    later = replace(event().details, starts_at=end + DAY, ends_at=end + 2 * DAY)
    other = replace(event(), id=EventId("other"), slug="other", details=later)
    commit(store, AddEvent(other))

    assert reads.events(not_over_at=end - HOUR) == [event(), other]
    assert reads.events(not_over_at=end) == [other]
    assert reads.events(not_over_at=other.details.ends_at) == []


def test_neither_id_nor_slug_of_an_event_may_be_in_use(store: Store) -> None:
    given(store)

    assert refused(store, AddEvent(replace(event(), slug="other")))
    assert refused(store, AddEvent(replace(event(), id=EventId("other"))))
    assert rsvp(store).events() == [event()]


def test_everything_but_the_counters_of_an_event_is_written(store: Store) -> None:
    before = event(cap=2, free=1, taken=1)
    reads = given(store, cap=2, free=1, taken=1)
    settings = EventSettings(
        reminders=("2h",), quiet=QuietHours(time(22), time(7, 30)), claim_window=2 * HOUR
    )
    details = replace(before.details, name="Tea", venue="Barn", starts_at=NINE + DAY)
    change = written(
        before,
        slug="tea",
        details=details,
        settings=settings,
        state=EventState.CALLED_OFF,
        sequence=3,
        thanks="Thank you",
        thanks_sent=True,
    )

    commit(store, change)

    assert reads.event(PARTY) == Event(
        PARTY,
        "tea",
        details,
        settings,
        before.seats,
        EventState.CALLED_OFF,
        3,
        1,
        "Thank you",
        True,
    )


def test_an_event_is_written_only_from_its_version_as_read_and_to_a_free_slug(
    store: Store,
) -> None:
    given(store)
    other = replace(event(), id=EventId("other"), slug="other")
    commit(store, AddEvent(other))

    assert refused(store, written(event(), version=1))
    assert refused(store, written(event(), slug="other"))
    assert rsvp(store).event(PARTY) == event()


def test_the_defaults_are_those_of_the_product_until_they_are_written(store: Store) -> None:
    four, three = EventSettings(party_limit=4), EventSettings(party_limit=3, strict_order=True)
    assert rsvp(store).defaults() == EventSettings()

    commit(store, WriteSetting(SAVED_DEFAULTS, EventSettings(), four))
    commit(store, WriteSetting(SAVED_DEFAULTS, four, three))

    assert rsvp(store).defaults() == three


# --- guests ---------------------------------------------------------------------------------


def full_guest() -> Guest:
    return guest(
        state=State.OFFERED,
        party=3,
        lane=Lane.EMAIL,
        version=4,
        ticket=7,
        lapsed=True,
        seen=2,
        seq=2,
        live=True,
        claim_by=NINE + HOUR,
        reminders=("ev/remind/ann/7d", "ev/remind/ann/1d"),
        arrived=2,
    )


def test_a_guest_is_read_back_as_written(store: Store) -> None:
    reads = given(store, full_guest())

    assert reads.guest(ANN) == reads.guest_of(PARTY, person_id("ann")) == full_guest()
    assert reads.guest(GuestId("nobody")) is None
    assert reads.guest_of(EventId("other"), person_id("ann")) is None


@pytest.mark.spec("EV-06")
def test_a_person_is_on_an_events_list_once(store: Store) -> None:
    reads = given(store, guest())

    assert refused(store, AddGuest(guest("other", person_id=person_id("ann"))))
    assert reads.guest_of(PARTY, person_id("ann")) == guest()
    assert reads.guest_count(PARTY) == 1


def test_a_guest_is_written_only_from_the_version_before(store: Store) -> None:
    reads = given(store, guest())
    cancelled = guest(state=State.CANCELLED, version=1)

    commit(store, WriteGuest(cancelled))

    assert reads.guest(ANN) == cancelled
    assert refused(store, WriteGuest(cancelled))
    assert refused(store, WriteGuest(guest(version=3)))
    assert refused(store, WriteGuest(guest("nobody", version=1)))
    assert reads.guest(ANN) == cancelled


# --- the line -------------------------------------------------------------------------------


def waiting(name: str, ticket: int, **columns: object) -> Guest:
    return guest(name, State.WAITING, ticket=ticket, **columns)


LINE = (
    waiting("lapsed", 1, lapsed=True),
    waiting("second", 3, party=2),
    waiting("seen", 2, seen=1),
    waiting("third", 4),
    guest("offered", State.OFFERED, ticket=9),
    guest("seated", ticket=0),
)


def ids(guests: object) -> list[str]:
    assert isinstance(guests, list)
    return [each.id for each in guests]


@pytest.fixture
def line(store: Store) -> Store:
    given(store, *LINE, cap=9, free=7, offered=1, taken=1, waiting=4, owed=3)
    return store


def test_the_next_in_line_are_those_who_had_no_chance_in_this_round(line: Store) -> None:
    reads = rsvp(line)

    assert ids(reads.next_in_line(PARTY, 1, 10)) == ["second", "third", "lapsed"]
    assert ids(reads.next_in_line(PARTY, 2, 10)) == ["seen", "second", "third", "lapsed"]
    assert ids(reads.next_in_line(PARTY, 2, 1)) == ["seen"]
    assert reads.next_in_line(EventId("other"), 2, 1) == []


def test_the_next_that_fits_may_stand_further_back(line: Store) -> None:
    reads = rsvp(line)

    assert reads.next_that_fits(PARTY, 1, 2) == LINE[1]
    assert reads.next_that_fits(PARTY, 1, 1) == LINE[3]
    assert reads.next_that_fits(PARTY, 1, 0) is None


def test_places_count_those_who_wait(line: Store) -> None:
    places = {each.id: rsvp(line).position(each) for each in LINE[:4]}

    assert places == {"seen": 1, "second": 2, "third": 3, "lapsed": 4}
    assert rsvp(line).lapsed_waiting(PARTY) == 1


def test_the_ends_of_the_line_are_the_tickets_of_those_who_wait_or_hold_an_offer(
    line: Store,
) -> None:
    assert rsvp(line).line_ends(PARTY) == (1, 9)
    assert rsvp(line).line_ends(EventId("other")) == (0, 0)


def test_the_last_pending_offer_is_the_last_in_line_that_is_not_live(store: Store) -> None:
    live = guest("live", State.OFFERED, ticket=9, live=True, claim_by=NINE)
    early = guest("early", State.OFFERED, ticket=1)
    late = guest("late", State.OFFERED, ticket=2)
    lapsed = guest("lapsed", State.OFFERED, ticket=0, lapsed=True)
    reads = given(store, live, early, late)

    assert reads.last_pending_offer(PARTY) == late
    commit(store, add_person("lapsed"), AddGuest(lapsed))
    assert reads.last_pending_offer(PARTY) == lapsed
    assert reads.last_pending_offer(EventId("other")) is None


# --- offers ---------------------------------------------------------------------------------

OFFER = Offer(PARTY, ANN, 1, 2, OfferState.PENDING, NINE, fills=3)


def test_an_offer_goes_from_pending_to_live_to_its_end(store: Store) -> None:
    reads = given(store, guest())
    commit(store, AddOffer(OFFER))
    assert reads.offer(ANN, 1) == OFFER

    arm = MoveOffer(
        PARTY, ANN, 1, OfferState.PENDING, OfferState.LIVE, NINE + HOUR, NINE + 7 * HOUR
    )
    commit(store, arm)

    live = replace(OFFER, state=OfferState.LIVE, armed_at=NINE + HOUR, claim_by=NINE + 7 * HOUR)
    assert reads.offer(ANN, 1) == live
    assert refused(store, arm)
    assert reads.offers(PARTY, open_only=True) == [live]

    commit(store, MoveOffer(PARTY, ANN, 1, OfferState.LIVE, OfferState.CLAIMED, NINE + 2 * HOUR))

    claimed = replace(live, state=OfferState.CLAIMED, ended_at=NINE + 2 * HOUR)
    assert reads.offers(PARTY) == [claimed]
    assert reads.offers(PARTY, open_only=True) == []


def test_a_disarmed_offer_is_as_if_it_had_never_been_live(store: Store) -> None:
    reads = given(store, guest())
    commit(store, AddOffer(OFFER))
    commit(store, MoveOffer(PARTY, ANN, 1, OfferState.PENDING, OfferState.LIVE, NINE, NINE + HOUR))

    commit(store, MoveOffer(PARTY, ANN, 1, OfferState.LIVE, OfferState.PENDING, NINE))

    assert reads.offer(ANN, 1) == OFFER


def test_a_live_offer_is_cut_short_and_never_made_longer(store: Store) -> None:
    reads = given(store, guest())
    commit(store, AddOffer(OFFER))
    sooner = CutOffer(PARTY, ANN, 1, NINE + 2 * HOUR)
    assert refused(store, sooner), "a pending offer has no deadline"
    commit(
        store, MoveOffer(PARTY, ANN, 1, OfferState.PENDING, OfferState.LIVE, NINE, NINE + 6 * HOUR)
    )

    commit(store, sooner)

    live = replace(OFFER, state=OfferState.LIVE, armed_at=NINE, claim_by=NINE + 2 * HOUR)
    assert reads.offer(ANN, 1) == live
    assert refused(store, sooner)
    assert refused(store, replace(sooner, claim_by=NINE + 3 * HOUR))
    assert refused(store, replace(sooner, event_id=EventId("other"), claim_by=NINE + HOUR))
    commit(store, MoveOffer(PARTY, ANN, 1, OfferState.LIVE, OfferState.EXPIRED, NINE + 2 * HOUR))
    assert refused(store, replace(sooner, claim_by=NINE + HOUR))


def test_a_guest_has_one_open_offer_at_most(store: Store) -> None:
    given(store, guest())
    commit(store, AddOffer(OFFER))

    assert refused(store, AddOffer(OFFER))
    assert refused(store, AddOffer(replace(OFFER, seq=2)))
    commit(store, MoveOffer(PARTY, ANN, 1, OfferState.PENDING, OfferState.WITHDRAWN, NINE))
    commit(store, AddOffer(replace(OFFER, seq=2)))


# --- imports --------------------------------------------------------------------------------


def test_an_import_is_worked_off_row_by_row_and_forgets_names(store: Store) -> None:
    reads = given(store, guest())
    job = Job(JobId("j1"), "ev", "import", PARTY, total=3)
    rows = (
        ImportRow(2, "Bob", "bob@example.org", 1),
        ImportRow(3, "?", "nonsense", 1, outcome="bad address"),
        ImportRow(4, "Cat", "cat@example.org", 2),
    )
    commit(store, AddJob(job), AddImport(job.id, rows))
    assert reads.jobs(PARTY) == [job]
    assert reads.import_row(job.id, 0) == rows[0]
    assert reads.import_row(job.id, 2) == rows[2]

    commit(store, SettleImportRow(job.id, 2, "confirmed", "bob"))

    assert refused(store, SettleImportRow(job.id, 2, "waiting", "bob"))
    assert reads.import_row(job.id, 0) == rows[2]
    assert reads.import_row(job.id, 4) is None
    assert reads.import_rows(job.id) == [
        ImportRow(2, "", "", 1, "confirmed", "bob"),
        ImportRow(3, "", "", 1, "bad address"),
        rows[2],
    ]


# --- reads for pages ------------------------------------------------------------------------


def names(rows: object) -> list[str]:
    assert isinstance(rows, list)
    return [each.guest.id for each in rows]


def test_guests_are_listed_with_their_names(store: Store) -> None:
    reads = given(store, guest())

    assert reads.guest_rows(PARTY) == [
        GuestRow(guest(), Person(person_id("ann"), "Ann", "ann@example.org"))
    ]


def test_the_list_is_sorted_filtered_and_paged(line: Store) -> None:
    reads = rsvp(line)

    assert names(reads.guest_rows(PARTY)) == [
        "lapsed",
        "offered",
        "seated",
        "second",
        "seen",
        "third",
    ]
    assert names(reads.guest_rows(PARTY, limit=2, offset=1)) == ["offered", "seated"]
    assert names(reads.guest_rows(PARTY, order="-name", limit=2)) == ["third", "seen"]
    waits = frozenset({State.WAITING})
    assert names(reads.guest_rows(PARTY, states=waits, order="line")) == [
        "seen",
        "second",
        "third",
        "lapsed",
    ]
    assert names(reads.guest_rows(PARTY, states=waits, order="-line", limit=1)) == ["lapsed"]
    assert names(reads.guest_rows(PARTY, order="state", limit=2)) == ["seated", "offered"]
    assert reads.guest_count(PARTY, states=waits) == 4
    assert reads.guest_rows(PARTY, states=frozenset()) == []


def test_guests_are_sorted_by_when_they_joined(store: Store) -> None:
    late = guest("ann", joined_at=NINE + HOUR)
    early = guest("bob", joined_at=NINE)
    reads = given(store, late, early)

    assert names(reads.guest_rows(PARTY, order="joined")) == ["bob", "ann"]
    assert names(reads.guest_rows(PARTY, order="-joined")) == ["ann", "bob"]


def test_a_search_looks_at_name_and_address_and_takes_wildcards_literally(store: Store) -> None:
    reads = given(store, guest("ann"), guest("joanna"), guest("b_b"), guest("bob"))

    assert names(reads.guest_rows(PARTY, search="ANN")) == ["ann", "joanna"]
    assert names(reads.guest_rows(PARTY, search="bob@exa")) == ["bob"]
    assert names(reads.guest_rows(PARTY, search="b_b")) == ["b_b"]
    assert reads.guest_rows(PARTY, search="%") == []
    assert reads.guest_count(PARTY, search="ann") == 2


def test_guests_and_seats_are_counted_by_state(line: Store) -> None:
    assert rsvp(line).counts(PARTY) == {
        State.PENDING: (0, 0),
        State.CONFIRMED: (1, 1),
        State.WAITING: (4, 5),
        State.OFFERED: (1, 1),
        State.CANCELLED: (0, 0),
    }


def test_jobs_go_through_guests_by_id(line: Store) -> None:
    reads = rsvp(line)

    assert ids(reads.guests_after(PARTY, "", 2)) == ["lapsed", "offered"]
    assert ids(reads.guests_after(PARTY, "seen", 10)) == ["third"]


def test_the_story_of_an_event_or_guest_is_its_facts_in_order(store: Store) -> None:
    reads = given(store, guest())
    joined = GuestJoinedLine(PARTY, ANN, 1, person_id("ann"), 2, Lane.FORM, None, 4, 1)
    first, second = commit(store, facts=(fact(), joined)).facts
    (third,) = commit(store, facts=(ThanksDue(PARTY, ANN, 2),)).facts
    commit(store, facts=(fact("another"),))

    assert reads.facts(PARTY) == [first, second, third]
    assert reads.facts(PARTY, about=ANN) == [second, third]
    assert reads.facts(PARTY, after=first.seq, limit=1) == [second]
    assert reads.facts_between(PARTY, joined.kind, NINE, NINE + HOUR) == [second]
    assert reads.facts_between(PARTY, joined.kind, NINE - HOUR, NINE) == []
