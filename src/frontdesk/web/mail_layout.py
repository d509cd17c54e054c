"""Lays out the text part and the HTML part of a mail from one filled wording."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, assert_never

from frontdesk.core.contact_card import ContactCard
from frontdesk.core.occasions import Occasion, Tone
from frontdesk.core.wording import (
    Action,
    Block,
    DetailsCard,
    FilledWording,
    Headline,
    Paragraph,
    Wording,
    fill,
    link_names,
    placeholders,
)
from frontdesk.values import Frozen, replace
from frontdesk.web.colours import DEFAULT_ACCENT, accent_palette

if TYPE_CHECKING:
    from jinja2 import Template

#: Begins a mark for a link in a cached mail. It is new in each process, so that nobody can type it.
_MARK: Final = f"link-{secrets.token_hex(8)}-"
_MARKED: Final = re.compile(rf"{_MARK}(\w+)-")
_UNSUBSCRIBE: Final = "unsubscribe"


class MailFrame(Frozen, kw_only=True):
    """The parts of a mail around the wording."""

    business: str
    what: Occasion | None
    """The content of the card; the wording says where the card is."""
    why: str
    """The last line: tells the recipient why they get this mail."""
    tone: Tone = Tone.GOOD
    chip: str = ""
    called_off: bool = False
    unsubscribe: str = ""
    accent: str = ""
    contact: ContactCard = ContactCard()


class MailBody(Frozen):
    """A mail as the recipient reads it."""

    subject: str
    text: str
    html: str


def lay_out(wording: Wording, values: Mapping[str, str], frame: MailFrame) -> MailBody:
    """Fills the links into a cached mail: mails to all guests of an event differ only in these."""
    links = {name: values[name] for name in link_names(wording) if values[name]}
    if frame.unsubscribe:
        links[_UNSUBSCRIBE] = frame.unsubscribe
        frame = replace(frame, unsubscribe=_mark(_UNSUBSCRIBE))
    shown = [_mark(name) if name in links else values[name] for name in placeholders(wording)]
    return _without_links(wording, tuple(shown), frame).with_links(links)


class _Parts(Frozen):
    """A mail in which texts and names of links alternate; a text is first."""

    subject: str
    text: tuple[str, ...]
    html: tuple[str, ...]

    def with_links(self, links: Mapping[str, str]) -> MailBody:
        from markupsafe import escape

        text, html = list(self.text), list(self.html)
        text[1::2] = [links[name] for name in self.text[1::2]]
        html[1::2] = [str(escape(links[name])) for name in self.html[1::2]]
        return MailBody(self.subject, "".join(text), "".join(html))


@lru_cache(maxsize=64)
def _without_links(wording: Wording, shown: tuple[str, ...], frame: MailFrame) -> _Parts:
    filled = fill(wording, dict(zip(placeholders(wording), shown, strict=True)))
    text, html = text_part(filled, frame), html_part(filled, frame)
    return _Parts(filled.subject, tuple(_MARKED.split(text)), tuple(_MARKED.split(html)))


@cache
def _mark(link: str) -> str:
    return f"{_MARK}{link}-"


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
    blocks = filled.blocks
    return _layout().render(
        subject=filled.subject,
        preheader=next(_sentences(blocks), ""),
        business=frame.business,
        blocks=blocks,
        button=next((b for b in blocks if isinstance(b, Action) and not b.lead), None),
        what=frame.what,
        why=frame.why,
        contact=frame.contact,
        tone=frame.tone.value,
        chip=frame.chip,
        strike="text-decoration:line-through;" if frame.called_off else "",
        unsubscribe=frame.unsubscribe,
        look=accent_palette(frame.accent or DEFAULT_ACCENT),
    )


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
