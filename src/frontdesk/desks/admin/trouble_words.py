"""Explains to staff what a failure of each outside system means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from frontdesk.desks.admin.model import Part
from frontdesk.values import Frozen


class Words(Frozen):
    what: str
    means: str
    url: str
    """A console page with more about it, or ''."""


WORDS: Final[Mapping[Part, Words]] = {
    Part.MODEL: Words(
        "The language model cannot be used.",
        "Requests by mail are read by our rules alone, and notes and summaries are in our own"
        " words. Look at its access, its key and its settings.",
        "",
    ),
    Part.RULES: Words(
        "The rules of the waitlist cannot be read.",
        "The last good rules stay in force. What was written since does not count yet.",
        "/console/waitlist/rules",
    ),
    Part.VOICE: Words(
        "The messages of the waitlist cannot be read.",
        "The last good words stay in use. What was written since does not count yet.",
        "/console/waitlist/voice",
    ),
}
