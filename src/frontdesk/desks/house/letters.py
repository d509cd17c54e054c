"""Puts a letter of the house on paper: the text part and the HTML part, from one source."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, assert_never

from frontdesk.core.wording import Action, Block, DetailsCard, Filled, Headline, Paragraph
from frontdesk.values import Frozen
from frontdesk.web.colours import accent_palette

if TYPE_CHECKING:
    from jinja2 import Template


class Paper(Frozen, kw_only=True):
    """What stands around the words."""

    business: str
    accent: str
    why: str
    """Why they get this mail: the last line."""


def text_part(filled: Filled, paper: Paper) -> str:
    """Links stand on lines of their own."""
    parts = [_as_text(block) for block in filled.blocks]
    return "\n\n".join([*parts, f"-- \n{paper.business}\n{paper.why}"]) + "\n"


def _as_text(block: Block) -> str:
    match block:
        case Headline(text) | Paragraph(text):
            return text
        case Action(lead, label, url):
            return f"{lead} {label}:\n{url}".lstrip()
        case DetailsCard():
            raise AssertionError("a letter of the house is about no event")
        case _:
            assert_never(block)


def html_part(filled: Filled, paper: Paper) -> str:
    return _layout().render(letter=filled, paper=paper, look=accent_palette(paper.accent))


@cache
def _layout() -> Template:
    """Who never writes a letter need not load what it takes."""
    from jinja2 import Environment, StrictUndefined

    source = files(__package__).joinpath("templates", "mail", "letter.html").read_text("utf-8")
    return Environment(autoescape=True, undefined=StrictUndefined).from_string(source)
