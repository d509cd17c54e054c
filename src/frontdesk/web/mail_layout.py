"""Lays out the text part and the HTML part of a mail from one filled wording."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from frontdesk.core.contact_card import ContactCard
from frontdesk.core.occasions import Occasion, Tone
from frontdesk.core.wording import Action, Block, DetailsCard, Filled, Headline, Paragraph
from frontdesk.values import Frozen
from frontdesk.web.colours import DEFAULT_ACCENT, accent_palette

if TYPE_CHECKING:
    from jinja2 import Template


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


def text_part(filled: Filled, frame: MailFrame) -> str:
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


def html_part(filled: Filled, frame: MailFrame) -> str:
    return _layout().render(
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
