"""The function `fd-sweep`: every hour it does the work that streams and schedules lost.

The operator can also call it for a sign-in link or to replay failures.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final, Literal

from frontdesk.aws.clients import Call, caller, client, function_arn, time_left
from frontdesk.aws.container import deployment
from frontdesk.aws.delivery import deliver_about
from frontdesk.aws.facts import tells
from frontdesk.aws.jobs import worker_of
from frontdesk.aws.schedules import (
    Create,
    Schedules,
    call_for,
    fired_by,
    is_recurring,
    schedules_of,
    send_call,
)
from frontdesk.aws.streams import Payload
from frontdesk.core.sends import SendState
from frontdesk.desks.admin.commands import PlanTidying
from frontdesk.desks.admin.desk import first_link
from frontdesk.engine.follow import CannotFollow, Follower
from frontdesk.engine.ports import Recorded
from frontdesk.logs import failure, log, where
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.wiring.application import Application
from frontdesk.wiring.aws import AwsResources
from frontdesk.wiring.desks import DESKS, switched_on

#: Younger facts are still on their way; jobs with a step since then are being worked on.
YOUNG: Final = timedelta(minutes=5)
#: An older fact that fails here again becomes a dead letter.
OLD: Final = timedelta(hours=2)
#: The sweep runs every hour and ensures the schedules of the next two.
AHEAD: Final = timedelta(hours=2)
#: No function that sends runs longer than this.
LONGEST_SENDING_SECONDS: Final = 45.0
AT_ONCE: Final = 500
MOST_STEPS: Final = 200
RELAY: Final = "fd-relay"
SPARE_MILLISECONDS: Final = 60_000
MOST_LETTERS: Final = 10_000
BY: Final = "cli"


def fd_sweep(payload: Payload, context: Any) -> dict[str, Any]:
    """Sweeps, then replays the queue of failures. A part that fails delays no other.

    `{"ask": "first-link"}` returns a link with which an owner can sign in once. `{"ask": "replay"}`
    only replays failures; `"letters"` (a list of numbers, or "all") names dead letters to replay
    as well, and the answer says what became of each.
    """
    has_time = time_left(context, SPARE_MILLISECONDS)
    arn = context.invoked_function_arn
    match payload.get("ask"):
        case "first-link":
            return {"url": _first_link()}
        case "replay":
            replayed: dict[str, Any] = {"replayed": _replay_failures(arn)}
            if letters := payload.get("letters"):
                replayed["letters"] = _replay_letters(letters, has_time)
            return replayed
        case _:
            sweep = Sweep(deployment().back, has_time, caller(arn))
            sweep.open_desks(deployment().account)
            done = sweep.all(schedules_of(client("scheduler"), os.environ, arn))
            done["replayed"] = _replay_failures(arn)
            if sweep.failed:
                raise NotSwept(" ".join(sweep.failed))
            return done


class NotSwept(Exception):
    """Raised to make AWS retry. The log already says why these parts failed."""


def _first_link() -> str:
    here = deployment()
    settings, now = here.settings, here.back.clock.now()
    return first_link(here.back.engine, here.keys(), settings.console_at, now)


def _replay_letters(
    wanted: Sequence[int] | Literal["all"], has_time: Callable[[], bool]
) -> dict[str, str]:
    """Returns the outcome of each dead letter that there was time for."""
    back = deployment().back
    if wanted == "all":
        letters = back.engine.reads().engine.dead_letters(MOST_LETTERS)
        wanted = [each.id for each in letters if each.replayed_at is None]
    outcomes = {}
    for letter in wanted:
        if not has_time():
            break
        outcomes[str(letter)] = back.replay(letter, BY).value
    return outcomes


def _replay_failures(own_arn: str) -> int:
    """Has the relay replay calls that failed; returns how many. The next sweep does the rest."""
    try:
        response = client("lambda").invoke(
            FunctionName=function_arn(own_arn, RELAY), Payload=b'{"ask": "replay"}'
        )
        replayed: int = json.loads(response["Payload"].read())["replayed"]
    except Exception as error:
        log("replay.failed", why=failure(error))
        return 0
    return replayed


class Sweep:
    """`has_time` says whether to go on; `call` calls another function; `pause` waits."""

    def __init__(
        self,
        back: Application,
        has_time: Callable[[], bool],
        call: Call,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._back = back
        self._has_time = has_time
        self._call = call
        self._pause = pause
        self.failed: list[str] = []
        """The parts that failed."""

    def open_desks(self, account: AwsResources) -> None:
        """Creates what the desks that are on need."""
        for desk in DESKS:
            if switched_on(desk, self._back.settings):
                with self._alone(desk.name):
                    desk.on_aws().open(self._back, account)

    def all(self, schedules: Schedules | None) -> dict[str, int]:
        """Returns how much it did, by kind of work."""
        back, now = self._back, self._back.clock.now()
        with self._alone("tidying"):
            back.engine.run(PlanTidying(), by="start", now=now)
        parts: dict[str, Callable[[], int]] = {
            "facts": lambda: self.facts(now),
            "timers": lambda: self._timers(now),
            "jobs": lambda: self._jobs(now),
            "lost": self.lost_sends,
            "sends": lambda: self._steps(back.runtime.sender.step),
            "schedules": lambda: self.schedules(schedules, now) if schedules else 0,
        }
        done = dict.fromkeys(parts, 0)
        for name, work in parts.items():
            with self._alone(name):
                done[name] = work()
        log("sweep.done", **done)
        return done

    @contextmanager
    def _alone(self, part: str) -> Iterator[None]:
        """Runs one part. A failure is noted and does not stop the other parts."""
        try:
            yield
        except Exception as error:
            log("sweep.failed", part=part, why=failure(error), where=where(error))
            self.failed.append(part)

    def facts(self, now: datetime) -> int:
        done = 0
        for follower in self._back.runtime.followers:
            if not follower.kinds:
                continue
            found = self._back.store.unfollowed(follower.name, follower.kinds, AT_ONCE)
            for fact in found:
                if self._has_time() and fact.at < now - YOUNG:
                    self._follow(follower, fact, now)
                    done += 1
        return done

    def _follow(self, follower: Follower, fact: Recorded, now: datetime) -> None:
        try:
            follower.act_on(fact, now)
            if tells(follower):
                deliver_about(self._back, fact.fact)
        except CannotFollow as error:
            why = failure(error.__cause__ or error)
            log("follow.failed", follower=follower.name, seq=fact.seq, why=why)
            if fact.at < now - OLD:
                follower.give_up(fact, why, now)

    def lost_sends(self) -> int:
        """Settles sends whose sender died: they are in 'sending' longer than any sender runs."""
        store = self._back.store
        before = {send.id: send.attempts for send in store.sends_in(SendState.SENDING, AT_ONCE)}
        if not before or not self._has_time():
            return 0
        self._pause(LONGEST_SENDING_SECONDS)
        reads, now = self._back.engine.reads().engine, self._back.clock.now()
        found = [send for each in before if (send := reads.send(each)) is not None]
        lost = [
            send
            for send in found
            if send.state is SendState.SENDING and send.attempts == before[send.id]
        ]
        self._back.runtime.sender.lost(lost, now)
        return len(lost)

    def schedules(self, schedules: Schedules, now: datetime) -> int:
        """Creates the schedules of the next hours again; those that exist stay as they are."""
        store, until = self._back.store, now + AHEAD
        due = store.due_timers(until, AT_ONCE)
        rings = [call_for(name, due_at) for name, due_at in due if not is_recurring(name)]
        rings += [
            send_call(send.desk, send.id, send.due_at)
            for send in store.due_sends(until, AT_ONCE)
            if send.due_at > now
        ]
        schedules.apply([Create(ring) for ring in dict.fromkeys(rings)], now, self._call)
        return len(rings)

    def _timers(self, now: datetime) -> int:
        """Fires timers; calls the function of a desk that fires its own."""
        [apart] = [desk.dynamodb().code for desk in DESKS if desk.on_aws().fires_own_timers]
        due = self._back.store.due_timers(now, AT_ONCE)
        handed_on = [each for each in due if each[0].startswith(f"{apart}/")]
        for name, due_at in handed_on:
            at = {} if is_recurring(name) else {"due_at": due_at.isoformat()}
            self._call(fired_by(name), {"timer": name, **at})
        step = partial(self._back.runtime.timers.step, without=apart)
        return len(handed_on) + self._steps(step)

    def _jobs(self, now: datetime) -> int:
        """Calls the right function for each job that none works on. Skips jobs with an open dead
        letter: staff know about these.
        """
        store = self._back.store
        assert isinstance(store, DynamoStore), "there are no functions elsewhere"
        letters = self._back.engine.reads().engine.dead_letters(AT_ONCE)
        known = {each.ref for each in letters if each.what == "job" and each.replayed_at is None}
        idle = [job for job in store.idle_jobs(now - YOUNG, AT_ONCE) if str(job.id) not in known]
        for job in idle:
            self._call(worker_of(job.kind), {"job": job.id})
        return len(idle)

    def _steps(self, step: Callable[[datetime], bool]) -> int:
        for done in range(MOST_STEPS):
            if not self._has_time() or not step(self._back.clock.now()):
                return done
        return MOST_STEPS
