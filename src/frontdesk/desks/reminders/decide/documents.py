"""Decides about `reminders.yml`. Its text and the rules in force change in one commit."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.core.localtime import BadZone, zone
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.core.yaml_tree import MOST_BYTES
from frontdesk.desks.reminders.commands import ConfirmRulesFile, TakeRules
from frontdesk.desks.reminders.document_facts import DocumentTaken, DocumentUnclear, RulesChanged
from frontdesk.desks.reminders.model import CODE, SAVED_RULES
from frontdesk.desks.reminders.reasons import Reason
from frontdesk.desks.reminders.rules import ReminderRules
from frontdesk.desks.reminders.rules_file import parse_rules
from frontdesk.features.documents.decide import DocumentDecisions
from frontdesk.features.documents.model import Document, saved_document
from frontdesk.values import Frozen

RULES_NAME: Final = "reminders.yml"
DOCUMENTS: Final = DocumentDecisions(CODE, DocumentTaken, DocumentUnclear)
SAVED_DOCUMENT: Final = saved_document(CODE, RULES_NAME)


class RulesView(Frozen):
    document: Document
    rules: ReminderRules
    """The rules in force."""


def take(view: RulesView, command: TakeRules, now: datetime) -> Decision:
    """Puts a whole text in force. If the text has mistakes, stores it and leaves the last good one
    in force."""
    try:
        zone(command.zone)
    except BadZone:
        return Refused(Reason.BAD_RULES)
    text = command.text[: MOST_BYTES + 1].encode("utf-8", "replace").decode()
    parsed = parse_rules(text, command.zone)
    if parsed.rules is None:
        count = len(parsed.problems)
        return DOCUMENTS.keep_unclear(view.document, text, command.replaces, now, count)
    taken = DOCUMENTS.accept(view.document, text, command.replaces, now)
    if parsed.rules == view.rules:
        return taken
    stored = taken if isinstance(taken, Accepted) else Accepted()
    return Accepted(
        (*stored.changes, WriteSetting(SAVED_RULES, view.rules, parsed.rules)),
        (*stored.facts, RulesChanged(parsed.rules)),
    )


def confirm_file(view: RulesView, command: ConfirmRulesFile, _now: datetime) -> Decision:
    return DOCUMENTS.confirm_file(view.document, command.text)
