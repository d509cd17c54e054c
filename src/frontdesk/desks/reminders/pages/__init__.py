"""Public pages of the reminders desk: the links in its messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from frontdesk.desks.reminders.links import Purpose
from frontdesk.desks.reminders.pages.answer import act, at_message, show
from frontdesk.web.links import LinkHandler, handler

LINKS: Final[Mapping[int, LinkHandler]] = dict.fromkeys(
    map(int, Purpose), handler(at_message, show, act)
)
