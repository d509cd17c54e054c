"""The documents `reminders.yml` and the words of messages: rules for the engine, and files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from frontdesk.core.decision import Command
from frontdesk.desks.reminders.commands import (
    ConfirmRulesFile,
    ConfirmVoiceFile,
    SetWording,
    TakeRules,
    TakeVoice,
)
from frontdesk.desks.reminders.decide import documents
from frontdesk.desks.reminders.decide.documents import (
    DOCUMENTS,
    RULES_NAME,
    SAVED_DOCUMENT,
    RulesView,
)
from frontdesk.desks.reminders.document_facts import WordingsChanged
from frontdesk.desks.reminders.messages import DOCUMENT
from frontdesk.desks.reminders.model import CODE, SAVED_RULES
from frontdesk.desks.reminders.reasons import Reason
from frontdesk.desks.reminders.rules_file import EXAMPLE
from frontdesk.desks.reminders.voice import VoiceDocument
from frontdesk.engine.desk import Rule
from frontdesk.engine.ports import Reads
from frontdesk.features.documents.sync import DocumentDesk

#: Its name differs from that of the waitlist's document, because a bucket has both.
VOICE_NAME: Final = "reminder-voice"
VOICE: Final = VoiceDocument(
    CODE, VOICE_NAME, DOCUMENT, DOCUMENTS, WordingsChanged, Reason.UNCHANGED
)


class BuiltInTexts(Mapping[str, str]):
    """The texts in force until staff write their own. They include wordings that staff changed
    before."""

    def __init__(self, reads: Callable[[], Reads]) -> None:
        self._reads = reads

    def __getitem__(self, name: str) -> str:
        if name not in (RULES_NAME, VOICE_NAME):
            raise KeyError(name)
        return VOICE.text(self._reads()) if name == VOICE_NAME else EXAMPLE

    def __iter__(self) -> Iterator[str]:
        return iter((RULES_NAME, VOICE_NAME))

    def __len__(self) -> int:
        return 2


Zone = Callable[[Reads], str]
"""Returns the time zone of the business."""


def load(reads: Reads, _command: Command) -> RulesView:
    saved = reads.engine.setting
    return RulesView(saved(SAVED_DOCUMENT), saved(SAVED_RULES))


RULES: Final[Mapping[type[Command], Rule]] = {
    TakeRules: Rule(load, documents.take),
    ConfirmRulesFile: Rule(load, documents.confirm_file),
    TakeVoice: Rule(VOICE.load, VOICE.take),
    ConfirmVoiceFile: Rule(VOICE.load, VOICE.confirm_file),
    SetWording: Rule(VOICE.load, VOICE.set_wording),
}


def document_desk(zone: Zone, reads: Callable[[], Reads]) -> DocumentDesk:
    def take(now: Reads, name: str, text: str, replaces: str | None) -> Command:
        if name == VOICE_NAME:
            return TakeVoice(text, replaces)
        return TakeRules(text, zone(now), replaces)

    def confirm_file(name: str, text: str) -> Command:
        return ConfirmVoiceFile(text) if name == VOICE_NAME else ConfirmRulesFile(text)

    return DocumentDesk(
        DOCUMENTS,
        built_in=BuiltInTexts(reads),
        take=take,
        confirm_file=confirm_file,
        is_current=lambda now: now.engine.setting(SAVED_RULES).zone == zone(now),
        at_start=(RULES_NAME,),
    )
