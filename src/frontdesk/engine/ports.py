"""What the engine needs of a store. Two stores implement it; one contract suite tests both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from datetime import date, datetime
from typing import Any, Protocol

from frontdesk.core.decision import Accepted, Decision, Fact, Refused, TimerName
from frontdesk.core.jobs import Job
from frontdesk.core.mail import MailId, RawMail
from frontdesk.core.people import Person, PersonId
from frontdesk.core.saved_settings import SettingReads
from frontdesk.core.sends import Kept, Send, SendId, SendState
from frontdesk.values import Frozen


class Recorded(Frozen):
    """A fact with its place in the audit."""

    seq: int
    at: datetime
    by: str
    """Who: 'guest:<id>', 'member:<id>', 'cli', or the engine itself: 'timer', 'shipping',
    'follower:<name>', 'job:<id>'."""
    fact: Fact


class Committed(Frozen):
    """What became true. `repeated`: it had become true before, under the same idempotency key."""

    facts: tuple[Recorded, ...]
    repeated: bool = False


Outcome = Committed | Refused


class Followed(Frozen):
    """This commit is what `follower` does about the fact `seq`: both or neither. In a store that
    follows in order, all facts before it are settled with it."""

    follower: str
    seq: int


class Fired(Frozen):
    """This commit is what a due timer asked for; the timer goes in the same commit."""

    name: TimerName
    due_at: datetime


Cause = Followed | Fired


class DeadLetter(Frozen):
    """What could not be processed after its retries; staff see it and can replay it."""

    id: int
    at: datetime
    what: str
    """'fact', 'timer', 'send', 'mail' or 'job'."""
    ref: str
    """'<follower>/<seq>', '<timer> <due_at>', the id of the send, mail or job."""
    why: str
    replayed_at: datetime | None = None


class EngineReads(SettingReads, Protocol):
    """Rows that belong to no desk."""

    def person(self, person_id: PersonId) -> Person | None: ...
    def person_by_email(self, email_key: str) -> Person | None:
        """Also by a number, if that is all we have of them: see `contact_key`."""

    def people_by_mobile(self, mobile: str) -> Sequence[Person]:
        """All who have this number, in the order of their ids; nobody has none."""

    def number_stopped(self, mobile: str) -> bool:
        """Whether whoever has this number wants no texts from us."""

    def texts_on(self, on: date) -> int:
        """How many texts went out on this day (UTC)."""

    def send(self, send_id: SendId) -> Send | None: ...
    def kept(self, send_id: SendId) -> Kept | None: ...
    def job(self, job_id: str) -> Job | None: ...
    def raw_mail(self, mail_id: MailId) -> RawMail | None: ...
    def knows_mail(self, mail_id: MailId) -> bool: ...
    def new_mail_to(self, mail_id: MailId) -> str:
        """Where it was sent, if it is still to be dealt with. The mail itself stays closed."""

    def dead_letters(self, limit: int) -> Sequence[DeadLetter]:
        """The newest first, replayed ones too."""


class Reads(Protocol):
    """A consistent view: the engine's rows, and each desk's by its code."""

    @property
    def engine(self) -> EngineReads: ...
    def desk(self, code: str) -> Any:
        """The desk's own small class of reads; the desk knows its type."""


Ask = Callable[[Reads], Decision]


class Store(Protocol):
    """All conditions hold and everything is written, or nothing is."""

    def commit(self, accepted: Accepted, *, by: str, at: datetime) -> Committed:
        """Raises `Conflict` when a condition does not hold, `Busy` when it cannot be tried now."""

    def decide(
        self,
        ask: Ask,
        *,
        by: str,
        at: datetime,
        cause: Cause | None = None,
        key: str | None = None,
    ) -> Outcome:
        """Load, decide and commit. On a conflict, again on fresh rows; `Busy` after some tries.

        The cause is settled in the same commit, also when the decision is a refusal; where it
        was settled before, nothing happens and the outcome is `Committed((), repeated=True)`.

        A `key` that was used repeats its outcome, or raises `KeyReused` if it comes with another
        content (`core.request_keys`).
        """

    def submit(
        self,
        ask: Ask,
        *,
        by: str,
        at: datetime,
        cause: Cause | None = None,
        key: str | None = None,
        patient: bool = False,
    ) -> Future[Outcome]:
        """`decide`, without waiting for it. `patient`: others may go first, where many wait."""

    async def decide_async(
        self,
        ask: Ask,
        *,
        by: str,
        at: datetime,
        cause: Cause | None = None,
        key: str | None = None,
    ) -> Outcome:
        """`decide`, for an event loop."""

    def reads(self) -> Reads:
        """For showing, not for deciding. Safe from any thread."""

    @property
    def follows_in_order(self) -> bool:
        """Whether a follower has one place in the audit and moves along it. Otherwise each fact
        is settled by itself, and `Followed` means this one and none before it."""

    def expect(self, followers: Mapping[str, frozenset[str]]) -> None:
        """Which followers there are, by name, and the kinds of facts that each acts on."""

    # What is left to do. Each answer is bounded by `limit`.
    def unfollowed(
        self, follower: str, kinds: frozenset[str], limit: int
    ) -> Sequence[Recorded]: ...
    def pass_over(self, follower: str, seq: int) -> None:
        """Nothing of interest to `follower` up to and including `seq`."""

    def bury(self, letter: str, ref: str, why: str, *, at: datetime, cause: Cause | None) -> None:
        """Write a dead letter and settle its cause, in one commit."""

    def due_timers(self, now: datetime, limit: int) -> Sequence[tuple[TimerName, datetime]]: ...
    def next_timer_at(self) -> datetime | None: ...
    def due_sends(self, now: datetime, limit: int) -> Sequence[Send]: ...
    def next_send_at(self) -> datetime | None: ...
    def sends_in(self, state: SendState, limit: int) -> Sequence[Send]: ...
    def open_jobs(
        self, limit: int, *, kinds: frozenset[str] = frozenset(), others: bool = True
    ) -> Sequence[Job]:
        """Open jobs, like 'wl/read', that are none of these kinds; or, not `others`, only those."""

    def on_commit(self, heard: Callable[[Sequence[Recorded]], None]) -> None:
        """`heard` is called after each commit, from any thread; it must be quick."""

    def close(self) -> None: ...
