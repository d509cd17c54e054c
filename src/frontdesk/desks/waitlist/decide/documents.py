"""Decides about the documents of the business, its catalogue and its calendar."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, assert_never

from frontdesk.core.decision import Accepted, Change, Decision, Fact, Refused, TimerChange
from frontdesk.core.localtime import BadZone, zone
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.waitlist import rules_doc
from frontdesk.desks.waitlist.commands import (
    ConfirmDocumentFile,
    SetCatalogue,
    SetRules,
    SettleCalendar,
    TakeDocument,
)
from frontdesk.desks.waitlist.decide import timers
from frontdesk.desks.waitlist.document_facts import (
    CatalogueChanged,
    DocumentTaken,
    DocumentUnclear,
    RulesChanged,
)
from frontdesk.desks.waitlist.facts import CalendarSettled
from frontdesk.desks.waitlist.messages.staff import DOCUMENT
from frontdesk.desks.waitlist.model import (
    SAVED_RULES,
    Check,
    DocumentName,
    OrderBy,
    Rules,
)
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.rules_doc import WrittenRules
from frontdesk.desks.waitlist.views import DocumentView
from frontdesk.features.calendars.state import CalendarState, calendar_setting
from frontdesk.features.catalogue.model import Catalogue, change_catalogue
from frontdesk.features.documents.decide import DocumentDecisions
from frontdesk.features.documents.model import Document
from frontdesk.features.wordings.document import MOST_CHARACTERS
from frontdesk.values import replace

SHORTEST_WINDOW: Final = timedelta(minutes=1)
MOST_TRIES: Final = 1_000
#: One character more than a document may have, so that a shortened text is still rejected.
MOST_TEXT: Final = MOST_CHARACTERS + 1
#: The orders that rules can name. Each store can read the list in all of them.
ORDERS: Final = ((OrderBy.PRIORITY, OrderBy.JOINED), (OrderBy.JOINED,))

DOCUMENTS: Final = DocumentDecisions("wl", DocumentTaken, DocumentUnclear)


def set_rules(view: Rules, command: SetRules, now: datetime) -> Decision:
    """Changes the rules. They apply to slots that come free from now on."""
    if view == command.rules:
        return Refused(Reason.UNCHANGED)
    if not _make_sense(command.rules):
        return Refused(Reason.BAD_RULES)
    return Accepted(*_other_rules(view, command.rules, now))


def _make_sense(rules: Rules) -> bool:
    try:
        zone(rules.zone)
    except BadZone:
        return False
    return (
        rules.order in ORDERS
        and rules.claim_window >= SHORTEST_WINDOW
        and rules.cut_off >= timedelta()
        and 1 <= rules.tries <= MOST_TRIES
        and rules.send_tries >= 1
        and (rules.down_fitting is None or rules.down_fitting >= 0)
    )


def _other_rules(
    before: Rules, rules: Rules, now: datetime
) -> tuple[tuple[Change, ...], tuple[Fact, ...], tuple[TimerChange, ...]]:
    return (
        (WriteSetting(SAVED_RULES, before, rules),),
        (RulesChanged(rules),),
        (timers.next_expiry(rules, now), timers.next_summary(rules, now)),
    )


def take_document(view: DocumentView, command: TakeDocument, now: datetime) -> Decision:
    """Accepts a document as a whole, or stores it and leaves the last good one in force."""
    try:
        zone(command.zone)
    except BadZone:
        return Refused(Reason.BAD_RULES)
    command = replace(command, text=command.text[:MOST_TEXT])
    match command.name:
        case DocumentName.RULES:
            return _take_rules(view, command, now)
        case DocumentName.VOICE:
            return _take_voice(view.document, command, now)
        case _:
            assert_never(command.name)


def _take_rules(view: DocumentView, command: TakeDocument, now: datetime) -> Decision:
    """Puts rules in force. The first rules set the desk's timers, even if they equal the
    defaults."""
    before, text, replaces = view.document, command.text, command.replaces
    parsed = rules_doc.parse(text)
    if parsed.problems:
        return DOCUMENTS.keep_unclear(before, text, replaces, now, len(parsed.problems))
    rules = as_rules(parsed.rules, command.zone)
    if not _make_sense(rules):
        return Refused(Reason.BAD_RULES)
    taken = DOCUMENTS.accept(before, text, replaces, now)
    if rules == view.rules and before.good:
        return taken
    stored = taken if isinstance(taken, Accepted) else Accepted()
    changes, facts, set_timers = _other_rules(view.rules, rules, now)
    return Accepted((*stored.changes, *changes), (*stored.facts, *facts), set_timers)


def _take_voice(before: Document, command: TakeDocument, now: datetime) -> Decision:
    text, replaces = command.text, command.replaces
    if problems := DOCUMENT.parse(text).problems:
        return DOCUMENTS.keep_unclear(before, text, replaces, now, len(problems))
    return DOCUMENTS.accept(before, text, replaces, now)


def as_rules(written: WrittenRules, zone_name: str) -> Rules:
    """Converts a parsed rules document to the rules of the desk."""
    return Rules(
        zone=zone_name,
        order=tuple(OrderBy(each) for each in written.order),
        checks=tuple(Check(each) for each in written.checks),
        claim_window=written.claim_window,
        quiet=written.quiet,
        tries=written.tries,
        down_fitting=written.down_fitting,
        cut_off=written.cut_off,
        send_tries=written.send_tries,
    )


def confirm_file(view: DocumentView, command: ConfirmDocumentFile, _now: datetime) -> Decision:
    return DOCUMENTS.confirm_file(view.document, command.text)


def set_catalogue(view: Catalogue, command: SetCatalogue, _now: datetime) -> Decision:
    after = command.catalogue
    return change_catalogue(view, after, CatalogueChanged(after))


def settle_calendar(state: CalendarState, command: SettleCalendar, _now: datetime) -> Decision:
    settled = state.settled(command.slot_ids, keep=command.keep)
    if settled == state:
        return Refused(Reason.UNCHANGED)
    said = sum(each in command.slot_ids for each in state.missing)
    change = WriteSetting(calendar_setting("wl"), state, settled)
    return Accepted((change,), (CalendarSettled(said, kept=command.keep),))
