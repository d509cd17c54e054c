"""Health of the system: numbers for metrics, and alarms as sentences for people."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from threading import Lock
from typing import Final, Protocol

from frontdesk.core.sends import SendState
from frontdesk.core.words import count
from frontdesk.engine.follow import Follower
from frontdesk.engine.ports import DeadLetter, Recorded
from frontdesk.values import Frozen

MOST_FAILED: Final = 0.01
MOST_FAILED_TEXTS: Final = 0.05
MOST_BAD_SIGNATURES: Final = 5
#: Due work is normally done within a second.
LATE: Final = timedelta(minutes=5)


class StoreStats(Frozen):
    """Counts from the store at one instant."""

    facts: int
    """The seq of the last fact."""
    places: Mapping[str, int]
    """The seq that each follower has reached."""
    sends: Mapping[SendState, int]
    ended_last_day: Mapping[SendState, int]
    """Sends queued in the last 24 hours, by the state they are in now."""
    oldest_timer_at: datetime | None
    """When the timer was due that is overdue for the longest time."""
    oldest_send_at: datetime | None
    dead_letters: int
    """The number of dead letters that nobody has replayed."""
    open_jobs: int
    waiting_writes: int
    """The number of tasks in the writer's queue."""
    texts_last_day: int = 0
    """Texts queued in the last 24 hours that were sent or have failed."""
    failed_texts_last_day: int = 0


class Diagnostics(Protocol):
    """Counts and looks up rows for staff. No decision uses it."""

    def numbers(self, now: datetime) -> StoreStats: ...

    def recorded(self, seq: int) -> Recorded | None:
        """Returns one fact of the audit."""

    def dead_letter(self, letter_id: int) -> DeadLetter | None: ...

    def mark_replayed(self, letter_id: int, *, at: datetime) -> None:
        """Marks a dead letter as replayed."""


class HourlyCount:
    """Counts occurrences in the last hour, in this process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._at: deque[datetime] = deque(maxlen=1_000)

    def seen(self, now: datetime) -> None:
        with self._lock:
            self._at.append(now)

    def last_hour(self, now: datetime) -> int:
        with self._lock:
            return sum(now - at < timedelta(hours=1) for at in self._at)


class Health(Frozen):
    """The state of the system. `lag`: how many facts each follower still has to act on."""

    numbers: StoreStats
    lag: Mapping[str, int]
    bad_signatures: int
    """Links with a wrong signature in the last hour. Somebody may be guessing."""
    broken_pages: int
    alarms: tuple[str, ...]
    troubles: int = 0
    """The number of outside systems that fail."""

    @property
    def is_well(self) -> bool:
        return not self.alarms


def health(
    diagnostics: Diagnostics,
    followers: Iterable[Follower],
    bad_signatures: HourlyCount,
    broken_pages: HourlyCount,
    now: datetime,
    troubles: Sequence[str] = (),
) -> Health:
    """Collects numbers and alarms. `troubles`: failures of outside systems, as sentences."""
    numbers = diagnostics.numbers(now)
    bad = bad_signatures.last_hour(now)
    broken = broken_pages.last_hour(now)
    lag = {each.name: each.waiting() for each in followers}
    alarms = (*_alarms(numbers, bad, broken, now), *troubles)
    return Health(numbers, lag, bad, broken, alarms, len(troubles))


def metrics(health: Health) -> str:
    """Writes the numbers in the text format of Prometheus."""
    numbers = health.numbers
    lines = [
        f"frontdesk_facts_total {numbers.facts}",
        *(f'frontdesk_follower_lag{{follower="{name}"}} {lag}' for name, lag in health.lag.items()),
        *(
            f'frontdesk_sends{{state="{state}"}} {numbers.sends.get(state, 0)}'
            for state in SendState
        ),
        f"frontdesk_dead_letters {numbers.dead_letters}",
        f"frontdesk_open_jobs {numbers.open_jobs}",
        f"frontdesk_waiting_writes {numbers.waiting_writes}",
        f"frontdesk_bad_signatures_last_hour {health.bad_signatures}",
        f"frontdesk_broken_pages_last_hour {health.broken_pages}",
        f"frontdesk_troubles {health.troubles}",
        f"frontdesk_alarms {len(health.alarms)}",
    ]
    return "\n".join(lines) + "\n"


def _alarms(
    numbers: StoreStats, bad_signatures: int, broken_pages: int, now: datetime
) -> Iterable[str]:
    failed = numbers.ended_last_day.get(SendState.FAILED, 0)
    ended = failed + numbers.ended_last_day.get(SendState.SENT, 0)
    if failed > MOST_FAILED * ended:
        yield f"{failed} of {ended} messages of the last 24 hours could not be sent."
    texts, failed_texts = numbers.texts_last_day, numbers.failed_texts_last_day
    if failed_texts > MOST_FAILED_TEXTS * texts:
        yield f"{failed_texts} of {texts} texts of the last 24 hours could not be sent."
    if bad_signatures > MOST_BAD_SIGNATURES:
        yield f"{bad_signatures} links with a wrong signature were opened within an hour."
    if broken_pages:
        yield f"{count(broken_pages, 'page')} broke within an hour. The log says where and why."
    if numbers.dead_letters == 1:
        yield "One thing could not be processed and waits for you."
    elif numbers.dead_letters:
        yield f"{numbers.dead_letters} things could not be processed and wait for you."
    if numbers.oldest_timer_at and now - numbers.oldest_timer_at > LATE:
        yield f"A timer has been due since {numbers.oldest_timer_at:%Y-%m-%d %H:%M} UTC."
    if numbers.oldest_send_at and now - numbers.oldest_send_at > LATE:
        yield f"A message has been due since {numbers.oldest_send_at:%Y-%m-%d %H:%M} UTC."
