"""Lays out the text part and the HTML part of a mail from one filled wording."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, assert_never

from frontdesk.core.contact_card import ContactCard
from frontdesk.core.occasions import Occasion, Tone
from frontdesk.core.wording import Action, Block, DetailsCard, FilledWording, Headline, Paragraph
from frontdesk.values import Frozen, replace
from frontdesk.web.colours import DEFAULT_ACCENT, accent_palette

if TYPE_CHECKING:
    from jinja2 import Template

#: Stands for a link in cached HTML. It is new in each process, so that nobody can type it.
_LINK: Final = f"link-{secrets.token_hex(8)}"


class MailFrame(Frozen, kw_only=True):
    """The parts of a mail around the wording."""

    business: str
    what: Occasion | None
    """Shown as a card at the position that the wording names."""
    why: str
    """The last line: tells the recipient why they get this mail."""
    tone: Tone = Tone.GOOD
    chip: str = ""
    called_off: bool = False
    unsubscribe: str = ""
    accent: str = ""
    contact: ContactCard = ContactCard()


def text_part(filled: FilledWording, frame: MailFrame) -> str:
    """Puts links on lines of their own."""
    parts = [_as_text(block, frame.what) for block in filled.blocks]
    parts.append("\n".join(("-- ", frame.business, *frame.contact.lines, frame.why)))
    if frame.unsubscribe:
        parts.append(f"Get no more mail like this:\n{frame.unsubscribe}")
    return "\n\n".join(parts) + "\n"


def _as_text(block: Block, what: Occasion | None) -> str:
    match block:
        case Headline(text) | Paragraph(text):
            return text
        case DetailsCard():
            assert what is not None, "a card is about something"
            return "\n".join(line for line in (what.name, what.when, what.where) if line)
        case Action(lead, label, url):
            return f"{lead} {label}:\n{url}".lstrip()
        case _:
            assert_never(block)


def html_part(filled: FilledWording, frame: MailFrame) -> str:
    """Fills the links into cached HTML: mails to all guests of an event differ only in these."""
    from markupsafe import escape

    links = [block.url for block in filled.blocks if isinstance(block, Action)]
    if frame.unsubscribe:
        links.append(frame.unsubscribe)
        frame = replace(frame, unsubscribe=_LINK)
    around = _html_around_links(_without_links(filled), frame)
    hrefs = (*(str(escape(link)) for link in links), "")
    return "".join(chain.from_iterable(zip(around, hrefs, strict=True)))


def _without_links(filled: FilledWording) -> FilledWording:
    blocks = (replace(b, url=_LINK) if isinstance(b, Action) else b for b in filled.blocks)
    return FilledWording(filled.subject, tuple(blocks))


@lru_cache(maxsize=64)
def _html_around_links(filled: FilledWording, frame: MailFrame) -> tuple[str, ...]:
    """Renders the HTML and splits it where the links belong, in their order."""
    html = _layout().render(
        subject=filled.subject,
        preheader=next(_sentences(filled.blocks), ""),
        business=frame.business,
        blocks=filled.blocks,
        button=next((b for b in filled.blocks if isinstance(b, Action) and not b.lead), None),
        what=frame.what,
        why=frame.why,
        contact=frame.contact,
        tone=frame.tone.value,
        chip=frame.chip,
        strike="text-decoration:line-through;" if frame.called_off else "",
        unsubscribe=frame.unsubscribe,
        look=accent_palette(frame.accent or DEFAULT_ACCENT),
    )
    return tuple(html.split(_LINK))


def _sentences(blocks: tuple[Block, ...]) -> Iterator[str]:
    """Mail programs show the first sentence beside the subject."""
    return (block.text for block in blocks if isinstance(block, Paragraph))


@cache
def _layout() -> Template:
    """Imports Jinja lazily: most functions send no mail."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates" / "mail"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )
    return environment.get_template("layout.html")
