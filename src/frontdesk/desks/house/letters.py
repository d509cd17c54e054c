"""Puts a letter of the house on paper: the text part and the HTML part, from one source."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from jinja2 import Environment, StrictUndefined, Template

from frontdesk.web.colours import accent_palette


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    subject: str
    headline: str
    paragraphs: tuple[str, ...]
    button: str
    url: str
    why: str
    """Why they get this mail: the last line."""


def text_part(letter: Letter, business: str) -> str:
    """The link stands on a line of its own."""
    parts = [letter.headline, *letter.paragraphs, f"{letter.button}:\n{letter.url}"]
    return "\n\n".join([*parts, f"-- \n{business}\n{letter.why}"]) + "\n"


def html_part(letter: Letter, business: str, accent: str) -> str:
    return _layout().render(letter=letter, business=business, look=accent_palette(accent))


@cache
def _layout() -> Template:
    source = files(__package__).joinpath("templates", "mail", "letter.html").read_text("utf-8")
    return Environment(autoescape=True, undefined=StrictUndefined).from_string(source)
