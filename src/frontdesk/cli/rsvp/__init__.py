"""Commands about events and their guests: events, import, export, story."""

from __future__ import annotations

from frontdesk.cli.rsvp import lists, stories
from frontdesk.cli.rsvp.stories import why

__all__ = ["COMMANDS", "why"]

COMMANDS = (*lists.COMMANDS, *stories.COMMANDS)
