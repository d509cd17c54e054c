"""Consent to texts in both stores: written with its version, and erased with the person."""

from __future__ import annotations

import pytest

from frontdesk.core.consents import (
    TEXT_CONSENT,
    Consent,
    ConsentRecord,
    ConsentRule,
    ConsentSource,
    TextConsent,
    WriteConsent,
)
from frontdesk.core.people import ErasePerson
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.engine.ports import Store
from frontdesk.errors import Conflict
from tests.store.samples import HOUR, NINE, add_person, commit, person_id

ANN, BOB = person_id("ann"), person_id("bob")
FORM = Consent("+6591234567", NINE, ConsentSource.WAITLIST_FORM, words="You agree to texts – ok?")
STOP = Consent("+6591234567", NINE + HOUR, ConsentSource.REPLY, given=False, words="STOP")


@pytest.mark.spec("AR-24")
def test_statements_are_read_as_they_were_written(store: Store) -> None:
    commit(store, add_person("ann"), WriteConsent(ConsentRecord(ANN, (FORM,), 1)))
    commit(store, WriteConsent(ConsentRecord(ANN, (FORM, STOP), 2)))
    reads = store.reads().engine

    assert reads.consent(ANN) == ConsentRecord(ANN, (FORM, STOP), 2)
    assert reads.consent(BOB) == ConsentRecord(BOB)
    assert reads.person(ANN) is not None


@pytest.mark.spec("AR-24")
@pytest.mark.parametrize("version", [1, 2, 4])
def test_a_record_that_has_changed_is_not_overwritten(store: Store, version: int) -> None:
    commit(store, add_person("ann"), WriteConsent(ConsentRecord(ANN, (FORM,), 1)))
    commit(store, WriteConsent(ConsentRecord(ANN, (FORM, STOP), 2)))

    with pytest.raises(Conflict):
        commit(store, WriteConsent(ConsentRecord(ANN, (FORM,), version)))
    assert store.reads().engine.consent(ANN).statements == (FORM, STOP)


@pytest.mark.spec("AR-24", "FD-15")
def test_erasing_a_person_removes_their_statements_alone(store: Store) -> None:
    for who in (ANN, BOB):
        name = who.removeprefix("p-")
        commit(store, add_person(name), WriteConsent(ConsentRecord(who, (FORM,), 1)))
    commit(store, ErasePerson(ANN))
    commit(store, ErasePerson(ANN))

    assert store.reads().engine.consent(ANN).statements == ()
    assert store.reads().engine.consent(BOB).statements == (FORM,)


@pytest.mark.spec("AR-24")
def test_the_rule_and_the_sentence_are_saved(store: Store) -> None:
    before = store.reads().engine.setting(TEXT_CONSENT)
    after = TextConsent(ConsentRule.REQUIRED, "Texts from {business}.", (before.sentence,))
    commit(store, WriteSetting(TEXT_CONSENT, before, after))

    assert before == TextConsent()
    assert store.reads().engine.setting(TEXT_CONSENT) == after
