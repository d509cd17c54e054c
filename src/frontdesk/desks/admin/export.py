"""Exports everything that is stored about one person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from frontdesk.core.people import Person
from frontdesk.desks.admin.load import admin
from frontdesk.desks.admin.reads import FactFilter, MessageFilter
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.web.console.sections import PersonPlace

#: A limit that nobody is expected to reach.
MOST: Final = 10_000


def exported(reads: Reads, person: Person, places: Sequence[PersonPlace]) -> dict[str, Any]:
    return {
        "person": {
            "id": person.id,
            "name": person.name,
            "email": person.email,
            "mobile": person.mobile,
            "consent_to_texts": _consents(reads, person),
            "wants_no_texts": bool(person.mobile) and reads.engine.number_stopped(person.mobile),
            "mail_came_back": person.bounced,
            "opted_out": person.opted_out,
        },
        "team": [
            {"role": each.role, "event": each.event_id, "since": each.created_at.isoformat()}
            for each in admin(reads).memberships_of(person.id)
        ],
        "lists": [
            {"desk": place.desk, "what": place.title, "state": place.word, **place.data}
            for place in places
        ],
        "messages": _messages(reads, person),
        "mails_from_them": [
            {"id": mail_id, "at": at.isoformat(), "mail": raw.decode("utf-8", "replace")}
            for mail_id, at, raw in admin(reads).raw_mails(person.id, MOST)
        ],
        "audit": _audit(reads, person, places),
    }


def _consents(reads: Reads, person: Person) -> list[dict[str, Any]]:
    return [
        {
            "number": each.mobile,
            "at": each.at.isoformat(),
            "given": each.given,
            "source": each.source.value,
            "words": each.words,
            "words_version": each.version,
            "note": each.note,
        }
        for each in reads.engine.consent(person.id).statements
    ]


def _messages(reads: Reads, person: Person) -> list[dict[str, Any]]:
    rows = admin(reads).messages(MessageFilter(person_id=person.id), limit=MOST)
    found = []
    for row in rows:
        kept = reads.engine.sent_message(row.send.id)
        message = {
            "kind": row.send.kind,
            "state": row.send.state.value,
            "queued_at": row.send.queued_at.isoformat(),
            "why": row.send.why,
        }
        if kept is not None:
            message |= {
                "to": kept.to_email or kept.to_mobile,
                "subject": kept.subject,
                "text": kept.text,
            }
        found.append(message)
    return found


def _audit(reads: Reads, person: Person, places: Sequence[PersonPlace]) -> list[dict[str, Any]]:
    ids = [person.id, *(place.about for place in places if place.about)]
    found: list[Recorded] = []
    for about in ids:
        found += admin(reads).facts(FactFilter(about=about), MOST)
    found.sort(key=lambda recorded: recorded.seq)
    return [
        {
            "at": recorded.at.isoformat(),
            "kind": recorded.fact.kind,
            **msgspec.json.decode(msgspec.json.encode(recorded.fact)),
        }
        for recorded in found
    ]
