"""Mails to staff, and the document with the wordings of all messages of the waitlist desk."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Final
from urllib.parse import urlencode

from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.occasions import Occasion, Tone
from frontdesk.core.words import count
from frontdesk.desks.waitlist import rules_doc, words
from frontdesk.desks.waitlist.messages import customers
from frontdesk.desks.waitlist.messages.context import (
    WaitlistContext,
    slot_occasion,
    slot_values,
)
from frontdesk.desks.waitlist.model import DocumentName, Figures, Slot, SlotStatus
from frontdesk.desks.waitlist.reasons import HandBack
from frontdesk.engine.desk import Drop
from frontdesk.features.documents import unclear_mail
from frontdesk.features.documents.model import Document
from frontdesk.features.documents.unclear_mail import UnclearLine, unclear_values
from frontdesk.features.messages.kinds import (
    MessageContent,
    MessageKind,
    message_kind,
    wording_specs,
)
from frontdesk.features.messages.samples import SAMPLE_LINK, VISIT_SAMPLE
from frontdesk.features.wordings.document import WordingDocument
from frontdesk.values import replace


def _staff(values: Mapping[str, str], occasion: Occasion | None = None) -> MessageContent:
    reason = "You get this mail because you look after the waitlist."
    return MessageContent(values, Tone.WAITING, reason=reason, occasion=occasion)


def _about_slot(c: WaitlistContext, slot: Slot, **values: str) -> MessageContent:
    link = c.in_console(f"/slots/{slot.id}")
    return _staff({**slot_values(slot), "console_link": link, **values}, slot_occasion(slot))


def handed_back(c: WaitlistContext) -> MessageContent | Drop:
    if c.slot is None:
        return Drop("there is no such slot")
    tried = int(c.send.params["tried"])
    why = words.handed_back(HandBack(str(c.send.params["why"])), tried)
    return _about_slot(c, c.slot, tried=words.people(tried), why=why)


def nobody_fits(c: WaitlistContext) -> MessageContent | Drop:
    slot = c.slot
    if slot is None or slot.status is not SlotStatus.OPEN or slot.offers:
        return Drop("somebody was found meanwhile")
    if slot.origin.startswith("booking:"):
        return Drop("the time can be booked again")
    return _about_slot(c, slot)


def overlap(c: WaitlistContext) -> MessageContent | Drop:
    """Has a link to the form on which staff can allow the overlap."""
    slot, params = c.slot, c.send.params
    if slot is None:
        return Drop("there is no such slot")
    starts_at = datetime.fromisoformat(str(params["freed_at"]))
    wall = to_wall(starts_at, zone(slot.rules.zone))
    fields = {
        "service": str(params["freed_service"]),
        "staff": str(params["freed_staff"]),
        "on": wall.date().isoformat(),
        "at": f"{wall:%H:%M}",
        "minutes": str(params["freed_minutes"]),
        "places": str(params["freed_places"]),
    }
    freed = replace(slot, opening=replace(slot.opening, starts_at=starts_at))
    values = {
        **slot_values(slot),
        "freed_service": fields["service"],
        "freed_when": words.slot_when(freed),
        "console_link": c.in_console(f"/free?{urlencode(fields)}"),
    }
    return _staff(values, slot_occasion(slot))


def unreachable(c: WaitlistContext) -> MessageContent | Drop:
    person = c.reads.engine.person(c.entry.person_id) if c.entry else None
    if c.slot is None or person is None:
        return Drop("there is no such offer")
    why = str(c.send.params.get("why", ""))
    named = person.name or "somebody"
    return _about_slot(c, c.slot, name=named, why=f"Why: {why}." if why else "")


def proposed(c: WaitlistContext) -> MessageContent:
    return _staff({"console_link": c.in_console(f"/requests/{c.send.subject}")})


def unclear(c: WaitlistContext) -> MessageContent | Drop:
    name = DocumentName(str(c.send.params["document"]))
    document = c.wl.document(name)
    called = {DocumentName.RULES: "rules", DocumentName.VOICE: "messages"}[name]
    link = c.in_console(f"/{name}")
    values = unclear_values(document, c.send, called, _problems_of(document))
    return values if isinstance(values, Drop) else _staff({**values, "console_link": link})


def _problems_of(document: Document) -> list[UnclearLine]:
    if document.name == DocumentName.RULES:
        return [
            UnclearLine(each.line, each.why, quoted=each.words, instead=each.nearest)
            for each in rules_doc.parse(document.text).problems
        ]
    return [UnclearLine(each.line, each.why) for each in DOCUMENT.parse(document.text).problems]


def sheet_halted(c: WaitlistContext) -> MessageContent | Drop:
    if not c.wl.sheet.state().missing:
        return Drop("put right meanwhile")
    rows = count(int(c.send.params["rows"]), "row")
    return _staff({"rows": rows, "console_link": c.in_console("/versions")})


def calendar_halted(c: WaitlistContext) -> MessageContent | Drop:
    if not c.wl.calendar().missing:
        return Drop("put right meanwhile")
    openings = count(int(c.send.params["openings"]), "opening")
    return _staff({"openings": openings, "console_link": c.in_console("/calendar")})


def sheet_troubled(c: WaitlistContext) -> MessageContent | Drop:
    trouble = c.wl.sheet.state().trouble
    if not trouble:
        return Drop("put right meanwhile")
    return _staff({"why": trouble, "console_link": c.in_console("/versions")})


def texts_used_up(c: WaitlistContext) -> MessageContent:
    sent, most = int(c.send.params["sent"]), int(c.send.params["most"])
    what = _ALL_TEXTS if sent >= most else _HALF_OF_THE_TEXTS
    link = f"{c.sender.console_url}/console/messages"
    return _staff({"texts": str(sent), "what": what, "console_link": link})


_ALL_TEXTS: Final = (
    "No more go out today. Whoever has an e-mail address is told by mail; the others wait until "
    "tomorrow."
)
_HALF_OF_THE_TEXTS: Final = (
    "Answers to the form go by mail only for the rest of the day. Offers still go by text."
)


def summary(c: WaitlistContext) -> MessageContent:
    params = c.send.params
    month = date.fromisoformat(str(params["month"]))
    figures = Figures(**{name: int(params[name]) for name in Figures.__struct_fields__})
    return _staff(
        {
            "month": words.month_name(month),
            "summary": str(params.get("paragraph", "")) or words.summary(month, figures),
            "figures": words.figures_text(figures, c.wl.catalogue()),
            "console_link": c.in_console(f"/figures?month={month:%Y-%m}"),
        }
    )


_SLOT: Final = {**VISIT_SAMPLE, "console_link": SAMPLE_LINK}
_CONSOLE: Final = {"business": "Salon Mia", "console_link": SAMPLE_LINK}

KINDS: Final[Mapping[str, MessageKind]] = {
    "handed_back": message_kind(
        handed_back,
        "A slot is handed back, to staff",
        """
Subject: Handed back to you: {{ service }} on {{ when }}

{{ service }} {{ with_staff }} on {{ when }} is yours to give again. {{ why }}

See who was tried:
{{ console_link }}
""",
        "when",
        **_SLOT,
        tried="3 people",
        why="It was offered to 3 people, and nobody else on the list suits it.",
    ),
    "nobody_fits": message_kind(
        nobody_fits,
        "Nobody fits a slot, to staff",
        """
Subject: Nobody on the list fits {{ service }} on {{ when }}

{{ service }} {{ with_staff }} on {{ when }} is free, and nobody who waits suits it.

See why:
{{ console_link }}
""",
        "when",
        **_SLOT,
    ),
    "overlap": message_kind(
        overlap,
        "A time was freed that is taken, to staff",
        """
Subject: Not offered: {{ freed_service }} on {{ freed_when }}

{{ freed_service }} on {{ freed_when }} came free, but we did not offer it: at that time there is
already {{ service }} {{ with_staff }} on {{ when }}.

If both can take place, free it by hand:
{{ console_link }}
""",
        "freed_when console_link",
        **_SLOT,
        freed_service="Cut and colour",
        freed_when="Friday 20 November, 15:30 (SGT)",
    ),
    "unreachable": message_kind(
        unreachable,
        "Somebody could not be reached, to staff",
        """
Subject: We could not reach {{ name }}

The offer of {{ service }} on {{ when }} did not reach {{ name }}, and went to the next. {{ why }}

See the offer:
{{ console_link }}
""",
        "name",
        **_SLOT,
        why="Why: texts are not set up.",
    ),
    "proposed": message_kind(
        proposed,
        "A request came in, to staff",
        """
Subject: Somebody would like to be on the list

A request came in by mail. Nobody is on the list before you say so.

Look at it:
{{ console_link }}
""",
        "console_link",
        **_CONSOLE,
    ),
    "unclear": message_kind(
        unclear,
        unclear_mail.TITLE,
        unclear_mail.WORDING,
        unclear_mail.MUST,
        **_CONSOLE,
        **unclear_mail.SAMPLE,
    ),
    "sheet_halted": message_kind(
        sheet_halted,
        "Many rows went from the sheet, to staff",
        """
Subject: {{ rows }} are gone from the waitlist's sheet

{{ rows }} went from the sheet at once, which may be a mistake.
Nobody was taken off the list, and the sheet is left alone until you say so.

Look at them:
{{ console_link }}
""",
        "rows",
        **_CONSOLE,
        rows="12 rows",
    ),
    "calendar_halted": message_kind(
        calendar_halted,
        "Many openings went from the calendar, to staff",
        """
Subject: {{ openings }} are gone from the calendar

{{ openings }} went from the calendar of openings at once, which may be a mistake.
No slot was taken back, and the calendar is left alone until you say what to do.

Look at them:
{{ console_link }}
""",
        "openings",
        **_CONSOLE,
        openings="12 openings",
    ),
    "sheet_troubled": message_kind(
        sheet_troubled,
        "The sheet cannot be read or written, to staff",
        """
Subject: The waitlist's sheet cannot be used just now

The list and its sheet are not in step any more, and what you change in the sheet is not heard.
The list itself goes on as it is.

Why: {{ why }}

We go on trying. See how it stands:
{{ console_link }}
""",
        "why",
        **_CONSOLE,
        why="There is no such file.",
    ),
    "texts_used_up": message_kind(
        texts_used_up,
        "Many texts on one day, to staff",
        """
Subject: Texts today: {{ texts }}

Texts that have gone out today: {{ texts }}, which is as many as your settings allow. {{ what }}

If this is more than you expect, somebody may be typing numbers into your form.

See the messages:
{{ console_link }}
""",
        "texts",
        **_CONSOLE,
        texts="200",
        what="No more go out today.",
    ),
    "summary": message_kind(
        summary,
        "The month in figures, to staff",
        """
Subject: {{ month }} on the waitlist

{{ summary }}

{{ figures }}

See it day by day:
{{ console_link }}
""",
        "figures",
        **_CONSOLE,
        month="October 2026",
        summary="October was a good month: most of what came free was taken within minutes.",
        figures="Came free: 31\nFilled: 24\nTime to fill, on average: 14 minutes\n"
        "Recovered: S$2,880.00",
    ),
}

DOCUMENT: Final = WordingDocument(
    wording_specs({**customers.KINDS, **KINDS}),
    "// How we sound. A part begins with two # signs, a channel and what the message is about.\n"
    "// Words in two braces are filled in when it is sent.",
)
