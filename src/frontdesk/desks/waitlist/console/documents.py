"""The document pages: the rules as understood line by line, and previews with sample values."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import Any, Final

from starlette.requests import Request
from starlette.routing import BaseRoute

from frontdesk.core.decision import Fact
from frontdesk.core.localtime import same_wall_time, to_wall, zone
from frontdesk.core.text_rules import text_rules
from frontdesk.core.words import count, how_long
from frontdesk.cost.prices import price_list
from frontdesk.desks.waitlist import rules_doc, words
from frontdesk.desks.waitlist.console.page import (
    WAITLIST,
    slot_intake_of,
    waitlist_page,
    wl_of,
    zone_of,
)
from frontdesk.desks.waitlist.document_facts import DocumentTaken
from frontdesk.desks.waitlist.facts import (
    EntryJoined,
    EntryLeft,
    JoinRepeated,
    OfferArmed,
    OfferWithdrawn,
    SlotClaimed,
    SlotGiven,
)
from frontdesk.desks.waitlist.messages.staff import DOCUMENT
from frontdesk.desks.waitlist.model import DocumentName, Opening, Rules, Slot, SlotId
from frontdesk.desks.waitlist.notes import NOTES
from frontdesk.engine.stories import newest_first
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.features.documents.console import DocumentConsole, DocumentPage, Shown
from frontdesk.features.messages.samples import SAMPLE_TOKEN
from frontdesk.features.wordings.document import Preview
from frontdesk.features.wordings.shown_document import shown_wordings
from frontdesk.web.site import site_of


def routes() -> list[BaseRoute]:
    return DocumentConsole(
        pages=(
            _page(DocumentName.RULES, "Rules", "rules", shown_rules),
            _page(DocumentName.VOICE, "Messages", "words", shown_voice),
        ),
        documents=lambda request: slot_intake_of(request).documents,
        page=waitlist_page,
        facts=lambda request: newest_first(wl_of(request), "waitlist", DocumentTaken.kind),
        zone=zone_of,
    ).routes()


def _page(name: DocumentName, tab: str, noun: str, shown: Shown) -> DocumentPage:
    return DocumentPage(
        name=name,
        tab=tab,
        path=f"{WAITLIST}/{name}",
        template=f"{name}.html",
        noun=noun,
        use="slot that comes free",
        shown=shown,
    )


def shown_rules(text: str, _request: Request) -> dict[str, Any]:
    parsed = rules_doc.parse(text)
    echoes, problems = defaultdict(list), defaultdict(list)
    for echo in parsed.echoes:
        echoes[echo.line].append(echo.meaning)
    for problem in parsed.problems:
        problems[problem.line].append(problem)
    return {
        "problems": len(parsed.problems),
        "lines": [
            {"number": n, "text": line, "echoes": echoes[n], "problems": problems[n]}
            for n, line in enumerate(text.split("\n"), start=1)
            if line.strip() or problems[n]
        ][: rules_doc.MOST_LINES],
    }


def shown_voice(text: str, request: Request) -> dict[str, Any]:
    """Builds previews with the names and links of this business, so that text lengths are right."""
    real = real_values(request)
    previews = DOCUMENT.previews(DOCUMENT.parse(text).wordings, real)
    return shown_wordings(DOCUMENT, text, real, _OFFER) | {"cost": text_cost(request, previews)}


A_MONTH: Final = timedelta(days=30)
#: The most facts of a month to read.
MOST_FACTS: Final = 5_000
#: With a longer base URL, an offer text with usual names needs more than one segment.
SHORT_ADDRESS: Final = 30
_WEDNESDAY: Final = 2
_A_MOMENT: Final = timedelta(seconds=1)
_KINDS: Final[Mapping[type[Fact], str]] = {
    EntryJoined: "joined",
    JoinRepeated: "link",
    EntryLeft: "left",
    OfferArmed: "offer",
    SlotClaimed: "booked",
    SlotGiven: "booked",
    OfferWithdrawn: "offer_withdrawn",
}


def real_values(request: Request) -> Mapping[str, str]:
    """Uses the longest names of the business, so that no real text exceeds its preview."""
    site, wl = site_of(request), wl_of(request)
    now, catalogue, rules = site.clock.now(), wl.catalogue(), wl.rules()
    settings = site.settings
    link = f"{settings.claims_at}/l/{SAMPLE_TOKEN}"
    return {
        "business": site.renderer.branding.business_name,
        **_slot_values(catalogue, rules, now),
        **dict.fromkeys(("offer_link", "claim_link", "decline_link", "entry_link"), link),
        "console_link": f"{settings.console_at}/console/waitlist",
    }


def _slot_values(catalogue: Catalogue, rules: Rules, now: datetime) -> Mapping[str, str]:
    slot = _slot(catalogue, rules, now)
    window = rules.claim_window
    opening = slot.opening
    return {
        **({"service": opening.service} if opening.service else {}),
        "with_staff": words.with_staff(opening),
        "when": words.slot_when(slot),
        "window": how_long(window),
        "claim_by": words.deadline(slot, now + window, now),
    }


def _slot(catalogue: Catalogue, rules: Rules, now: datetime) -> Slot:
    """A slot on the next Wednesday, which has the longest name of all weekdays."""
    tz = zone(rules.zone)
    today = to_wall(now, tz).date()
    on = today + timedelta(days=(_WEDNESDAY - today.weekday()) % 7 or 7)
    service = max((one.name for one in catalogue.services), key=len, default="")
    staff = max(catalogue.staff, key=len, default="")
    opening = Opening(service, same_wall_time(on, time(15), tz), timedelta(hours=1), 1, staff)
    return Slot(SlotId(""), "", opening, rules, freed_at=now)


def text_cost(request: Request, previews: Sequence[Preview]) -> list[str]:
    """Tells in sentences what texts with these wordings cost."""
    site = site_of(request)
    segments = {one.key[1]: one.size.segments for one in previews if one.size}
    country = next(iter(text_rules(site.settings).countries), site.settings.country)
    price = price_list().texts.get(country)
    said = [_address(site.settings.claims_at)]
    if price is None:
        return [*said, f"We know no price of texts to {country}."]
    each = f"A segment to {country} costs about US${price.usd:.2f}"
    told = _told_in_a_month(request)
    parts = sum(number * segments.get(kind, 1) for kind, number in told.items())
    if not parts:
        parts = 100 * segments[_OFFER]
        return [*said, f"{each}: 100 offers a month are about US${parts * price.usd:.2f}."]
    messages = count(sum(told.values()), "message")
    month = f"In the last 30 days: {messages}, {count(parts, 'segment')}"
    return [*said, f"{each}. {month}, about US${parts * price.usd:.2f} if all go by text."]


_OFFER: Final = "offer"


def _address(address: str) -> str:
    length = (
        f"Links begin with {address} and have {len(address) + 3 + len(SAMPLE_TOKEN)} characters."
    )
    if len(address) <= SHORT_ADDRESS:
        return length
    return f"{length} A shorter address (setting claims_url) makes texts shorter."


def _told_in_a_month(request: Request) -> Counter[str]:
    """Counts the messages to customers of the last 30 days, by kind."""
    now = site_of(request).clock.now()
    facts = wl_of(request).facts_between(now - A_MONTH, now + _A_MOMENT, limit=MOST_FACTS)
    return Counter(
        _KINDS[type(one.fact)] for one in facts if type(one.fact) in _KINDS and _is_told(one.fact)
    )


def _is_told(fact: Fact) -> bool:
    """Whether a fact caused a message. An offer's message counts when it is armed."""
    return isinstance(fact, OfferArmed) or NOTES[type(fact)](fact) is not None
