"""Builds the HTML that hosts copy to their own site for sign-ups."""

from __future__ import annotations

from typing import Final

from markupsafe import escape

from frontdesk.desks.rsvp.calendar_file import event_url
from frontdesk.desks.rsvp.decide.seats import largest_party
from frontdesk.desks.rsvp.model import Event, Lane
from frontdesk.desks.rsvp.pages.event_page import party_options
from frontdesk.desks.rsvp.pages.sign_up import TRAP
from frontdesk.values import Frozen

FRAME_HEIGHT: Final = 640


class Snippets(Frozen):
    """HTML to copy. The form inherits the style of the page around it; the frame has its own."""

    form: str
    frame: str


def snippets(base_url: str, event: Event) -> Snippets:
    return Snippets(_form(base_url, event), _frame(base_url, event))


def _form(base_url: str, event: Event) -> str:
    lines = [
        f'<form action="{escape(event_url(base_url, event))}" method="post">',
        '  <label>Your name <input name="name" autocomplete="name" required></label>',
        '  <label>E-mail <input name="email" type="email" autocomplete="email" required></label>',
        *_party(largest_party(event, Lane.FORM)),
        f'  <input name="{TRAP}" tabindex="-1" autocomplete="off" aria-hidden="true" hidden>',
        "  <button>Sign up</button>",
        "</form>",
    ]
    return "\n".join(lines)


def _party(most: int) -> list[str]:
    if most == 1:
        return []
    options = "".join(
        f'<option value="{value}">{label}</option>' for value, label in party_options(most)
    )
    return [f'  <label>How many are you? <select name="party">{options}</select></label>']


def _frame(base_url: str, event: Event) -> str:
    return (
        f'<iframe src="{escape(event_url(base_url, event))}/embed"'
        f' title="{escape(event.details.name)}" width="100%" height="{FRAME_HEIGHT}"'
        ' style="border:0" loading="lazy"></iframe>'
    )
