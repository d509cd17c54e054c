"""The words of the mails to the team, which the business can change."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from frontdesk.core.wording import MailKind, Wording, check, parse

_MUST: Final = frozenset({"sign_in_link"})
_EVERY: Final = {
    "name": "Ann Lee",
    "business": "The Long Table",
    "until": "until 10:15 today (SGT)",
    "sign_in_link": "https://example.org/sign-in/sample",
}
_TROUBLE: Final = {
    "name": "Ann Lee",
    "business": "The Long Table",
    "what": "The language model cannot be used.",
    "means": "Requests by mail are read by our rules alone.",
    "why": "AccessDeniedException: You don't have access to the model.",
    "console_link": "https://example.org/console/problems",
}
_ROLE: Final = {"role_line": "You are a host: you see your event, its guests and its messages."}

#: Every mail of the house, by the kind of its note.
KINDS: Final[Mapping[str, MailKind]] = MappingProxyType(
    {
        "sign_in": MailKind("Somebody of the team asks to sign in", _EVERY, _MUST),
        "invitation": MailKind("Somebody is added to the team", {**_EVERY, **_ROLE}, _MUST),
        "trouble": MailKind(
            "A connected service fails", _TROUBLE, frozenset({"what", "console_link"})
        ),
    }
)


@cache
def default(kind: str) -> Wording:
    """What the mail says until the business changes it."""
    assert kind in KINDS
    return parse(files(__package__).joinpath("templates", "mail", f"{kind}.txt").read_text("utf-8"))


@lru_cache(maxsize=16)
def usable(kind: str, own: Wording | None) -> Wording:
    """What the business wrote, if it did and as long as it can be used: an update may have taken a
    placeholder away."""
    return own if own and not check(KINDS[kind], own) else default(kind)
