"""Decides who gets the mails to the team."""

from __future__ import annotations

from collections.abc import Iterable

from frontdesk.core.notes import Note, To
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.load import admin
from frontdesk.engine.desk import DeliveryRules, Render
from frontdesk.engine.ports import Reads


def delivery_rules(render: Render) -> DeliveryRules:
    return DeliveryRules(
        recipients=recipients,
        when=lambda _reads, _send, _now: None,
        render=render,
        asked_for=frozenset({"sign_in"}),
    )


def recipients(reads: Reads, note: Note) -> Iterable[PersonId]:
    return admin(reads).staff() if note.to == To.HOSTS else (PersonId(note.to),)
