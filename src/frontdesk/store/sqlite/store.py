"""Implements the store on SQLite: a commit writes everything if all conditions hold."""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import datetime
from itertools import groupby
from pathlib import Path
from sqlite3 import Connection
from typing import Any, cast

from frontdesk.core.decision import Accepted, Change, Fact, Refused, TimerName
from frontdesk.core.jobs import Job
from frontdesk.core.mail import MailReceived
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
from frontdesk.errors import Conflict
from frontdesk.store.fact_json import FactJson
from frontdesk.store.rows import seconds
from frontdesk.store.sqlite import facts, jobs, sends, timers
from frontdesk.store.sqlite.caching_connection import CachingConnection
from frontdesk.store.sqlite.engine_reads import SqliteEngineReads
from frontdesk.store.sqlite.files import ReadOnlyConnection, open_reader, open_writer
from frontdesk.store.sqlite.inline_writer import InlineWriter
from frontdesk.store.sqlite.jobs import JOB_WRITES
from frontdesk.store.sqlite.mail import MAIL_WRITES
from frontdesk.store.sqlite.people import people_writes
from frontdesk.store.sqlite.saved_settings import SETTING_WRITES
from frontdesk.store.sqlite.sends import SEND_WRITES
from frontdesk.store.sqlite.stats import SqliteDiagnostics
from frontdesk.store.sqlite.tables import Db, DeskTables, PartWrite, Write
from frontdesk.store.sqlite.writer import Work, Writer

ENGINE_FACTS: tuple[type[Fact], ...] = (MailReceived,)


class SqliteReads:
    """Reads the engine's rows, and each desk's rows by its code."""

    def __init__(self, db: Db, desks: Iterable[DeskTables], codec: FactJson) -> None:
        self.engine = SqliteEngineReads(db)
        self._desks = {desk.code: desk.reads(db, codec) for desk in desks}

    def desk(self, code: str) -> Any:
        return self._desks[code]


class SqliteStore:
    """The store: one file, one writer thread, and a reader connection for each thread.

    Unless `durable`, it is for simulations: one thread reads and writes by one connection.
    """

    def __init__(self, path: Path, desks: Sequence[DeskTables], *, durable: bool = True) -> None:
        self._path = path
        self._codec = FactJson([*ENGINE_FACTS, *(kind for desk in desks for kind in desk.facts)])
        self._writes: dict[type[Change], Write] = {
            **people_writes(
                [desk.forget for desk in desks], [desk.forget_person for desk in desks]
            ),
            **SEND_WRITES,
            **JOB_WRITES,
            **MAIL_WRITES,
            **SETTING_WRITES,
        }
        for desk in desks:
            self._writes.update(desk.writes)
        self._db = open_writer(path, durable=durable)
        for desk in desks:
            desk.delete_leftovers(self._db)
        self._readers = _Readers(path) if durable else _Readers(path, mine=self._db)
        self._writer_reads = SqliteReads(lambda: self._db, desks, self._codec)
        self._reader_reads = SqliteReads(self._readers.mine, desks, self._codec)
        self._writer = Writer(self._db) if durable else InlineWriter(self._db)
        self._revisions: dict[type[Change], int] = {}
        self._written: set[type[Change]] = set()
        """The kinds of changes since the last commit. Only the writer's thread uses it."""
        self._writer.on_commit(self._count_revisions)

    def commit(self, accepted: Accepted, *, by: str, at: datetime) -> Committed:
        at = at.replace(microsecond=0)

        def work(db: Connection) -> Committed:
            return Committed(self._write(db, accepted, by=by, at=at))

        return cast(Committed, self._write_parts_and_do(work, again=False))

    def decide(
        self,
        ask: Ask,
        *,
        by: str,
        at: datetime,
        cause: Cause | None = None,
        key: str | None = None,
    ) -> Outcome:
        work = self._work(ask, by=by, at=at, cause=cause, key=key)
        return cast(Outcome, self._write_parts_and_do(work, again=True))

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
        work = self._work(ask, by=by, at=at, cause=cause, key=key)
        return self._writer.submit(work, again=True, patient=patient)

    async def decide_async(
        self,
        ask: Ask,
        *,
        by: str,
        at: datetime,
        cause: Cause | None = None,
        key: str | None = None,
    ) -> Outcome:
        """Does `decide` in an event loop, which the writer wakes once for each batch."""
        work = self._work(ask, by=by, at=at, cause=cause, key=key)
        try:
            return cast(Outcome, await self._writer.submit_async(work))
        except _PartsMissing as missing:
            for part in missing.parts:
                await asyncio.wrap_future(self._writer.submit(part, patient=True))
            outcome = cast(Outcome, await self._writer.submit_async(work))
            if not _is_written(outcome):
                await asyncio.wrap_future(self._writer.submit(missing.drop, patient=True))
            return outcome

    def reads(self) -> SqliteReads:
        return self._reader_reads

    @contextmanager
    def snapshot(self) -> Iterator[SqliteReads]:
        """Reads in one transaction, which is faster: each row is read once, and the file's lock is
        taken once. A simulation reads by the connection of its writer, which begins and ends
        transactions itself."""
        if self._readers.mine() is self._db:
            yield self._reader_reads
            return
        with self._readers.one_snapshot():
            yield self._reader_reads

    @property
    def follows_in_order(self) -> bool:
        return True

    def register_followers(self, followers: Mapping[str, frozenset[str]]) -> None:
        """Does nothing: the place of a follower says which facts it has not acted on."""

    def unfollowed(self, follower: str, kinds: frozenset[str], limit: int) -> Sequence[Recorded]:
        return facts.unfollowed(self._readers.mine(), self._codec, follower, kinds, limit)

    def pass_over(self, follower: str, seq: int) -> None:
        self._writer.do(lambda db: facts.move_follower(db, follower, seq))

    def add_dead_letter(
        self, letter: str, ref: str, why: str, *, at: datetime, cause: Cause | None
    ) -> None:
        def work(db: Connection) -> None:
            if cause is None or _settle(db, cause):
                db.execute(
                    "INSERT INTO fd_dead_letter (at, what, ref, why) VALUES (?, ?, ?, ?)",
                    (seconds(at), letter, ref, why),
                )

        self._writer.do(work)

    def due_timers(self, now: datetime, limit: int) -> Sequence[tuple[TimerName, datetime]]:
        return timers.due(self._readers.mine(), now, limit)

    def next_timer_at(self) -> datetime | None:
        return timers.next_at(self._readers.mine())

    def due_sends(self, now: datetime, limit: int) -> Sequence[Send]:
        return sends.due(self._readers.mine(), now, limit)

    def next_send_at(self) -> datetime | None:
        return sends.next_at(self._readers.mine())

    def sends_in(self, state: SendState, limit: int) -> Sequence[Send]:
        return sends.sends_in(self._readers.mine(), state, limit)

    def open_jobs(
        self, limit: int, *, kinds: frozenset[str] = frozenset(), others: bool = True
    ) -> Sequence[Job]:
        return jobs.open_jobs(self._readers.mine(), limit, kinds, others=others)

    def diagnostics(self, settled: Callable[[int, datetime], None]) -> SqliteDiagnostics:
        return SqliteDiagnostics(self._readers.mine, self._codec, self._writer.waiting, settled)

    def on_commit(self, listener: Callable[[Sequence[Recorded]], None]) -> None:
        self._writer.on_commit(listener)

    def revision(self, kinds: Sequence[type[Change]]) -> tuple[int, ...]:
        return tuple(self._revisions.get(kind, 0) for kind in kinds)

    def _count_revisions(self, _facts: Sequence[Recorded]) -> None:
        """Runs after a commit and before its answers, so no one knows of it earlier."""
        for kind in self._written:
            self._revisions[kind] = self._revisions.get(kind, 0) + 1
        self._written.clear()

    def flush(self) -> None:
        """Makes sure that other connections to the file see all commits."""
        self._writer.flush()

    def close(self) -> None:
        """Closes the writer's connection last: the last connection cleans up the WAL."""
        self._writer.close()
        self._readers.close()
        self._db.close()

    def _write_parts_and_do(self, work: Work, *, again: bool) -> Any:
        try:
            return self._writer.do(work, again=again)
        except _PartsMissing as missing:
            for part in missing.parts:
                self._writer.submit(part, patient=True).result()
            outcome = self._writer.do(work, again=again)
            if not _is_written(outcome):
                self._writer.submit(missing.drop, patient=True).result()
            return outcome

    def _work(
        self, ask: Ask, *, by: str, at: datetime, cause: Cause | None, key: str | None
    ) -> Work:
        at = at.replace(microsecond=0)

        def work(db: Connection) -> Outcome:
            if cause is not None and not _settle(db, cause):
                return Committed((), repeated=True)
            if key is not None and (before := facts.of_key(db, self._codec, key)) is not None:
                return Committed(before, repeated=True)
            decision = ask(self._writer_reads)
            if isinstance(decision, Refused):
                return decision
            recorded = self._write(db, decision, by=by, at=at)
            if key is not None:
                facts.keep_key(db, key, recorded, at)
            return Committed(recorded)

        return work

    def _write(
        self, db: Connection, accepted: Accepted, *, by: str, at: datetime
    ) -> tuple[Recorded, ...]:
        """Writes. Raises `Conflict` for the first change whose condition does not hold."""
        self._check_parts(db, accepted.changes)
        touched = set()
        for kind, group in groupby(accepted.changes, type):
            write, changes = self._writes[kind], tuple(group)
            self._written.add(kind)
            for change in changes:
                row = (write.table, write.row(change))
                assert row not in touched, f"{row} is touched twice in one commit"
                touched.add(row)
            if (failed := _failed(db, write, changes)) is not None:
                raise Conflict(failed)
        recorded = facts.record(db, self._codec, accepted.facts, by=by, at=at)
        if accepted.timers:
            timers.change_timers(db, accepted.timers)
        return recorded

    def _check_parts(self, db: Connection, changes: Iterable[Change]) -> None:
        """Raises `_PartsMissing` before anything is written."""
        for change in changes:
            write = self._writes[type(change)]
            if missing := write.missing_parts(db, change):
                raise _PartsMissing(missing, write, change)


def _is_written(outcome: Outcome) -> bool:
    return isinstance(outcome, Committed) and not outcome.repeated


class _PartsMissing(Exception):
    """These parts of a change must be committed before it."""

    def __init__(self, parts: Sequence[PartWrite], write: Write, change: Change) -> None:
        super().__init__(len(parts))
        self.parts = parts
        self._write = write
        self._change = change

    def drop(self, db: Connection) -> None:
        """Deletes the parts again, if the change was not committed in the end."""
        self._write.drop_parts(db, self._change)


def _failed(db: Connection, write: Write, changes: Sequence[Change]) -> Change | None:
    """Applies changes of one kind. Returns the first whose condition did not hold."""
    if write.together is not None:
        return write.together(db, changes)
    return next((change for change in changes if not write.apply(db, change)), None)


def _settle(db: Connection, cause: Cause) -> bool:
    """Settles the cause. Returns False if it was settled before."""
    match cause:
        case Followed(follower, seq):
            return facts.move_follower(db, follower, seq)
        case Fired(name, due_at):
            return timers.take(db, name, due_at)


class _Readers:
    """Opens a reader connection for each thread when it first reads. The thread that creates this
    object reads by the connection `mine`, if it is given: the page cache of a reader is empty after
    each commit of another connection."""

    def __init__(self, path: Path, mine: Connection | None = None) -> None:
        self._path = path
        self._local = threading.local()
        if mine is not None:
            self._local.db = mine
        self._open: weakref.WeakSet[ReadOnlyConnection] = weakref.WeakSet()
        self._opening = threading.Lock()

    def mine(self) -> Connection:
        try:
            return cast(Connection, self._local.db)
        except AttributeError:
            db = self._local.db = open_reader(self._path)
            with self._opening:
                self._open.add(db)
            return db

    @contextmanager
    def one_snapshot(self) -> Iterator[None]:
        """Makes the reads of this thread one transaction, in which each row is read once."""
        db = self.mine()
        db.execute("BEGIN")
        self._local.db = CachingConnection(db)
        try:
            yield
        finally:
            self._local.db = db
            db.execute("COMMIT")

    def close(self) -> None:
        with self._opening:
            for db in self._open:
                db.close()
