"""Every short history of consent to texts, and every pair of simultaneous statements, in both
stores."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from frontdesk.core.consents import (
    ConsentRecord,
    ConsentSource,
    Statement,
    WriteConsent,
    add_statement,
)
from frontdesk.engine.ports import Store
from frontdesk.errors import Conflict
from tests.store.samples import NINE, add_person, commit, person_id

MOBILE, OTHER = "+6591234567", "+6598765432"
YES, NO = (Statement(ConsentSource.SHEET, given, str(given)) for given in (True, False))
FORM = Statement(ConsentSource.BOOKING_FORM, words="You agree.")
TOLD, REFUSED = (Statement(ConsentSource.STAFF, given) for given in (True, False))
STOP = Statement(ConsentSource.REPLY, given=False, words="STOP")
START = Statement(ConsentSource.REPLY, words="START")
ALL = (YES, NO, FORM, TOLD, REFUSED, STOP, START)
DEPTH = 4


def histories() -> Iterator[tuple[Statement, ...]]:
    yield from product(ALL, repeat=DEPTH)


def expected(history: tuple[Statement, ...]) -> bool | None:
    """Decides a second time, independently, whether a number may get texts."""
    allowed: bool | None = None
    in_sheet: Statement | None = None
    has_stopped = False
    for said in history:
        if said.source is ConsentSource.REPLY:
            has_stopped = not said.given
        elif has_stopped or said == in_sheet:
            continue
        if said.source is ConsentSource.SHEET:
            in_sheet = said
        allowed = said.given
    return allowed


def record_after(history: tuple[Statement, ...]) -> ConsentRecord:
    record = ConsentRecord(person_id("ann"))
    for said in history:
        record = add_statement(record, MOBILE, said, NINE) or record
    return record


@pytest.mark.spec("AR-24")
def test_every_record_of_few_statements_says_who_has_the_last_word() -> None:
    """Only a text from the number lifts a STOP, the sheet counts when its cell changes, and
    otherwise the last statement counts."""
    for history in histories():
        record = record_after(history)
        found = record.about(MOBILE)
        assert (found.given if found else None) == expected(history), history
        assert record.version == len(record.statements)
        assert record.about(OTHER) is None
        for before, after in zip(record.statements, record.statements[1:], strict=False):
            assert before.statement != after.statement


@pytest.mark.spec("AR-24")
@pytest.mark.parametrize("known", [(), (FORM,), (STOP,)], ids=["nothing", "agreed", "stopped"])
def test_two_statements_that_cross_both_count_and_a_stop_always_does(
    store: Store, known: tuple[Statement, ...]
) -> None:
    """Both are decided on the same rows, so the second write is refused and decided again."""
    for number, (first, second) in enumerate(product(ALL, repeat=2)):
        who = person_id(f"ann{number}")
        commit(store, add_person(f"ann{number}"))
        for said in known:
            _write(store, store.reads().engine.consent(who), said)
        as_read = store.reads().engine.consent(who)

        has_written = _write(store, as_read, first)
        if has_written and add_statement(as_read, MOBILE, second, NINE):
            with pytest.raises(Conflict):
                _write(store, as_read, second)
        _write(store, store.reads().engine.consent(who), second)

        record = store.reads().engine.consent(who)
        found = record.about(MOBILE)
        assert (found.given if found else None) == expected((*known, first, second))
        if STOP in (first, second) and START not in (first, second):
            assert not record.allows(MOBILE)


def _write(store: Store, record: ConsentRecord, said: Statement) -> bool:
    after = add_statement(record, MOBILE, said, NINE)
    if after is not None:
        commit(store, WriteConsent(after))
    return after is not None
