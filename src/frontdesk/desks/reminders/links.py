"""Signed links of the reminders desk: one message of one appointment, and one action."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import IntEnum
from typing import Final

from frontdesk.core.ids import id_bytes, new_id
from frontdesk.core.links import Keys, Link, sign_short
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentId,
    Window,
    nonce_of,
)
from frontdesk.values import Frozen

_WINDOWS: Final = tuple(Window)
_WINDOW_BITS: Final = 3
_NONCE_BITS: Final = 16
_MOST_CHAINS: Final = 1 << (_NONCE_BITS - _WINDOW_BITS)


class Purpose(IntEnum):
    """Purposes of links. Never reuse a number; the reminders desk's begin at 80."""

    ANSWER = 80
    """Shows all visits of a message, each with its three answers."""
    CONFIRM = 81
    MOVE = 82
    CANCEL = 83


class AnswerLink(Frozen):
    appointment_id: AppointmentId
    purpose: Purpose
    chain: int
    window: Window
    version: int
    """The version of the contact that it was sent to."""

    @property
    def nonce(self) -> str:
        return nonce_of(self.chain, self.window)


class AnswerLinks(Frozen):
    """Creates the links of one message. They expire when the appointment ends."""

    base_url: str
    keys: Callable[[], Keys]
    window: Window
    version: int
    """The version of the contact: a link to an older contact is invalid."""

    def url(self, purpose: Purpose, appointment: Appointment) -> str:
        nonce = appointment.chain % _MOST_CHAINS << _WINDOW_BITS | _WINDOWS.index(self.window)
        thing = self.version % (1 << _NONCE_BITS) << _NONCE_BITS | nonce
        expires_at: datetime = appointment.starts_at.replace(microsecond=0)
        link = Link(purpose, id_bytes(appointment.id), thing, expires_at)
        return f"{self.base_url}/l/{sign_short(link, self.keys())}"


def answer_link(link: Link) -> AnswerLink | None:
    """Converts a verified link; None if it names no window of ours."""
    version, nonce = divmod(link.thing, 1 << _NONCE_BITS)
    chain, number = divmod(nonce, 1 << _WINDOW_BITS)
    if number >= len(_WINDOWS):
        return None
    purpose = Purpose(link.purpose)
    return AnswerLink(
        AppointmentId(new_id(link.subject)), purpose, chain, _WINDOWS[number], version
    )
