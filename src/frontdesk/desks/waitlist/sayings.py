"""What each message of the waitlist desk says, from the rows as they are then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Final
from urllib.parse import urlencode

from frontdesk.core.contacts import plain_name
from frontdesk.core.ics import Invitation, Method
from frontdesk.core.ics import write as write_calendar
from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.occasions import Occasion, Tone, occasion
from frontdesk.core.words import count, how_long, join_names
from frontdesk.desks.waitlist import rules_doc, voice_doc, words
from frontdesk.desks.waitlist.model import (
    DocumentName,
    Entry,
    EntryStatus,
    Figures,
    OfferState,
    Slot,
    SlotStatus,
)
from frontdesk.desks.waitlist.reasons import HandBack
from frontdesk.desks.waitlist.scene import Saying, Scene
from frontdesk.engine.desk import Drop
from frontdesk.features.documents.model import Document
from frontdesk.values import replace

#: As many lines of a document are named in a mail.
MOST_LINES: Final = 10

# --- to those on the list -------------------------------------------------------------------

_BECAUSE: Final = "You get this mail because you are on the waitlist for {service}."


def _about_entry(scene: Scene, entry: Entry) -> Saying:
    links, version = scene.office.links, scene.person.contact_version
    return Saying(
        values={
            "service": entry.service,
            "entry_link": links.place(entry, version, scene.send.queued_at),
        },
        why=_BECAUSE.format(service=entry.service),
        unsubscribe=links.stop(entry, version, scene.send.queued_at),
    )


def joined(scene: Scene) -> Saying | Drop:
    if scene.entry is None or scene.entry.status is not EntryStatus.WAITING:
        return Drop("no longer on the list")
    return _about_entry(scene, scene.entry)


def link(scene: Scene) -> Saying | Drop:
    """By the way that was typed, which is the address if they have one: whoever typed it may have
    given us the number, too."""
    entry = scene.entry
    if entry is None or entry.wants_no_offers:
        return Drop("wants no messages from the list")
    return replace(_about_entry(scene, entry), by_mail=bool(scene.person.email))


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
            "window": how_long(one.claim_by - one.armed_at),
            "claim_by": words.deadline(slot, one.claim_by, scene.now),
            "offer_link": link,
            "claim_link": link,
            "decline_link": links.decline(slot, one, version),
        },
        why=_BECAUSE.format(service=entry.service),
        what=_occasion(slot),
        unsubscribe=links.stop(entry, version, scene.send.queued_at),
    )


def booked(scene: Scene) -> Saying | Drop:
    slot, entry = scene.slot, scene.entry
    if slot is None or entry is None or not _has_it(slot, entry):
        return Drop("not theirs any more")
    links, version = scene.office.links, scene.person.contact_version
    seq = scene.offer
    return Saying(
        values={
            **_of_slot(slot),
            "entry_link": links.place(entry, version, scene.send.queued_at),
            "cancel_link": links.offer(slot, seq, version) if seq else "",
        },
        why="You get this mail because you took a slot that we offered you.",
        what=_occasion(slot),
        chip="Booked",
        calendar=None if scene.by_text else _calendar_file(scene, slot),
    )


def _has_it(slot: Slot, entry: Entry) -> bool:
    return slot.status is SlotStatus.BOOKED and slot.booked_by == entry.id


def cancelled(scene: Scene) -> Saying | Drop:
    """By the customer, or by staff for them: their calendar is put right as well."""
    slot, entry = scene.slot, scene.entry
    if slot is None or entry is None or slot.status is not SlotStatus.CANCELLED:
        return Drop("not cancelled")
    return Saying(
        values={**_of_slot(slot), **_on_the_list(scene, entry)},
        why=_HAD_BOOKED,
        what=_occasion(slot),
        tone=Tone.GONE,
        chip="Cancelled",
        calendar=None if scene.by_text else _calendar_file(scene, slot, Method.CANCEL),
        method=Method.CANCEL,
    )


def missed(scene: Scene) -> Saying | Drop:
    slot, entry = scene.slot, scene.entry
    if slot is None or entry is None or slot.status is not SlotStatus.NO_SHOW:
        return Drop("not missed")
    return Saying(
        values={**_of_slot(slot), **_on_the_list(scene, entry)},
        why=_HAD_BOOKED,
        what=_occasion(slot),
        tone=Tone.GONE,
    )


_HAD_BOOKED: Final = "You get this mail because you had taken a slot that we offered you."


def _on_the_list(scene: Scene, entry: Entry) -> dict[str, str]:
    """Whether they wait for another slot now, in a sentence, where to see it, and whom to tell."""
    version, phone = scene.person.contact_version, scene.office.contact.phone
    link = scene.office.links.place(entry, version, scene.send.queued_at)
    still = "You are still on the list." if entry.status is EntryStatus.WAITING else ""
    tell_us = f"Please call {phone}." if phone else "Please tell us."
    return {"still": still, "entry_link": link, "tell_us": tell_us}


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


def _calendar_file(scene: Scene, slot: Slot, method: Method = Method.REQUEST) -> bytes:
    office, person, opening = scene.office, scene.person, slot.opening
    return write_calendar(
        Invitation(
            uid=f"{slot.id}@frontdesk",
            sequence=1 if method is Method.CANCEL else 0,
            method=method,
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
            stamped_at=scene.now,
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
    tried = int(scene.send.params["tried"])
    why = words.handed_back(HandBack(str(scene.send.params["why"])), tried)
    return _staff_about_slot(scene, slot, tried=words.people(tried), why=why)


def nobody_fits(scene: Scene) -> Saying | Drop:
    slot = scene.slot
    if slot is None or slot.status is not SlotStatus.OPEN or slot.offers:
        return Drop("somebody was found meanwhile")
    return _staff_about_slot(scene, slot)


def overlap(scene: Scene) -> Saying | Drop:
    """With a link to the form that asks for a second yes."""
    slot, said = scene.slot, scene.send.params
    if slot is None:
        return Drop("there is no such slot")
    starts_at = datetime.fromisoformat(str(said["freed_at"]))
    wall = to_wall(starts_at, zone(slot.rules.zone))
    fields = {
        "service": str(said["freed_service"]),
        "staff": str(said["freed_staff"]),
        "on": wall.date().isoformat(),
        "at": f"{wall:%H:%M}",
        "minutes": str(said["freed_minutes"]),
        "places": str(said["freed_places"]),
    }
    link = scene.office.in_console(f"/free?{urlencode(fields)}")
    freed = replace(slot, opening=replace(slot.opening, starts_at=starts_at))
    return _staff(
        {
            **_of_slot(slot),
            "freed_service": fields["service"],
            "freed_when": words.slot_when(freed),
            "console_link": link,
        },
        _occasion(slot),
    )


def unreachable(scene: Scene) -> Saying | Drop:
    slot, entry = scene.slot, scene.entry
    person = scene.reads.engine.person(entry.person_id) if entry else None
    if slot is None or person is None:
        return Drop("there is no such offer")
    why = str(scene.send.params.get("why", ""))
    named = person.name or "somebody"
    return _staff_about_slot(scene, slot, name=named, why=f"Why: {why}." if why else "")


def proposed(scene: Scene) -> Saying:
    return _staff({"console_link": scene.office.in_console(f"/requests/{scene.send.subject}")})


def unclear(scene: Scene) -> Saying | Drop:
    name = DocumentName(str(scene.send.params["document"]))
    document = scene.wl.document(name)
    if document.is_good:
        return Drop("put right meanwhile")
    problems = _lines_of(document)
    called = {DocumentName.RULES: "rules", DocumentName.VOICE: "messages"}[name]
    link = scene.office.in_console(f"/{name}")
    return _staff({"document": called, "problems": problems, "console_link": link})


def _lines_of(document: Document) -> str:
    """'2 lines (lines 3 and 7)'."""
    parsed: rules_doc.Parsed | voice_doc.Parsed
    if document.name == DocumentName.RULES:
        parsed = rules_doc.parse(document.text)
    else:
        parsed = voice_doc.parse(document.text)
    lines = sorted({each.line for each in parsed.problems})
    named = join_names([str(line) for line in lines[:MOST_LINES]])
    more = " and more" if len(lines) > MOST_LINES else ""
    return f"{count(len(lines), 'line')} ({'line' if len(lines) == 1 else 'lines'} {named}{more})"


def sheet_halted(scene: Scene) -> Saying | Drop:
    if not scene.wl.sheet.state().missing:
        return Drop("put right meanwhile")
    rows = count(int(scene.send.params["rows"]), "row")
    return _staff({"rows": rows, "console_link": scene.office.in_console("/versions")})


def calendar_halted(scene: Scene) -> Saying | Drop:
    if not scene.wl.calendar().missing:
        return Drop("put right meanwhile")
    openings = count(int(scene.send.params["openings"]), "opening")
    return _staff({"openings": openings, "console_link": scene.office.in_console("/calendar")})


def sheet_troubled(scene: Scene) -> Saying | Drop:
    trouble = scene.wl.sheet.state().trouble
    if not trouble:
        return Drop("put right meanwhile")
    return _staff({"why": trouble, "console_link": scene.office.in_console("/versions")})


def texts_used_up(scene: Scene) -> Saying:
    sent, most = int(scene.send.params["sent"]), int(scene.send.params["most"])
    what = _ALL_TEXTS if sent >= most else _HALF_OF_THE_TEXTS
    link = f"{scene.office.console_at}/console/messages"
    return _staff({"texts": str(sent), "what": what, "console_link": link})


_ALL_TEXTS: Final = (
    "No more go out today. Whoever has an e-mail address is told by mail; the others wait until "
    "tomorrow."
)
_HALF_OF_THE_TEXTS: Final = (
    "Answers to the form go by mail only for the rest of the day. Offers still go by text."
)


def summary(scene: Scene) -> Saying:
    told = scene.send.params
    month = date.fromisoformat(str(told["month"]))
    counted = {name: int(told[name]) for name in Figures.__struct_fields__}
    figures = Figures(**counted)
    shop = scene.wl.catalogue()
    name = words.month_name(month)
    said = str(told.get("paragraph", ""))
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
    "link": link,
    "left": left,
    "offer": offer,
    "booked": booked,
    "cancelled": cancelled,
    "cancelled_for": cancelled,
    "missed": missed,
    "offer_withdrawn": offer_withdrawn,
    "handed_back": handed_back,
    "nobody_fits": nobody_fits,
    "overlap": overlap,
    "unreachable": unreachable,
    "proposed": proposed,
    "unclear": unclear,
    "sheet_halted": sheet_halted,
    "calendar_halted": calendar_halted,
    "sheet_troubled": sheet_troubled,
    "texts_used_up": texts_used_up,
    "summary": summary,
}
