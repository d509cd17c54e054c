"""A toy desk: people ring a bell. Each ring wins a prize, which a mail offers until a deadline."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from operator import attrgetter
from pathlib import Path
from typing import Any, ClassVar

from frontdesk.core.decision import (
    Accepted,
    Change,
    Command,
    Decision,
    DropTimer,
    Fact,
    Refused,
    SetTimer,
    TimerName,
)
from frontdesk.core.jobs import AddJob, AdvanceJob, Job, JobId
from frontdesk.core.messages import Message, Text
from frontdesk.core.notes import Note, Quiet
from frontdesk.core.people import PersonId
from frontdesk.core.sends import Send
from frontdesk.engine.desk import DeliveryRules, Desk, Drop, HoldUntil, Rule, SendNow
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.store.sqlite.store import SqliteStore
from frontdesk.store.sqlite.tables import Db, DeskTables, Write
from frontdesk.values import Frozen

ECHO_AFTER = timedelta(hours=1)
CLAIM_WINDOW = timedelta(hours=6)


class No(StrEnum):
    ALL_COUNTED = "every ring is counted"
    PRIZE_GONE = "the prize is gone"
    NOT_LIVE = "the prize is not on offer"
    TOO_EARLY = "its time has not come"
    TOUR_OVER = "the tour is over"


class Bell(Frozen):
    rung: int = 0
    counted: int = 0


class Prize(Frozen):
    state: str
    claim_by: datetime | None = None


# --- facts, changes, commands ---------------------------------------------------------------


class BellFact(Fact):
    bell: str

    @property
    def subject(self) -> str:
        return self.bell


class BellRung(BellFact):
    kind: ClassVar[str] = "bl.rung"
    n: int
    person_id: str


class RingsCounted(BellFact):
    kind: ClassVar[str] = "bl.counted"
    rings: int


class BellEchoed(BellFact):
    kind: ClassVar[str] = "bl.echoed"
    n: int
    person_id: str


class PrizeMoved(BellFact):
    kind: ClassVar[str] = "bl.prize"
    n: int
    state: str


class Visited(BellFact):
    kind: ClassVar[str] = "bl.visited"
    stop: int


class WriteBell(Change):
    bell: str
    before: Bell
    after: Bell


class WritePrize(Change):
    bell: str
    n: int
    before: str | None
    after: Prize


class Ring(Command):
    bell: str
    person_id: str


class Count(Command):
    bell: str


class Echo(Command):
    bell: str
    n: int
    person_id: str


class PrizeCommand(Command):
    bell: str
    n: int


class Arm(PrizeCommand):
    pass


class Disarm(PrizeCommand):
    pass


class Withdraw(PrizeCommand):
    pass


class Lapse(PrizeCommand):
    pass


class BeginTour(Command):
    job_id: JobId
    bell: str
    stops: int


class Visit(Command):
    job_id: JobId


# --- rules ----------------------------------------------------------------------------------


def ring(bell: Bell, command: Ring, now: datetime) -> Decision:
    n = bell.rung + 1
    timer = TimerName(f"bl/echo/{command.bell}/{n}/{command.person_id}")
    return Accepted(
        (
            WriteBell(command.bell, bell, Bell(n, bell.counted)),
            WritePrize(command.bell, n, None, Prize("pending")),
        ),
        (BellRung(command.bell, n, command.person_id),),
        (SetTimer(timer, now + ECHO_AFTER),),
    )


def count(bell: Bell, command: Count, _now: datetime) -> Decision:
    if bell.counted == bell.rung:
        return Refused(No.ALL_COUNTED)
    return Accepted(
        (WriteBell(command.bell, bell, Bell(bell.rung, bell.rung)),),
        (RingsCounted(command.bell, bell.rung),),
    )


def echo(_bell: Bell, command: Echo, _now: datetime) -> Decision:
    return Accepted((), (BellEchoed(command.bell, command.n, command.person_id),))


def lapse_timer(command: PrizeCommand) -> TimerName:
    return TimerName(f"bl/lapse/{command.bell}/{command.n}")


def arm(prize: Prize, command: Arm, now: datetime) -> Decision:
    """A repeated command changes nothing: the deadline stays."""
    if prize.state == "live":
        return Accepted()
    if prize.state != "pending":
        return Refused(No.PRIZE_GONE)
    claim_by = now + CLAIM_WINDOW
    return move(
        command, "pending", Prize("live", claim_by), SetTimer(lapse_timer(command), claim_by)
    )


def disarm(prize: Prize, command: Disarm, _now: datetime) -> Decision:
    if prize.state != "live":
        return Refused(No.NOT_LIVE)
    return move(command, "live", Prize("pending"), DropTimer(lapse_timer(command)))


def withdraw(prize: Prize, command: Withdraw, _now: datetime) -> Decision:
    if prize.state == "gone":
        return Refused(No.PRIZE_GONE)
    return move(command, prize.state, Prize("gone"), DropTimer(lapse_timer(command)))


def lapse(prize: Prize, command: Lapse, now: datetime) -> Decision:
    if prize.state != "live" or prize.claim_by is None:
        return Refused(No.NOT_LIVE)
    if now < prize.claim_by:
        return Refused(No.TOO_EARLY)
    return move(command, "live", Prize("gone"), DropTimer(lapse_timer(command)))


def move(command: PrizeCommand, before: str, after: Prize, timer: SetTimer | DropTimer) -> Decision:
    return Accepted(
        (WritePrize(command.bell, command.n, before, after),),
        (PrizeMoved(command.bell, command.n, after.state),),
        (timer,),
    )


def begin_tour(_job: Job | None, command: BeginTour, _now: datetime) -> Decision:
    job = Job(command.job_id, "bl", "tour", command.bell, cursor="0", total=command.stops)
    return Accepted((AddJob(job),))


def visit(job: Job | None, command: Visit, _now: datetime) -> Decision:
    if job is None or job.finished:
        return Refused(No.TOUR_OVER)
    stop = int(job.cursor) + 1
    step = AdvanceJob(command.job_id, job.cursor, str(stop), stop, stop == job.total)
    return Accepted((step,), (Visited(job.subject, stop),))


# --- delivery -------------------------------------------------------------------------------


def prize_note(fact: BellRung) -> Note:
    key = f"bl/{fact.bell}/{fact.n}/prize"
    return Note("prize", fact.person_id, key, fact.bell, quiet=Quiet.IGNORE, params={"n": fact.n})


def echo_note(fact: BellEchoed) -> Note:
    key = f"bl/{fact.bell}/{fact.n}/echo"
    return Note("echo", fact.person_id, key, fact.bell, params={"n": fact.n})


def recipients(_reads: Reads, note: Note) -> Iterable[PersonId]:
    return [PersonId(note.to)]


def at_any_hour(_reads: Reads, _send: Send, _now: datetime) -> HoldUntil | Drop | None:
    return None


def render(reads: Reads, send: Send, now: datetime) -> SendNow | Drop:
    person = reads.engine.person(send.person_id)
    assert person is not None
    n = int(send.params["n"])
    text = f"ring {n}"
    if send.kind == "prize":
        prize = reads.desk("bl").prize(send.subject, n)
        text = f"a prize for ring {n}, until {prize.claim_by:%d %H:%M:%S}"
    if person.mobile:
        return SendNow(
            Text(
                message_id=f"<{send.id}@bell.example>",
                to_mobile=person.mobile,
                to_name=person.name,
                text=text,
                date=now,
            )
        )
    return SendNow(
        Message(
            message_id=f"<{send.id}@bell.example>",
            to_email=person.email,
            to_name=person.name,
            from_email="bell@bell.example",
            subject=send.kind,
            text=text,
            date=now,
        )
    )


def about_prize(kind: type[PrizeCommand]) -> Any:
    def command(send: Send) -> Command | None:
        return kind(send.subject, int(send.params["n"])) if send.kind == "prize" else None

    return command


DELIVERY = DeliveryRules(
    recipients=recipients,
    when=at_any_hour,
    render=render,
    arm=about_prize(Arm),
    disarm=about_prize(Disarm),
    undeliverable=about_prize(Withdraw),
    optional=frozenset({"echo"}),
)


# --- the desk -------------------------------------------------------------------------------


def the_bell(reads: Reads, command: Any) -> Bell:
    return reads.desk("bl").bell(command.bell)  # type: ignore[no-any-return]


def the_prize(reads: Reads, command: Any) -> Prize:
    return reads.desk("bl").prize(command.bell, command.n)  # type: ignore[no-any-return]


def the_job(reads: Reads, command: Any) -> Job | None:
    return reads.engine.job(command.job_id)


def count_it(_reads: Reads, recorded: Recorded) -> Iterable[Command]:
    assert isinstance(recorded.fact, BellRung)
    return [Count(recorded.fact.bell)]


def echo_timer(name: TimerName, _due_at: datetime) -> Command:
    _, _, bell, n, person_id = name.split("/")
    return Echo(bell, int(n), person_id)


def lapse_at(name: TimerName, _due_at: datetime) -> Command:
    _, _, bell, n = name.split("/")
    return Lapse(bell, int(n))


def visit_next(job: Job) -> Command:
    return Visit(job.id)


BELL = Desk(
    code="bl",
    name="Bell",
    rules={
        Ring: Rule(the_bell, ring),
        Count: Rule(the_bell, count),
        Echo: Rule(the_bell, echo),
        Arm: Rule(the_prize, arm),
        Disarm: Rule(the_prize, disarm),
        Withdraw: Rule(the_prize, withdraw),
        Lapse: Rule(the_prize, lapse),
        BeginTour: Rule(the_job, begin_tour),
        Visit: Rule(the_job, visit),
    },
    facts=(BellRung, RingsCounted, BellEchoed, PrizeMoved, Visited),
    changes=(WriteBell, WritePrize),
    notes={BellRung: prize_note, BellEchoed: echo_note},
    delivery=DELIVERY,
    reactions={BellRung: count_it},
    timers={"echo": echo_timer, "lapse": lapse_at},
    jobs={"tour": visit_next},
)


# --- the tables -----------------------------------------------------------------------------

TABLES = """
CREATE TABLE IF NOT EXISTS bl_bell (
    bell TEXT NOT NULL PRIMARY KEY, rung INTEGER NOT NULL, counted INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS bl_prize (
    bell TEXT NOT NULL, n INTEGER NOT NULL, state TEXT NOT NULL, claim_by TEXT,
    PRIMARY KEY (bell, n)
) STRICT;
"""


class BellReads:
    def __init__(self, db: Db) -> None:
        self._db = db

    def bell(self, bell: str) -> Bell:
        row = self._db().execute("SELECT rung, counted FROM bl_bell WHERE bell = ?", (bell,))
        return Bell(*(row.fetchone() or ()))

    def prize(self, bell: str, n: int) -> Prize:
        row = self._db().execute(
            "SELECT state, claim_by FROM bl_prize WHERE bell = ? AND n = ?", (bell, n)
        )
        state, claim_by = row.fetchone()
        return Prize(state, claim_by and datetime.fromisoformat(claim_by))

    def prizes(self) -> dict[tuple[str, int], str]:
        rows = self._db().execute("SELECT bell, n, state FROM bl_prize")
        return {(bell, n): state for bell, n, state in rows}


def write_bell(db: sqlite3.Connection, change: WriteBell) -> bool:
    if change.before == Bell():
        db.execute("INSERT OR IGNORE INTO bl_bell VALUES (?, 0, 0)", (change.bell,))
    return (
        db.execute(
            "UPDATE bl_bell SET rung = ?, counted = ? WHERE bell = ? AND rung = ? AND counted = ?",
            (
                change.after.rung,
                change.after.counted,
                change.bell,
                change.before.rung,
                change.before.counted,
            ),
        ).rowcount
        == 1
    )


def write_prize(db: sqlite3.Connection, change: WritePrize) -> bool:
    claim_by = change.after.claim_by and change.after.claim_by.isoformat()
    if change.before is None:
        sql = "INSERT OR IGNORE INTO bl_prize (state, claim_by, bell, n) VALUES (?, ?, ?, ?)"
        return db.execute(sql, (change.after.state, claim_by, change.bell, change.n)).rowcount == 1
    sql = "UPDATE bl_prize SET state = ?, claim_by = ? WHERE bell = ? AND n = ? AND state = ?"
    row = (change.after.state, claim_by, change.bell, change.n, change.before)
    return db.execute(sql, row).rowcount == 1


BELL_TABLES = DeskTables(
    code="bl",
    writes={
        WriteBell: Write("bl_bell", attrgetter("bell"), write_bell),
        WritePrize: Write("bl_prize", attrgetter("bell", "n"), write_prize),
    },
    reads=lambda db, _codec: BellReads(db),
    facts=BELL.facts,
)


def open_store(path: Path) -> SqliteStore:
    store = SqliteStore(path, [BELL_TABLES])
    db = sqlite3.connect(path)
    db.executescript(TABLES)
    db.close()
    return store
