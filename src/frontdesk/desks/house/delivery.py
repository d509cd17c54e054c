"""How the house's sends become mail."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import partial

from frontdesk.core.links import Keys
from frontdesk.core.localtime import spoken_deadline, zone
from frontdesk.core.members import MemberId, Role
from frontdesk.core.messages import Message
from frontdesk.core.notes import Note, To
from frontdesk.core.people import Person, PersonId
from frontdesk.core.sends import Send
from frontdesk.core.wording import Filled, fill
from frontdesk.desks.house import voice
from frontdesk.desks.house.decide.people import MARKED_WRONG
from frontdesk.desks.house.letters import Paper, html_part, text_part
from frontdesk.desks.house.links import sign_in_url
from frontdesk.desks.house.load import house
from frontdesk.desks.house.model import Business, Part
from frontdesk.desks.house.trouble_words import WORDS
from frontdesk.engine.desk import DeliveryRules, Drop, Say
from frontdesk.engine.ports import Reads
from frontdesk.values import Frozen


class Office(Frozen, kw_only=True):
    """What the house's mails need to know."""

    base_url: str
    from_email: str
    business_name: str
    """As in the settings file, for as long as nobody has given another."""
    keys: Callable[[], Keys]


def delivery_rules(office: Office) -> DeliveryRules:
    return DeliveryRules(
        recipients=recipients,
        when=lambda _reads, _send, _now: None,
        render=partial(render, office),
        asked_for=frozenset({"sign_in"}),
    )


def recipients(reads: Reads, note: Note) -> Iterable[PersonId]:
    return house(reads).staff() if note.to == To.HOSTS else (PersonId(note.to),)


def render(office: Office, reads: Reads, send: Send, now: datetime) -> Say | Drop:
    if send.kind == "trouble":
        return _trouble(office, reads, send, now)
    fd = house(reads)
    membership = fd.membership(MemberId(send.subject))
    person = reads.engine.person(send.person_id)
    if membership is None or not membership.is_active or person is None or person.erased:
        return Drop("no longer in the team")
    if person.bounced == MARKED_WRONG:
        return Drop("an owner has marked this address as wrong")
    link = fd.sign_in(membership.id, int(send.params["nonce"]))
    if link is None or link.spent_at is not None or now >= link.expires_at:
        return Drop("the link is used already or too old")
    business = fd.business()
    url = sign_in_url(office.base_url, office.keys(), membership.id, link.nonce, link.expires_at)
    until = spoken_deadline(link.expires_at, now, zone(business.zone))
    name = business.name or office.business_name
    values = {
        "name": person.name,
        "business": name,
        "until": until,
        "sign_in_link": url,
        "role_line": _MAY[membership.role],
    }
    filled = fill(voice.usable(send.kind, fd.wording(send.kind)), values)
    paper = Paper(business=name, accent=business.accent, why=_WHY[send.kind].format(business=name))
    return Say(_mail(office, business, filled, paper, person, send, now))


def _trouble(office: Office, reads: Reads, send: Send, now: datetime) -> Say | Drop:
    fd, person = house(reads), reads.engine.person(send.person_id)
    part = Part(str(send.params["part"]))
    if person is None or person.erased or person.id not in fd.staff():
        return Drop("no longer in the team")
    if not any(each.part is part and each.is_shown for each in fd.troubles()):
        return Drop("it works again")
    business, words = fd.business(), WORDS[part]
    name = business.name or office.business_name
    values = {
        "name": person.name,
        "business": name,
        "what": words.what,
        "means": words.means,
        "why": str(send.params["why"]),
        "console_link": f"{office.base_url}/console/problems",
    }
    filled = fill(voice.usable(send.kind, fd.wording(send.kind)), values)
    paper = Paper(business=name, accent=business.accent, why=_WHY[send.kind].format(business=name))
    return Say(_mail(office, business, filled, paper, person, send, now))


_MAY = {
    Role.OWNER: "You are an owner: you see and change everything, and choose who is in the team.",
    Role.STAFF: "You are staff: you see and change everything but the team and the settings.",
    Role.HOST: "You are a host: you see your event, its guests and its messages.",
}

_WHY = {
    "sign_in": (
        "You get this mail because somebody asked to sign in to {business} with your address."
    ),
    "invitation": "You get this mail because an owner of {business} added you to the team.",
    "trouble": "You get this mail because you are in the team of {business}.",
}


def _mail(
    office: Office,
    business: Business,
    filled: Filled,
    paper: Paper,
    person: Person,
    send: Send,
    now: datetime,
) -> Message:
    return Message(
        message_id=f"<{send.id}@{office.from_email.rpartition('@')[2]}>",
        to_email=person.email,
        to_name=person.name,
        from_email=office.from_email,
        from_name=business.sender_name or paper.business,
        subject=filled.subject,
        text=text_part(filled, paper),
        html=html_part(filled, paper),
        date=now.astimezone(UTC),
    )
