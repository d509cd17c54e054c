"""Puts what is to be said into a text or a mail.

Whoever has a mobile number is told by text; everybody else, and staff, by mail. Somebody whom
nothing reaches is found out by the engine, which knows what to do then.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache

from frontdesk.core.contacts import plain_name
from frontdesk.core.messages import Message, Text
from frontdesk.core.sends import Send
from frontdesk.desks.waitlist import voice_doc
from frontdesk.desks.waitlist.model import (
    DocumentName,
)
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.sayings import SAYINGS
from frontdesk.desks.waitlist.scene import Office, Saying, Scene
from frontdesk.desks.waitlist.voice_kinds import KINDS, Channel, Key
from frontdesk.engine.desk import Drop, Say
from frontdesk.engine.ports import Reads
from frontdesk.web.letters import Paper, html_part, text_part


def render(office: Office, reads: Reads, send: Send, now: datetime) -> Say | Drop:
    person = reads.engine.person(send.person_id)
    if person is None or person.erased:
        return Drop("this person is not with us any more")
    scene = Scene(office, reads, send, person, now)
    saying = SAYINGS[send.kind](scene)
    if isinstance(saying, Drop):
        return saying
    by_mail = saying.to_staff or saying.by_mail or (person.email and not scene.by_text)
    if by_mail:
        return Say(_mail(scene, saying))
    return Say(_text(scene, saying), closed=scene.no_text_because)


def _text(scene: Scene, saying: Saying) -> Text:
    filled = voice_doc.say(_voice(scene.wl), (Channel.TEXT, scene.send.kind), _all(scene, saying))
    return Text(
        message_id=_message_id(scene),
        to_mobile=scene.person.mobile,
        to_name=plain_name(scene.person.name),
        from_name=scene.office.from_name or scene.office.business,
        text=voice_doc.as_text(filled),
        date=scene.now,
    )


def _mail(scene: Scene, saying: Saying) -> Message:
    office = scene.office
    filled = voice_doc.say(_voice(scene.wl), (Channel.MAIL, scene.send.kind), _all(scene, saying))
    paper = Paper(
        business=office.business,
        what=saying.what,
        why=saying.why,
        tone=saying.tone,
        chip=saying.chip,
        unsubscribe=saying.unsubscribe,
        accent=office.accent,
        contact=office.contact,
    )
    return Message(
        message_id=_message_id(scene),
        to_email=scene.person.email,
        to_name=plain_name(scene.person.name),
        from_email=office.from_email,
        from_name=office.from_name or office.business,
        subject=filled.subject,
        text=text_part(filled, paper),
        html=html_part(filled, paper),
        calendar=saying.calendar,
        calendar_method=saying.method.value if saying.calendar else None,
        unsubscribe_url=saying.unsubscribe or None,
        date=scene.now,
    )


def _message_id(scene: Scene) -> str:
    """The same at each attempt, so that a repeat is recognised."""
    return f"<{scene.send.id}@{scene.office.from_email.rpartition('@')[2]}>"


def _voice(wl: WaitlistReads) -> voice_doc.Voice:
    return _parsed(wl.document(DocumentName.VOICE).good)


@lru_cache(maxsize=4)
def _parsed(good: str) -> voice_doc.Voice:
    return voice_doc.parse(good).voice if good else voice_doc.default_voice()


def _all(scene: Scene, saying: Saying) -> Mapping[str, str]:
    """Every placeholder that a wording may use has a value, if only an empty one."""
    kind = scene.send.kind
    names = {name for c in Channel for name in _placeholders((c, kind))}
    return {
        **dict.fromkeys(names, ""),
        "name": plain_name(scene.person.name) or "there",
        "business": scene.office.business,
        **saying.values,
    }


def _placeholders(key: Key) -> Mapping[str, str]:
    return KINDS[key].placeholders if key in KINDS else {}
