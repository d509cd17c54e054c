"""Facts of the waitlist: between two instants, or of one kind with the newest first."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import cast

import pytest

from frontdesk.core.decision import Accepted, Fact
from frontdesk.core.people import AddPerson, Person, PersonId
from frontdesk.desks.admin.facts import PersonErased
from frontdesk.desks.waitlist.changes import AddEntry
from frontdesk.desks.waitlist.document_facts import DocumentTaken
from frontdesk.desks.waitlist.facts import EntryLeft, NobodyFitted
from frontdesk.desks.waitlist.model import DocumentName, EntryId, SlotId
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.engine.ports import Recorded, Store
from tests.support.waitlist import entry

#: The time when the tests begin: DynamoDB numbers facts by the clock of the machine.
NOW = datetime.now(UTC)
SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
ANN_LEFT = EntryLeft(EntryId("ann"), 2)
NOBODY = NobodyFitted(SlotId("s1"))


@pytest.fixture(autouse=True)
def starts_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "NOW", datetime.now(UTC).replace(microsecond=0))


def rules(text: str) -> DocumentTaken:
    return DocumentTaken(DocumentName.RULES, text)


def wl(store: Store) -> WaitlistReads:
    return cast(WaitlistReads, store.reads().desk("wl"))


def happens(store: Store, at: datetime, *facts: Fact) -> tuple[Recorded, ...]:
    return store.commit(Accepted((), facts), by="test", at=at).facts


@pytest.mark.spec("WL-22")
def test_all_that_happened_between_two_instants_is_found_in_order(store: Store) -> None:
    happens(store, NOW - SECOND, NobodyFitted(SlotId("s0")))
    first = happens(store, NOW, ANN_LEFT, PersonErased(PersonId("p")), rules("1"))
    second = happens(store, NOW + MINUTE - SECOND, NOBODY)
    happens(store, NOW + MINUTE, rules("2"))

    found = wl(store).facts_between(NOW, NOW + MINUTE)

    assert found == [first[0], first[2], *second]
    assert wl(store).facts_between(NOW + MINUTE, NOW + MINUTE) == []


@pytest.mark.spec("WL-22")
def test_a_busy_time_is_read_in_parts(store: Store) -> None:
    many = [
        each
        for n in range(3)
        for each in happens(store, NOW + n * SECOND, rules(f"{n}"), NOBODY, ANN_LEFT)
    ]
    read = wl(store).facts_between

    parts = [read(NOW, NOW + MINUTE, limit=4)]
    while parts[-1]:
        parts.append(read(NOW, NOW + MINUTE, after=parts[-1][-1].seq, limit=4))

    assert parts == [many[:4], many[4:8], many[8:], []]
    assert read(NOW, NOW + MINUTE, after=10**37) == []


@pytest.mark.spec("WL-23")
def test_the_newest_of_one_kind_come_first_however_many_others_there_are(store: Store) -> None:
    taken = [happens(store, NOW, rules(f"{n}"), NOBODY)[0] for n in range(5)]
    for _ in range(3):
        happens(store, NOW, *(20 * [NOBODY]))
    read, kind = wl(store).newest_facts, DocumentTaken.kind

    assert read("waitlist", kind, limit=2) == [taken[4], taken[3]]
    assert read("waitlist", kind, before=taken[3].seq) == [taken[2], taken[1], taken[0]]
    assert read("waitlist", kind, before=taken[0].seq) == []
    assert read("s1", kind) == []


def test_people_are_found_by_their_entries_all_at_once(store: Store) -> None:
    changes = [
        change
        for n in range(120)
        for change in (
            AddPerson(PersonId(f"p-{n}"), f"N{n}", f"n{n}@x.org", f"n{n}@x.org"),
            AddEntry(entry(f"{n}")),
        )
    ]
    for start in range(0, len(changes), 20):
        store.commit(Accepted(tuple(changes[start : start + 20])), by="test", at=NOW)
    ids = [EntryId(f"{n}") for n in range(0, 120, 2)]

    found = wl(store).people_of([*ids, EntryId("nobody")])

    assert found == {
        each: Person(PersonId(f"p-{each}"), f"N{each}", f"n{each}@x.org") for each in ids
    }
    assert wl(store).people_of([]) == {}
