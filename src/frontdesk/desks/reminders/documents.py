"""The document `reminders.yml`: its rules for the engine, and its files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from frontdesk.core.decision import Command
from frontdesk.desks.reminders.commands import ConfirmRulesFile, TakeRules
from frontdesk.desks.reminders.decide import documents
from frontdesk.desks.reminders.decide.documents import (
    DOCUMENTS,
    RULES_NAME,
    SAVED_DOCUMENT,
    RulesView,
)
from frontdesk.desks.reminders.model import SAVED_RULES
from frontdesk.desks.reminders.rules_file import EXAMPLE
from frontdesk.engine.desk import Rule
from frontdesk.engine.ports import Reads
from frontdesk.features.documents.sync import DocumentDesk

Zone = Callable[[Reads], str]
"""Returns the time zone of the business."""


def load(reads: Reads, _command: Command) -> RulesView:
    saved = reads.engine.setting
    return RulesView(saved(SAVED_DOCUMENT), saved(SAVED_RULES))


RULES: Final[Mapping[type[Command], Rule]] = {
    TakeRules: Rule(load, documents.take),
    ConfirmRulesFile: Rule(load, documents.confirm_file),
}


def document_desk(zone: Zone) -> DocumentDesk:
    return DocumentDesk(
        DOCUMENTS,
        built_in={RULES_NAME: EXAMPLE},
        take=lambda now, _name, text, replaces: TakeRules(text, zone(now), replaces),
        confirm_file=lambda _name, text: ConfirmRulesFile(text),
        is_current=lambda now: now.engine.setting(SAVED_RULES).zone == zone(now),
        at_start=(RULES_NAME,),
    )
