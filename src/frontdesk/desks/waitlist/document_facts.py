"""Defines the facts of rules, words and services, which staff write."""

from __future__ import annotations

from typing import ClassVar

from frontdesk.desks.waitlist.facts import DeskFact
from frontdesk.desks.waitlist.model import (
    DocumentName,
    Rules,
)
from frontdesk.features.catalogue.model import Catalogue


class RulesChanged(DeskFact):
    kind: ClassVar[str] = "wl.rules_changed"
    rules: Rules


class DocumentTaken(DeskFact):
    """A document was understood and is in force."""

    kind: ClassVar[str] = "wl.document_taken"
    name: DocumentName
    text: str


class DocumentUnclear(DeskFact):
    """A document was not understood; the last good one stays in force."""

    kind: ClassVar[str] = "wl.document_unclear"
    name: DocumentName
    digest: str
    problems: int


class CatalogueChanged(DeskFact):
    kind: ClassVar[str] = "wl.shop_changed"
    shop: Catalogue
