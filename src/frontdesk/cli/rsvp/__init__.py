"""Commands about events and their guests: events, import, export, story."""

from __future__ import annotations

from frontdesk.cli.rsvp import lists, stories
from frontdesk.cli.rsvp.stories import person_export, person_lines, why

__all__ = ["COMMANDS", "person_export", "person_lines", "why"]

COMMANDS = (*lists.COMMANDS, *stories.COMMANDS)
