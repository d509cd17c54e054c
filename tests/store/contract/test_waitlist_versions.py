"""Versions of the list: stored in order, read back completely, without erased people."""

from __future__ import annotations

from typing import cast

import pytest

from frontdesk.core.decision import Accepted, Change
from frontdesk.core.people import AddPerson, ErasePerson, PersonId
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.waitlist.changes import AddEntry
from frontdesk.desks.waitlist.model import EntryId
from frontdesk.desks.waitlist.views import ListRow
from frontdesk.engine.ports import Store
from frontdesk.errors import Conflict
from frontdesk.features.sheet_sync.model import (
    Counts,
    KeepVersion,
    Row,
    SheetProblem,
    SheetReads,
    SheetState,
    Version,
    VersionHead,
    sheet_state_setting,
)
from frontdesk.values import replace
from tests.support.waitlist import MINUTE, NINE, entry

HEADINGS = Row(1, ("name", "mobile", "e-mail", "service", "notes", "id"))
ANN = Row(2, ("Ann", "+65 9123 4567", "", "cut", "tea", "ann"))
BOB = Row(4, ("Bob", "", "BOB@example.org", "cut", "likes ann@example.org.au", "bob"))
PROBLEMS = (SheetProblem(2, "Until", "This is not a date."),)


def version(number: int, *rows: Row) -> Version:
    head = VersionHead(number, NINE + number * MINUTE, "sheet", "file:list.csv", Counts(1, 2, 3, 4))
    unsettled, unseen = frozenset({2, 4}), frozenset({EntryId("ann")})
    head = replace(head, problem_count=3, problems=PROBLEMS)
    return Version(head, (HEADINGS, *rows), unsettled, unseen)


def commit(store: Store, *changes: Change) -> None:
    store.commit(Accepted(changes), by="test", at=NINE)


def sheet(store: Store) -> SheetReads:
    return cast(SheetReads, store.reads().desk("wl").sheet)


@pytest.mark.spec("WL-02")
def test_versions_are_read_back_as_they_were_kept(store: Store) -> None:
    assert (sheet(store).last(), list(sheet(store).heads(5))) == (None, [])
    for number in (1, 2, 3):
        commit(store, KeepVersion("wl", version(number, ANN, BOB)))

    assert sheet(store).version(2) == version(2, ANN, BOB)
    assert sheet(store).last() == version(3, ANN, BOB)
    assert sheet(store).version(4) is None
    heads = [replace(version(number).head, problems=()) for number in (3, 2, 1)]
    assert list(sheet(store).heads(5)) == heads
    assert list(sheet(store).heads(1)) == heads[:1]
    assert list(sheet(store).heads(5, before=3)) == heads[1:]


def test_of_two_that_keep_the_same_number_one_is_first(store: Store) -> None:
    commit(store, KeepVersion("wl", version(1, ANN)))
    for number in (1, 3):
        with pytest.raises(Conflict):
            commit(store, KeepVersion("wl", version(number, BOB)))
    assert sheet(store).last() == version(1, ANN)


def test_more_versions_than_fit_one_item_are_found(store: Store) -> None:
    for number in range(1, 103):
        commit(store, KeepVersion("wl", version(number)))
    assert [head.number for head in sheet(store).heads(200)] == list(range(102, 0, -1))
    assert [head.number for head in sheet(store).heads(3, before=51)] == [50, 49, 48]
    assert sheet(store).version(50) == version(50)


@pytest.mark.spec("FD-20")
def test_an_erased_person_is_removed_from_every_version(store: Store) -> None:
    ann, bob = PersonId("p-ann"), PersonId("p-bob")
    commit(store, AddPerson(ann, "Ann", "", "+6591234567", "+6591234567"))
    commit(store, AddPerson(bob, "Bob", "bob@example.org", "bob@example.org"))
    without_country = Row(2, ("Ann", "91234567", "", "cut"))
    commit(store, KeepVersion("wl", version(1, ANN, BOB)))
    commit(store, KeepVersion("wl", version(2, without_country)))
    formerly = Row(3, ("Ann", "", "ann@former.example", "cut", "", "ann"))
    commit(store, KeepVersion("wl", version(3, formerly, BOB)))

    commit(store, ErasePerson(ann))
    assert sheet(store).version(1) == version(1, BOB)
    assert sheet(store).version(2) == version(2)
    assert sheet(store).version(3) == version(3, BOB)
    commit(store, ErasePerson(bob))
    assert sheet(store).version(1) == version(1)


def test_the_state_of_the_sync_is_kept(store: Store) -> None:
    assert sheet(store).state() == SheetState()
    state = SheetState("7", NINE, PROBLEMS, "No file.", (EntryId("ann"),), NINE, True)
    commit(store, WriteSetting(sheet_state_setting("wl"), SheetState(), state))
    assert sheet(store).state() == state


def test_every_entry_is_read_with_its_person(store: Store) -> None:
    bob = entry("bob")
    commit(store, AddPerson(bob.person_id, "Bob", "bob@example.org", "bob@example.org", "+6581"))
    commit(store, AddEntry(bob))
    assert list(store.reads().desk("wl").list_rows()) == [
        ListRow(bob, "Bob", "bob@example.org", "+6581")
    ]
    commit(store, ErasePerson(bob.person_id))
    assert list(store.reads().desk("wl").list_rows()) == [ListRow(bob, "", "", "", is_erased=True)]
