"""The document `rules.yml` of the booking desk: the commands about it, and its files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from frontdesk.core.decision import Command
from frontdesk.desks.booking import commands
from frontdesk.desks.booking.decide import documents
from frontdesk.desks.booking.decide.documents import (
    DOCUMENTS,
    RULES_NAME,
    SAVED_DOCUMENT,
    RulesView,
)
from frontdesk.desks.booking.model import SAVED_RULES
from frontdesk.desks.booking.rules_file.catalogue import default_rules
from frontdesk.engine.desk import Rule
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.features.catalogue.model import CATALOGUE
from frontdesk.features.documents.sync import DocumentDesk, Documents
from frontdesk.web.shared_objects import SharedKey

Zone = Callable[[Reads], str]
"""Returns the time zone of the business."""

#: The key in `Site.shared` of the document with its files.
EDITED_RULES: Final = SharedKey[Documents]("bk.documents")


def load(reads: Reads, _command: Command) -> RulesView:
    return view(reads)


def view(reads: Reads) -> RulesView:
    saved = reads.engine.setting
    return RulesView(saved(SAVED_DOCUMENT), saved(SAVED_RULES), saved(CATALOGUE))


RULES: Final[Mapping[type[Command], Rule]] = {
    commands.TakeRules: Rule(load, documents.take),
    commands.ConfirmRulesFile: Rule(load, documents.confirm_file),
    commands.FollowBusiness: Rule(load, documents.follow_business),
    commands.EditCatalogue: Rule(load, documents.edit_catalogue),
}


def document_desk(zone: Zone, reads: Callable[[], Reads]) -> DocumentDesk:
    return DocumentDesk(
        DOCUMENTS,
        built_in=FirstRules(reads),
        take=lambda now, _name, text, replaces: commands.TakeRules(text, zone(now), replaces),
        confirm_file=lambda _name, text: commands.ConfirmRulesFile(text),
        is_current=lambda now: view(now).rules.zone == zone(now),
    )


class FirstRules(Mapping[str, str]):
    """The text that the editor shows until somebody saves one: made from the catalogue."""

    def __init__(self, reads: Callable[[], Reads]) -> None:
        self._reads = reads

    def __getitem__(self, name: str) -> str:
        if name != RULES_NAME:
            raise KeyError(name)
        return default_rules(view(self._reads()).catalogue)

    def __iter__(self) -> Iterator[str]:
        return iter((RULES_NAME,))

    def __len__(self) -> int:
        return 1


def follow_business(zone: Zone) -> Callable[[Reads, Recorded], Iterable[Command]]:
    """Returns the reaction to a catalogue or time zone that another desk has changed."""

    def react(reads: Reads, _recorded: Recorded) -> Iterable[Command]:
        yield commands.FollowBusiness(zone(reads))

    return react
