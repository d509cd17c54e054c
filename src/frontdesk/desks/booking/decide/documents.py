"""Decides about `rules.yml`: its text, the rules in force and the catalogue change together."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from frontdesk.core.decision import Accepted, Change, Decision, Fact, Refused
from frontdesk.core.localtime import BadZone, zone
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.core.yaml_edit import CannotEdit
from frontdesk.core.yaml_tree import MOST_BYTES
from frontdesk.desks.booking import commands
from frontdesk.desks.booking.facts import DocumentTaken, DocumentUnclear, RulesChanged
from frontdesk.desks.booking.model import CODE, SAVED_RULES
from frontdesk.desks.booking.reasons import Reason
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.booking.rules_file.catalogue import catalogue_of, follow
from frontdesk.desks.booking.rules_file.parser import parse_rules
from frontdesk.features.catalogue.model import CATALOGUE, Catalogue, change_catalogue
from frontdesk.features.documents.decide import DocumentDecisions
from frontdesk.features.documents.model import Document, digest, saved_document
from frontdesk.values import Frozen, replace

RULES_NAME: Final = "rules.yml"
DOCUMENTS: Final = DocumentDecisions(CODE, DocumentTaken, DocumentUnclear)
SAVED_DOCUMENT: Final = saved_document(CODE, RULES_NAME)


class RulesView(Frozen):
    document: Document
    rules: BookingRules
    """The rules in force."""
    catalogue: Catalogue


def take(view: RulesView, command: commands.TakeRules, now: datetime) -> Decision:
    """Puts a text in force. Only stores a text with mistakes; the last good one stays in force."""
    if not _is_zone(command.zone):
        return Refused(Reason.BAD_RULES)
    text = command.text[: MOST_BYTES + 1].encode("utf-8", "replace").decode()
    parsed = parse_rules(text, command.zone)
    if parsed.rules is None:
        count = len(parsed.problems)
        return DOCUMENTS.keep_unclear(view.document, text, command.replaces, now, count)
    taken = DOCUMENTS.accept(view.document, text, command.replaces, now)
    stored = taken if isinstance(taken, Accepted) else Accepted()
    changes, facts = _in_force(view, parsed.rules, view.catalogue.currency)
    if not changes:
        return taken
    return Accepted((*stored.changes, *changes), (*stored.facts, *facts))


def confirm_file(view: RulesView, command: commands.ConfirmRulesFile, _now: datetime) -> Decision:
    return DOCUMENTS.confirm_file(view.document, command.text)


def follow_business(view: RulesView, command: commands.FollowBusiness, now: datetime) -> Decision:
    """Edits the text so that it has the services and staff of the catalogue.

    Refuses if the text cannot be edited: the rules stay, and their page shows the difference.
    """
    if not view.document.good or not _is_zone(command.zone):
        return Refused(Reason.UNCHANGED)
    return _follow(view, view.catalogue, command.zone, now)


def edit_catalogue(view: RulesView, command: commands.EditCatalogue, now: datetime) -> Decision:
    """Changes the catalogue, and the text of the rules if there is one. The first text is made from
    the catalogue."""
    wanted = command.catalogue
    if not wanted.is_valid:
        return Refused(Reason.BAD_RULES)
    if not view.document.good:
        return change_catalogue(view.catalogue, wanted, RulesChanged(view.rules))
    return _follow(view, wanted, view.rules.zone, now)


def _follow(view: RulesView, wanted: Catalogue, zone_name: str, now: datetime) -> Decision:
    """Edits the text so that it has the services and staff of `wanted`."""
    before = view.document
    known = catalogue_of(view.rules, view.catalogue.currency)
    good = _followed(before.good, known, wanted)
    if good is None:
        return Refused(Reason.BAD_RULES)
    rules = parse_rules(good, zone_name).rules
    if rules is None:
        return Refused(Reason.BAD_RULES)
    changes, facts = _in_force(view, rules, wanted.currency)
    if good != before.good:
        text = good if before.is_good else _followed(before.text, known, wanted)
        after = replace(
            before,
            text=before.text if text is None else text,
            good=good,
            changed_at=now.replace(microsecond=0),
            replaces=before.replaces or digest(before.text),
        )
        changes = (WriteSetting(SAVED_DOCUMENT, before, after), *changes)
        facts = (DocumentTaken(RULES_NAME, good), *facts)
    return Accepted(changes, facts) if changes else Refused(Reason.UNCHANGED)


def _followed(text: str, known: Catalogue, wanted: Catalogue) -> str | None:
    try:
        return follow(text, known, wanted)
    except CannotEdit:
        return None


def _in_force(
    view: RulesView, rules: BookingRules, currency: str
) -> tuple[tuple[Change, ...], tuple[Fact, ...]]:
    """Writes the rules and the catalogue in one commit, if they differ from those in force."""
    catalogue = catalogue_of(rules, currency)
    changes: list[Change] = []
    if rules != view.rules:
        changes.append(WriteSetting(SAVED_RULES, view.rules, rules))
    if catalogue != view.catalogue:
        changes.append(WriteSetting(CATALOGUE, view.catalogue, catalogue))
    return tuple(changes), ((RulesChanged(rules),) if changes else ())


def _is_zone(name: str) -> bool:
    try:
        zone(name)
    except BadZone:
        return False
    return True
