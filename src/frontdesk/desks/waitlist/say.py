"""What each message of the waitlist desk says, from the rows as they are then.

Whoever has a mobile number is told by text; everybody else, and staff, by mail. Somebody whom
nothing reaches is found out by the engine, which knows what to do then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property, lru_cache
from typing import Final

from frontdesk.core.contacts import plain_name
from frontdesk.core.ics import Invitation, Method
from frontdesk.core.ics import write as write_calendar
from frontdesk.core.links import Keys
from frontdesk.core.messages import Message, Text
from frontdesk.core.occasions import Occasion, Tone, occasion
from frontdesk.core.people import Person
from frontdesk.core.sends import Send
from frontdesk.core.words import count
from frontdesk.desks.waitlist import voice_doc, words
from frontdesk.desks.waitlist.links import WaitlistLinks
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import (
    DocumentName,
    Entry,
    EntryId,
    EntryStatus,
    Figures,
    Offer,
    OfferState,
    Slot,
    SlotId,
    SlotStatus,
)
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.reasons import HandBack
from frontdesk.desks.waitlist.voice_kinds import KINDS, Channel, Key
from frontdesk.engine.desk import Drop, Say
from frontdesk.engine.ports import Reads
from frontdesk.frozen import frozen
from frontdesk.web.colours import DEFAULT_ACCENT
from frontdesk.web.letters import Paper, html_part, text_part


@frozen(kw_only=True)
class Office:
    """What every message needs to know about the business."""

    base_url: str
    links_url: str
    console_at: str
    business: str
    from_email: str
    keys: Callable[[], Keys]
    from_name: str = ""
    accent: str = DEFAULT_ACCENT
    texts: bool = False
    """Whether texts can be sent at all."""
    summaries: Callable[[str, Mapping[str, int]], str] = lambda _topic, _figures: ""
    """May find nicer words for the month; nothing, and ours are used."""

    @property
    def links(self) -> WaitlistLinks:
        return WaitlistLinks(self.links_url, self.keys)

    def in_console(self, path: str) -> str:
        return f"{self.console_at}/console/waitlist{path}"


@dataclass(frozen=True)
class Scene:
    """The rows around one send."""

    office: Office
    reads: Reads
    send: Send
    person: Person
    now: datetime

    @cached_property
    def wl(self) -> WaitlistReads:
        return waitlist(self.reads)

    @cached_property
    def entry(self) -> Entry | None:
        return self.wl.entry(EntryId(self.send.about)) if self.send.about else None

    @cached_property
    def slot(self) -> Slot | None:
        return self.wl.slot(SlotId(self.send.subject))

    @cached_property
    def offer(self) -> Offer | None:
        seq = int(self.send.words.get("seq", 0))
        return self.wl.offer(SlotId(self.send.subject), seq) if seq else None

    @property
    def by_text(self) -> bool:
        """Texts can be sent, they have a number, and it wants them."""
        mobile = self.person.mobile
        return self.office.texts and bool(mobile) and not self.reads.engine.number_stopped(mobile)


@frozen
class Saying:
    """What is to be said, before a way to say it is chosen."""

    values: Mapping[str, str]
    why: str
    """Why they get this mail: its last line."""
    what: Occasion | None = None
    tone: Tone = Tone.GOOD
    chip: str = ""
    calendar: bytes | None = None
    unsubscribe: str = ""
    to_staff: bool = False


def render(office: Office, reads: Reads, send: Send, now: datetime) -> Say | Drop:
    person = reads.engine.person(send.person_id)
    if person is None or person.erased:
        return Drop("this person is not with us any more")
    scene = Scene(office, reads, send, person, now)
    saying = SAYINGS[send.kind](scene)
    if isinstance(saying, Drop):
        return saying
    by_mail = saying.to_staff or (person.email and not scene.by_text)
    return Say(_mail(scene, saying) if by_mail else _text(scene, saying))


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
        calendar_method=Method.REQUEST.value if saying.calendar else None,
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


# --- to those on the list -------------------------------------------------------------------

_BECAUSE: Final = "You get this mail because you are on the waitlist for {service}."


def _about_entry(scene: Scene, entry: Entry) -> Saying:
    links, version = scene.office.links, scene.person.contact_version
    return Saying(
        values={"service": entry.service, "entry_link": links.place(entry, version, scene.now)},
        why=_BECAUSE.format(service=entry.service),
        unsubscribe=links.stop(entry, version, scene.now),
    )


def joined(scene: Scene) -> Saying | Drop:
    if scene.entry is None or scene.entry.status is not EntryStatus.WAITING:
        return Drop("no longer on the list")
    return _about_entry(scene, scene.entry)


def left(scene: Scene) -> Saying | Drop:
    if scene.entry is None or scene.entry.status is EntryStatus.WAITING:
        return Drop("on the list again")
    service = scene.entry.service
    return Saying({"service": service}, f"You get this mail because you waited for {service}.")


def offer(scene: Scene) -> Saying | Drop:
    """Its deadline was set a moment ago, by arming it."""
    slot, one, entry = scene.slot, scene.offer, scene.entry
    if slot is None or one is None or entry is None or one.state is not OfferState.LIVE:
        return Drop("no longer on offer")
    assert one.claim_by is not None
    assert one.armed_at is not None
    links, version = scene.office.links, scene.person.contact_version
    link = links.offer(slot, one, version)
    return Saying(
        values={
            **_of_slot(slot),
            "window": words.how_long(one.claim_by - one.armed_at),
            "claim_by": words.deadline(slot, one.claim_by, scene.now),
            "offer_link": link,
            "claim_link": link,
            "decline_link": links.decline(slot, one, version),
        },
        why=_BECAUSE.format(service=entry.service),
        what=_occasion(slot),
        unsubscribe=links.stop(entry, version, scene.now),
    )


def booked(scene: Scene) -> Saying | Drop:
    slot, entry = scene.slot, scene.entry
    if slot is None or entry is None or slot.booked_by != entry.id:
        return Drop("not theirs any more")
    return Saying(
        values=_of_slot(slot),
        why="You get this mail because you took a slot that we offered you.",
        what=_occasion(slot),
        chip="Booked",
        calendar=calendar_file(scene.office, slot, scene.person, scene.now),
    )


def offer_withdrawn(scene: Scene) -> Saying | Drop:
    slot, entry = scene.slot, scene.entry
    if slot is None or entry is None:
        return Drop("no longer on the list")
    return Saying(
        values={**_about_entry(scene, entry).values, **_of_slot(slot)},
        why=_BECAUSE.format(service=entry.service),
        what=_occasion(slot),
        tone=Tone.GONE,
    )


def calendar_file(office: Office, slot: Slot, person: Person, now: datetime) -> bytes:
    opening = slot.opening
    return write_calendar(
        Invitation(
            uid=f"{slot.id}@frontdesk",
            sequence=0,
            method=Method.REQUEST,
            summary=" ".join(filter(None, (opening.service, words.with_staff(opening.staff)))),
            starts_at=opening.starts_at,
            ends_at=opening.starts_at + opening.duration,
            tz_name=slot.rules.zone,
            location=office.business,
            description="",
            organizer_name=office.from_name or office.business,
            organizer_email=office.from_email,
            attendee_name=plain_name(person.name) or person.email,
            attendee_email=person.email,
            stamped_at=now,
        )
    )


def _of_slot(slot: Slot) -> dict[str, str]:
    return {
        "service": slot.opening.service,
        "when": words.slot_when(slot),
        "with_staff": words.with_staff(slot.opening.staff),
    }


def _occasion(slot: Slot) -> Occasion:
    opening = slot.opening
    ends_at = opening.starts_at + opening.duration
    return occasion(
        opening.service,
        opening.starts_at,
        ends_at,
        slot.rules.zone,
        words.with_staff(opening.staff),
    )


# --- to staff -------------------------------------------------------------------------------

_TO_STAFF: Final = "You get this mail because you look after the waitlist."


def _staff(values: Mapping[str, str], what: Occasion | None = None) -> Saying:
    return Saying(values, _TO_STAFF, what=what, tone=Tone.WAITING, to_staff=True)


def _staff_about_slot(scene: Scene, slot: Slot, **values: str) -> Saying:
    link = scene.office.in_console(f"/slots/{slot.id}")
    return _staff({**_of_slot(slot), "console_link": link, **values}, _occasion(slot))


def handed_back(scene: Scene) -> Saying | Drop:
    slot = scene.slot
    if slot is None:
        return Drop("there is no such slot")
    tried = int(scene.send.words["tried"])
    why = words.handed_back(HandBack(str(scene.send.words["why"])), tried)
    return _staff_about_slot(scene, slot, tried=words.people(tried), why=why)


def nobody_fits(scene: Scene) -> Saying | Drop:
    slot = scene.slot
    if slot is None or slot.status is not SlotStatus.OPEN or slot.offers:
        return Drop("somebody was found meanwhile")
    return _staff_about_slot(scene, slot)


def unreachable(scene: Scene) -> Saying | Drop:
    slot, entry = scene.slot, scene.entry
    person = scene.reads.engine.person(entry.person_id) if entry else None
    if slot is None or person is None:
        return Drop("there is no such offer")
    return _staff_about_slot(scene, slot, name=person.name or "somebody")


def proposed(scene: Scene) -> Saying:
    return _staff({"console_link": scene.office.in_console(f"/requests/{scene.send.subject}")})


def unclear(scene: Scene) -> Saying | Drop:
    name = DocumentName(str(scene.send.words["document"]))
    if scene.wl.document(name).is_good:
        return Drop("put right meanwhile")
    problems = count(int(scene.send.words["problems"]), "line")
    called = {DocumentName.RULES: "rules", DocumentName.VOICE: "messages"}[name]
    link = scene.office.in_console(f"/{name}")
    return _staff({"document": called, "problems": problems, "console_link": link})


def sheet_halted(scene: Scene) -> Saying | Drop:
    if not scene.wl.sheet.state().missing:
        return Drop("put right meanwhile")
    rows = count(int(scene.send.words["rows"]), "row")
    return _staff({"rows": rows, "console_link": scene.office.in_console("/versions")})


def summary(scene: Scene) -> Saying:
    told = scene.send.words
    month = date.fromisoformat(str(told["month"]))
    counted = {name: int(told[name]) for name in Figures.__dataclass_fields__}
    figures = Figures(**counted)
    shop = scene.wl.shop()
    name = words.month_name(month)
    said = scene.office.summaries(f"the waitlist in {name}", counted)
    return _staff(
        {
            "month": name,
            "summary": said or words.summary(month, figures),
            "figures": words.figures_text(figures, shop),
            "console_link": scene.office.in_console(f"/figures?month={month:%Y-%m}"),
        }
    )


SAYINGS: Final[Mapping[str, Callable[[Scene], Saying | Drop]]] = {
    "joined": joined,
    "left": left,
    "offer": offer,
    "booked": booked,
    "offer_withdrawn": offer_withdrawn,
    "handed_back": handed_back,
    "nobody_fits": nobody_fits,
    "unreachable": unreachable,
    "proposed": proposed,
    "unclear": unclear,
    "sheet_halted": sheet_halted,
    "summary": summary,
}
