"""The interface of a store. Two stores implement it; one contract suite tests both."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from datetime import date, datetime
from typing import Any, Protocol

from frontdesk.core.consents import ConsentRecord
from frontdesk.core.decision import Accepted, Change, Decision, Fact, Refused, TimerName
from frontdesk.core.jobs import Job
from frontdesk.core.mail import MailId, RawMail
from frontdesk.core.people import Person, PersonId
from frontdesk.core.saved_settings import SettingReads
from frontdesk.core.sends import Send, SendId, SendState, SentMessage
from frontdesk.values import Frozen


class Recorded(Frozen):
    """A fact with its place in the audit."""

    seq: int
    at: datetime
    by: str
    """The actor: 'guest:<id>', 'member:<id>', 'cli', or the engine itself: 'timer', 'shipping',
    'follower:<name>', 'job:<id>'."""
    fact: Fact


class Committed(Frozen):
    """The facts of a commit. `repeated`: committed before, with the same key or cause."""

    facts: tuple[Recorded, ...]
    repeated: bool = False


Outcome = Committed | Refused


class Followed(Frozen):
    """The cause of a commit: `follower` acts on the fact `seq`, which is settled with it. In a
    store that follows in order, all facts before it are settled too."""

    follower: str
    seq: int


class Fired(Frozen):
    """The cause of a commit: a due timer, which is deleted in the same commit."""

    name: TimerName
    due_at: datetime


Cause = Followed | Fired


class DeadLetter(Frozen):
    """An item that failed after its retries. Staff see it and can replay it."""

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
    def people_with(self, ids: Sequence[PersonId]) -> Mapping[PersonId, Person]:
        """Returns people by id. Unknown ids are left out."""

    def person_by_email(self, email_key: str) -> Person | None:
        """Also finds a person by number, if they have no address: see `contact_key`."""

    def people_by_mobile(self, mobile: str) -> Sequence[Person]:
        """Returns all people with this number, sorted by id; none for an empty number."""

    def number_stopped(self, mobile: str) -> bool:
        """Whether this number wants no texts."""

    def consent(self, person_id: PersonId) -> ConsentRecord:
        """Returns this person's statements about texts; an empty record if there are none."""

    def texts_on(self, on: date) -> int:
        """Counts the texts that went out on this day (UTC)."""

    def text_spend(self, month: date) -> int:
        """The cost of the texts of the month that begins then, in millionths of a US dollar."""

    def send(self, send_id: SendId) -> Send | None: ...
    def sent_message(self, send_id: SendId) -> SentMessage | None: ...
    def newest_sends_to(self, person_id: PersonId, limit: int) -> Sequence[Send]:
        """Returns the sends to a person, the newest first. An index finds them, so one of the last
        second may be missing."""

    def job(self, job_id: str) -> Job | None: ...
    def raw_mail(self, mail_id: MailId) -> RawMail | None: ...
    def knows_mail(self, mail_id: MailId) -> bool: ...
    def new_mail_to(self, mail_id: MailId) -> str:
        """Returns the recipient of a mail that has no outcome yet, else an empty text."""

    def dead_letters(self, limit: int) -> Sequence[DeadLetter]:
        """Returns the newest first, including replayed ones."""


class DeskReads(SettingReads, Protocol):
    """Reads that every desk has: people, staff, and the desk's own audit."""

    def person(self, person_id: PersonId) -> Person | None: ...
    def person_by_email(self, email_key: str) -> Person | None:
        """Also finds a person by number, if they have no address: see `contact_key`."""

    def staff(self) -> Sequence[PersonId]:
        """Owners and staff who have an address."""

    def signs_in(self, person_id: PersonId) -> bool:
        """Whether they are a member of the team, with any role."""

    def facts(
        self, subject: str, *, about: str = "", after: int = 0, limit: int = 500
    ) -> Sequence[Recorded]:
        """The facts of this subject after the number `after`, in order. With `about`, only those
        about this person or entry."""

    def facts_about(self, about: str, *, limit: int = 500) -> Sequence[Recorded]:
        """This desk's facts about a person or entry, in order."""

    def newest_facts(
        self, subject: str, kind: str = "", *, before: int = 0, limit: int = 100
    ) -> Sequence[Recorded]:
        """The facts of this subject, or those of one kind, the newest first. With `before`, those
        before that number."""


class Reads(Protocol):
    """Reads the engine's rows, and each desk's rows by its code."""

    @property
    def engine(self) -> EngineReads: ...
    def desk(self, code: str) -> Any:
        """Returns the reads of one desk. The desk knows their type."""


Ask = Callable[[Reads], Decision]


class Store(Protocol):
    """Commits atomically: if all conditions hold it writes everything, else nothing."""

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
        """Loads, decides and commits. Retries a conflict with fresh rows; `Busy` after some tries.

        The cause is settled in the same commit, also for a refusal. If it was settled before,
        nothing happens and the outcome is `Committed((), repeated=True)`.

        A `key` that was used before returns its earlier outcome, or raises `KeyReused` if the
        content differs (`core.request_keys`).
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
        """Like `decide`, but does not wait. `patient`: all other writes go first."""

    async def decide_async(
        self,
        ask: Ask,
        *,
        by: str,
        at: datetime,
        cause: Cause | None = None,
        key: str | None = None,
    ) -> Outcome:
        """Like `decide`, for callers in an event loop."""

    def reads(self) -> Reads:
        """Reads for display, not for decisions. Safe from any thread."""

    def snapshot(self) -> AbstractContextManager[Reads]:
        """Like `reads`, but faster for many rows. A store may give this thread the rows of one
        instant inside of it."""

    @property
    def follows_in_order(self) -> bool:
        """Whether each follower has one place in the audit, which moves forward. Otherwise each
        fact is settled separately, and `Followed` means this fact only."""

    def register_followers(self, followers: Mapping[str, frozenset[str]]) -> None:
        """Registers the followers: by name, the kinds of facts that each acts on."""

    # Waiting work. `limit` bounds each answer.
    def unfollowed(
        self, follower: str, kinds: frozenset[str], limit: int
    ) -> Sequence[Recorded]: ...
    def pass_over(self, follower: str, seq: int) -> None:
        """Settles for `follower` the fact `seq`, or all facts up to it in a store with order."""

    def add_dead_letter(
        self, letter: str, ref: str, why: str, *, at: datetime, cause: Cause | None
    ) -> None:
        """Adds a dead letter and settles its cause, in one commit."""

    def due_timers(self, now: datetime, limit: int) -> Sequence[tuple[TimerName, datetime]]: ...
    def next_timer_at(self) -> datetime | None: ...
    def due_sends(self, now: datetime, limit: int) -> Sequence[Send]: ...
    def next_send_at(self) -> datetime | None: ...
    def sends_in(self, state: SendState, limit: int) -> Sequence[Send]: ...
    def open_jobs(
        self, limit: int, *, kinds: frozenset[str] = frozenset(), others: bool = True
    ) -> Sequence[Job]:
        """Returns open jobs except of `kinds` ('wl/read'); if not `others`, only of `kinds`."""

    def on_commit(self, listener: Callable[[Sequence[Recorded]], None]) -> None:
        """Calls `listener` after each commit, from any thread. It must be fast."""

    def revision(self, kinds: Sequence[type[Change]]) -> Hashable | None:
        """Returns a value that differs after each commit with such a change, as soon as anybody
        knows of the commit. None if other processes commit, too: then nothing can be cached."""

    def close(self) -> None: ...
