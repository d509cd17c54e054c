"""`rules.yml`, the rules in force and the catalogue are one commit on both stores."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import cast

import pytest

from frontdesk.core.decision import Accepted, Decision
from frontdesk.desks.booking.commands import EditCatalogue, FollowBusiness, TakeRules
from frontdesk.desks.booking.decide import documents
from frontdesk.desks.booking.documents import view
from frontdesk.desks.booking.facts import DocumentTaken, RulesChanged
from frontdesk.desks.booking.reads import BookingReads
from frontdesk.desks.booking.rules_file.parser import parse_rules
from frontdesk.engine.ports import Store
from frontdesk.errors import Conflict
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.values import replace

NINE = datetime(2026, 11, 20, 9, tzinfo=UTC)
TEXT = "hours: {mon: 9:00-17:00}\nstaff: {mira: {name: Mira}}\nservices: {Cut: {minutes: 30}}\n"
CUT = Service("Cut", timedelta(minutes=30))
LARGE = "".join(
    f"  Service {n}: {{minutes: 30, staff: [s1], aliases: [a{n}]}}\n" for n in range(200)
)


def commit(store: Store, decision: Decision) -> None:
    assert isinstance(decision, Accepted)
    store.commit(decision, by="member:mia", at=NINE)


def take(store: Store, text: str) -> Decision:
    return documents.take(view(store.reads()), TakeRules(text, "Europe/Berlin", ""), NINE)


@pytest.mark.spec("BK-08")
def test_accepted_rules_are_kept_with_their_text_facts_and_catalogue(store: Store) -> None:
    commit(store, take(store, TEXT))
    now = view(store.reads())
    assert (now.document.text, now.document.good) == (TEXT, TEXT)
    assert now.rules == parse_rules(TEXT, "Europe/Berlin").rules
    assert now.catalogue == Catalogue((CUT,), ("Mira",))
    bk = cast(BookingReads, store.reads().desk("bk"))
    [taken] = bk.newest_facts("booking", DocumentTaken.kind)
    [changed] = bk.newest_facts("booking", RulesChanged.kind)
    assert (taken.fact, changed.fact) == (DocumentTaken("rules.yml", TEXT), RulesChanged(now.rules))


@pytest.mark.spec("BK-08")
def test_a_broken_edit_leaves_the_last_good_rules_in_force(store: Store) -> None:
    commit(store, take(store, TEXT))
    good = view(store.reads())
    commit(store, take(store, TEXT.replace("9:00", "nine")))
    now = view(store.reads())
    assert (now.rules, now.catalogue, now.document.good) == (good.rules, good.catalogue, TEXT)
    assert not now.document.is_good


@pytest.mark.spec("BK-08")
def test_an_edit_of_the_catalogue_is_one_commit_with_the_rules(store: Store) -> None:
    def edit(catalogue: Catalogue) -> Decision:
        return documents.edit_catalogue(view(store.reads()), EditCatalogue(catalogue), NINE)

    first = Catalogue((CUT,), ("Mira",), "S$")
    commit(store, edit(first))
    assert view(store.reads()).catalogue == first
    assert view(store.reads()).rules.services == ()

    commit(store, take(store, TEXT))
    crossing = edit(Catalogue((CUT, Service("Colour")), ("Mira",), "S$"))
    commit(store, edit(Catalogue((replace(CUT, name="Trim"),), ("Mira",), "S$")))
    with pytest.raises(Conflict):
        commit(store, crossing)
    now = view(store.reads())
    assert now.catalogue.names == ("Trim",)
    assert [one.name for one in now.rules.services] == ["Trim"]
    assert "Trim: {minutes: 30}" in now.document.text


@pytest.mark.spec("BK-08")
def test_of_two_edits_at_once_one_is_refused_as_a_whole(store: Store) -> None:
    first, second = take(store, TEXT), take(store, TEXT.replace("Cut", "Trim"))
    commit(store, first)
    with pytest.raises(Conflict):
        commit(store, second)
    now = view(store.reads())
    assert [one.name for one in now.rules.services] == ["Cut"]
    assert [one.name for one in now.catalogue.services] == ["Cut"]


@pytest.mark.spec("BK-08")
def test_the_largest_rules_fit_into_a_row(store: Store) -> None:
    commit(store, take(store, f"staff: {{s1: {{}}}}\nservices:\n{LARGE}"))
    now = view(store.reads())
    assert len(now.rules.services) == len(now.catalogue.services) == 200
    again = documents.follow_business(now, FollowBusiness("Asia/Kolkata"), NINE)
    commit(store, again)
    assert view(store.reads()).rules.zone == "Asia/Kolkata"
