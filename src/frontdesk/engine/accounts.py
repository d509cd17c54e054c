"""What health and replay ask of a store, beyond what running a desk needs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from frontdesk.core.sends import SendState
from frontdesk.engine.ports import DeadLetter, Recorded
from frontdesk.values import Frozen


class Numbers(Frozen):
    """How the store is doing, counted at one instant."""

    facts: int
    """The seq of the last fact."""
    places: Mapping[str, int]
    """How far each follower has come."""
    sends: Mapping[SendState, int]
    ended_last_day: Mapping[SendState, int]
    """Sends queued in the last 24 hours, by the state they are in now."""
    oldest_timer_at: datetime | None
    """The timer that has been due for the longest time."""
    oldest_send_at: datetime | None
    dead_letters: int
    """Those that nobody has replayed."""
    open_jobs: int
    waiting_writes: int
    """How many tasks stand in the writer's queue."""
    texts_last_day: int = 0
    """Texts queued in the last 24 hours that were sent or have failed."""
    failed_texts_last_day: int = 0


class Accounts(Protocol):
    """Counted and looked up for staff; nothing decides on it."""

    def numbers(self, now: datetime) -> Numbers: ...

    def recorded(self, seq: int) -> Recorded | None:
        """One fact of the audit."""

    def dead_letter(self, letter_id: int) -> DeadLetter | None: ...

    def mark_replayed(self, letter_id: int, *, at: datetime) -> None:
        """Staff have dealt with it."""
