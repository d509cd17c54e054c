"""Implements the store on DynamoDB: each commit is one transaction with all its conditions."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import Any, Final, TypeVar

from botocore.exceptions import ClientError

from frontdesk.core.decision import Accepted, Change, Fact, TimerChange, TimerName
from frontdesk.core.jobs import Job
from frontdesk.core.mail import MailFolder, MailReceived
from frontdesk.core.sends import Send, SendState
from frontdesk.engine.ports import (
    Ask,
    Cause,
    Committed,
    Fired,
    Followed,
    Outcome,
    Recorded,
)
from frontdesk.errors import Busy, Conflict
from frontdesk.store.dynamodb import dead_letters, facts, jobs, sends, timers
from frontdesk.store.dynamodb.busy import is_busy
from frontdesk.store.dynamodb.engine_reads import DynamoEngineReads, StoppedNumbers
from frontdesk.store.dynamodb.items import TransactItem
from frontdesk.store.dynamodb.jobs import JOB_WRITES
from frontdesk.store.dynamodb.mail import MAIL_WRITES
from frontdesk.store.dynamodb.people import people_writes
from frontdesk.store.dynamodb.saved_settings import SETTING_WRITES
from frontdesk.store.dynamodb.sends import SEND_WRITES
from frontdesk.store.dynamodb.stats import DynamoDiagnostics
from frontdesk.store.dynamodb.table_reader import ContentBucket, TableReader
from frontdesk.store.dynamodb.tables import DeskItems, Write
from frontdesk.store.dynamodb.transact import (
    Backoff,
    ConditionFailed,
    TransactPart,
    rename_first,
    transact,
)
from frontdesk.store.fact_json import FactJson

ENGINE_FACTS: Final[tuple[type[Fact], ...]] = (MailReceived,)
REPEATED: Final = Committed((), repeated=True)

CommitListener = Callable[[Sequence[Recorded]], None]
T = TypeVar("T")

log = logging.getLogger(__name__)


class DynamoReads:
    """Reads the engine's rows, and each desk's rows by its code."""

    def __init__(
        self,
        reader: TableReader,
        desks: Iterable[DeskItems],
        codec: FactJson,
        stopped: StoppedNumbers,
    ) -> None:
        self.engine = DynamoEngineReads(reader, stopped)
        self._desks = {desk.code: desk.reads(reader, codec) for desk in desks}

    def desk(self, code: str) -> Any:
        return self._desks[code]


class Overtaken(Exception):
    """Another process was first with the same cause or key, so the decision is repeated."""


class DynamoStore:
    """The store. Any number of processes may use the same tables at once."""

    def __init__(
        self,
        client: Any,
        mail_bucket: ContentBucket,
        desks: Sequence[DeskItems],
        *,
        prefix: str = "",
        sheet_buckets: Mapping[str, ContentBucket] | None = None,
        mail_buckets: Mapping[MailFolder, ContentBucket] | None = None,
        chance: Callable[[], float] = random.random,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._reader = TableReader(
            client, mail_bucket, prefix, sheet_buckets or {}, mail_buckets or {}
        )
        self._codes = tuple(desk.code for desk in desks)
        stopped = StoppedNumbers(self._reader)
        self._codec = FactJson([*ENGINE_FACTS, *(kind for desk in desks for kind in desk.facts)])
        self._writes: dict[type[Change], Write] = {
            **people_writes(
                [desk.forget for desk in desks], [desk.forget_person for desk in desks]
            ),
            **stopped.writes(),
            **SEND_WRITES,
            **JOB_WRITES,
            **MAIL_WRITES,
            **SETTING_WRITES,
        }
        for desk in desks:
            self._writes.update(desk.writes)
        self._reads = DynamoReads(self._reader, desks, self._codec, stopped)
        self._numbering = facts.Numbering()
        self._wanted: dict[str, frozenset[str]] = {}
        self._listeners: list[CommitListener] = []
        self._chance = chance
        self._pause = pause

    def commit(self, accepted: Accepted, *, by: str, at: datetime) -> Committed:
        at = at.replace(microsecond=0)
        return self._commit(accepted, self._backoff(), by=by, at=at)

    def decide(
        self,
        ask: Ask,
        *,
        by: str,
        at: datetime,
        cause: Cause | None = None,
        key: str | None = None,
    ) -> Outcome:
        at = at.replace(microsecond=0)

        def work(backoff: Backoff) -> Outcome:
            if key is not None and (before := self._of_key(key)) is not None:
                self._settle(cause, backoff)
                return Committed(before, repeated=True)
            decision = ask(self._reads)
            if isinstance(decision, Accepted):
                return self._commit(decision, backoff, by=by, at=at, cause=cause, key=key)
            return decision if self._settle(cause, backoff) else REPEATED

        return self._until_done(work, again=(Conflict, Overtaken))

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
        """Decides before it returns: there is no separate writer."""
        done: Future[Outcome] = Future()
        try:
            done.set_result(self.decide(ask, by=by, at=at, cause=cause, key=key))
        except Exception as error:
            done.set_exception(error)
        return done

    async def decide_async(
        self,
        ask: Ask,
        *,
        by: str,
        at: datetime,
        cause: Cause | None = None,
        key: str | None = None,
    ) -> Outcome:
        import asyncio  # most functions on AWS have no event loop and need not load it

        return await asyncio.to_thread(self.decide, ask, by=by, at=at, cause=cause, key=key)

    def reads(self) -> DynamoReads:
        return self._reads

    def snapshot(self) -> AbstractContextManager[DynamoReads]:
        return nullcontext(self._reads)

    @property
    def follows_in_order(self) -> bool:
        return False

    def register_followers(self, followers: Mapping[str, frozenset[str]]) -> None:
        """Makes new facts of these kinds wait in the outbox for these followers."""
        for name, kinds in followers.items():
            for kind in kinds:
                self._wanted[kind] = self._wanted.get(kind, frozenset()) | {name}

    def unfollowed(self, follower: str, kinds: frozenset[str], limit: int) -> Sequence[Recorded]:
        return facts.unfollowed(self._reader, self._codec, follower, kinds, limit)

    def pass_over(self, follower: str, seq: int) -> None:
        cause = Followed(follower, seq)
        self._until_done(lambda backoff: self._settle(cause, backoff), again=(Overtaken,))

    def add_dead_letter(
        self, letter: str, ref: str, why: str, *, at: datetime, cause: Cause | None
    ) -> None:
        added = TransactPart(dead_letters.add_dead_letter(letter, ref, why, at), letter)
        self._until_done(lambda backoff: self._settle(cause, backoff, added), again=(Overtaken,))

    def due_timers(self, now: datetime, limit: int) -> Sequence[tuple[TimerName, datetime]]:
        return timers.due(self._reader, now, limit, self._codes)

    def next_timer_at(self) -> datetime | None:
        return timers.next_at(self._reader, self._codes)

    def due_sends(self, now: datetime, limit: int) -> Sequence[Send]:
        return sends.due(self._reader, now, limit)

    def next_send_at(self) -> datetime | None:
        return sends.next_at(self._reader)

    def sends_in(self, state: SendState, limit: int) -> Sequence[Send]:
        return sends.sends_in(self._reader, state, limit)

    def open_jobs(
        self, limit: int, *, kinds: frozenset[str] = frozenset(), others: bool = True
    ) -> Sequence[Job]:
        return jobs.open_jobs(self._reader, limit, kinds, others=others)

    def idle_jobs(self, before: datetime, limit: int) -> Sequence[Job]:
        """Returns open jobs without a step since `before`."""
        return jobs.idle_jobs(self._reader, before, limit)

    def diagnostics(self, settled: Callable[[int, datetime], None]) -> DynamoDiagnostics:
        return DynamoDiagnostics(self._reader, self._codec, settled)

    def on_commit(self, listener: CommitListener) -> None:
        self._listeners.append(listener)

    def revision(self, kinds: Sequence[type[Change]]) -> None:
        """Returns None: other processes commit, too."""

    def close(self) -> None:
        """Does nothing: each commit is done when it returns."""

    def _backoff(self) -> Backoff:
        return Backoff(self._chance, self._pause)

    def _until_done(self, work: Callable[[Backoff], T], *, again: tuple[type[Exception], ...]) -> T:
        backoff = self._backoff()
        while True:
            try:
                return work(backoff)
            except again:
                pass
            except Busy:  # a read was throttled
                pass
            except ClientError as error:
                if not is_busy(error):
                    raise
            backoff.wait()

    def _of_key(self, key: str) -> tuple[Recorded, ...] | None:
        return facts.of_key(self._reader, self._codec, key)

    def _commit(
        self,
        accepted: Accepted,
        backoff: Backoff,
        *,
        by: str,
        at: datetime,
        cause: Cause | None = None,
        key: str | None = None,
    ) -> Committed:
        """Commits. Raises `Conflict` for the first change whose condition does not hold."""
        recorded = facts.record(self._numbering.first(), accepted.facts, by=by, at=at)
        settling = self._settling(cause, accepted.timers)
        if cause is not None and settling is None:
            return REPEATED
        parts = [
            *([TransactPart(settling, cause)] if settling else []),
            *(
                [TransactPart(facts.keep_key(self._codec, key, recorded, at), Overtaken())]
                if key
                else []
            ),
            *self._changes(accepted.changes, at),
            *(
                TransactPart(item, item)
                for item in facts.items(self._codec, recorded, self._wanted)
            ),
            *(
                TransactPart(item, item)
                for item in timers.items(_other_timers(accepted.timers, cause))
            ),
        ]
        if not self._write(parts, backoff):
            return REPEATED
        self._clean_up(accepted.changes)
        self._call_listeners(recorded)
        return Committed(recorded)

    def _changes(self, changes: Sequence[Change], at: datetime) -> Iterator[TransactPart]:
        """Runs `first` of all changes, which may take long, then yields their items."""
        writes = [(self._writes[type(change)], change) for change in changes]
        for write, change in writes:
            write.first(self._reader, change)
        for write, change in writes:
            for item in write.items_at(self._reader, change, at):
                yield TransactPart(item, change, write.optional)

    def _clean_up(self, changes: Sequence[Change]) -> None:
        """Runs the `after` of each write. A failure is only logged: the commit is done."""
        for change in changes:
            try:
                self._writes[type(change)].after(self._reader, change)
            except Exception:
                log.exception("cleanup after a commit failed")

    def _settle(self, cause: Cause | None, backoff: Backoff, *more: TransactPart) -> bool:
        """Settles the cause and writes `more`. Returns False if it was settled before."""
        if cause is None:
            return self._write(more, backoff)
        settling = self._settling(cause, ())
        return settling is not None and self._write([TransactPart(settling, cause), *more], backoff)

    def _settling(self, cause: Cause | None, changes: Sequence[TimerChange]) -> TransactItem | None:
        """Returns the item that settles the cause; None without a cause, or if it is settled."""
        match cause:
            case Followed(follower, seq):
                return facts.settle(self._reader, follower, seq)
            case Fired():
                return timers.take(cause, changes)
            case None:
                return None

    def _write(self, parts: Sequence[TransactPart], backoff: Backoff) -> bool:
        """Writes the transaction. Returns False if its timer has fired before."""
        reader = self._reader
        for part in parts:
            rename_first(reader, part.item)
        try:
            transact(reader.client, reader.prefix, parts, backoff)
        except ConditionFailed as failed:
            match failed.of:
                case Change():
                    raise Conflict(failed.of) from failed
                case Fired():
                    return False
                case _:
                    raise Overtaken from failed
        return True

    def _call_listeners(self, recorded: Sequence[Recorded]) -> None:
        for listener in self._listeners:
            try:
                listener(list(recorded))
            except Exception:
                log.exception("a commit listener failed")


def _other_timers(changes: Sequence[TimerChange], cause: Cause | None) -> list[TimerChange]:
    """Leaves out the fired timer, which `_settling` changes."""
    fired = cause.name if isinstance(cause, Fired) else None
    return [timer for timer in changes if timer.name != fired]
