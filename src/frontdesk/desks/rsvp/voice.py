"""The words of every mail of this desk, which the business can change."""

from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from frontdesk.core import wording as core
from frontdesk.core.wording import (
    MOST_BODY,
    MOST_SUBJECT,
    Action,
    Block,
    DetailsCard,
    Filled,
    Headline,
    Paragraph,
    Problem,
    Wording,
    fill,
)
from frontdesk.desks.rsvp.mail_kinds import KINDS

__all__ = [
    "MOST_BODY",
    "MOST_SUBJECT",
    "Action",
    "Block",
    "DetailsCard",
    "Filled",
    "Headline",
    "Paragraph",
    "Problem",
    "check",
    "default",
    "fill",
    "is_sound",
    "preview",
]

_MAIL: Final = Path(__file__).parent / "templates" / "mail"


def check(kind: str, subject: str, body: str) -> tuple[Problem, ...]:
    """Everything that keeps a wording from being used; nothing if it can be."""
    return core.check(KINDS[kind], Wording(subject, body))


@lru_cache(maxsize=128)
def is_sound(kind: str, wording: Wording) -> bool:
    """Whether it can still be used: an update may have taken a placeholder away."""
    return not check(kind, wording.subject, wording.body)


@cache
def default(kind: str) -> Wording:
    """What the mail says until the business changes it."""
    assert kind in KINDS
    return core.parse((_MAIL / f"{kind}.txt").read_text(encoding="utf-8"))


def preview(kind: str, subject: str, body: str) -> Filled:
    """How a wording without problems reads, with sample values."""
    return fill(Wording(subject, body), KINDS[kind].placeholders)
