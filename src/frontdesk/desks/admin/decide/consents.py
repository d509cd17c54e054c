"""Decides what staff record about consent to texts."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from frontdesk.core.consents import (
    MOST_WORDS,
    TEXT_CONSENT,
    Consent,
    ConsentRecord,
    ConsentSource,
    Statement,
    TextConsent,
    WriteConsent,
    add_statement,
)
from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.core.members import Role
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.admin.commands import RecordConsent, SetTextConsent
from frontdesk.desks.admin.facts import ConsentRecorded, TextConsentSet
from frontdesk.desks.admin.model import strongest
from frontdesk.desks.admin.reasons import Reason
from frontdesk.desks.admin.views import PersonView
from frontdesk.values import replace

DEFAULT_NOTE: Final = "They told us."


def record(view: PersonView, command: RecordConsent, now: datetime) -> Decision:
    """Adds a statement about the person's number. Only a text from it lifts a STOP."""
    person = view.person
    if person is None or person.erased or not person.mobile:
        return Refused(Reason.UNKNOWN)
    if strongest(view.memberships) is not None and command.role is not Role.OWNER:
        return Refused(Reason.OF_THE_TEAM)
    before = view.consent or ConsentRecord(person.id)
    last = before.about(person.mobile)
    note = " ".join(command.note.split()) or DEFAULT_NOTE
    if last is not None and last.given is command.given and not command.note.strip():
        return Refused(Reason.UNCHANGED)
    after = add_statement(
        before, person.mobile, Statement(ConsentSource.STAFF, command.given, note=note), now
    )
    if after is None:
        return Refused(Reason.NOT_NOW if _is_stopped(last) else Reason.UNCHANGED)
    return Accepted((WriteConsent(after),), (ConsentRecorded(person.id, command.given),))


def _is_stopped(last: Consent | None) -> bool:
    return last is not None and not last.given and last.source is ConsentSource.REPLY


def set_rule(before: TextConsent, command: SetTextConsent, _now: datetime) -> Decision:
    sentence = " ".join(command.sentence.split())
    if not sentence or len(sentence) > MOST_WORDS:
        return Refused(Reason.BAD_SENTENCE)
    after = replace(before.with_sentence(sentence), rule=command.rule)
    if after == before:
        return Refused(Reason.UNCHANGED)
    written = WriteSetting(TEXT_CONSENT, before, after)
    return Accepted((written,), (TextConsentSet(command.rule, sentence),))
