"""Replays dead letters: tries again what failed, when staff ask for it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from frontdesk.core.decision import Accepted, Decision, Refused, TimerName
from frontdesk.core.jobs import JobId
from frontdesk.core.sends import DeferSend, SendId, SendState
from frontdesk.engine.health import Diagnostics
from frontdesk.engine.ports import DeadLetter, Reads
from frontdesk.engine.runtime import Runtime
from frontdesk.logs import failure, log

_OVER = (SendState.FAILED, SendState.UNKNOWN)


class Replay(StrEnum):
    DONE = "It was tried again, and it worked."
    QUEUED = "It is tried again now."
    FAILED = "It was tried again, and failed again."
    NOTHING = "There is nothing left to try again."


def replay(
    runtime: Runtime, diagnostics: Diagnostics, letter_id: int, *, by: str, now: datetime
) -> Replay:
    """Replays a dead letter. A second replay does no harm: keys and states show what is done."""
    letter = diagnostics.dead_letter(letter_id)
    if letter is None or letter.replayed_at is not None:
        return Replay.NOTHING
    try:
        outcome = _try_again(runtime, diagnostics, letter, by, now)
    except Exception as error:
        log("replay.failed", letter=letter.id, what=letter.what, why=failure(error))
        return Replay.FAILED
    diagnostics.mark_replayed(letter_id, at=now)
    return outcome


def _try_again(
    runtime: Runtime, diagnostics: Diagnostics, letter: DeadLetter, by: str, now: datetime
) -> Replay:
    match letter.what:
        case "fact":
            return _follow(runtime, diagnostics, letter.ref, now)
        case "timer":
            name, _, due_at = letter.ref.rpartition(" ")
            runtime.timers.repeat(TimerName(name), datetime.fromisoformat(due_at), now)
            return Replay.DONE
        case "send":
            return _send(runtime, SendId(letter.ref), by, now)
        case "job":
            for jobs in runtime.every_jobs:
                jobs.resume(JobId(letter.ref))
            return Replay.QUEUED
        case _:
            return Replay.NOTHING


def _follow(runtime: Runtime, diagnostics: Diagnostics, ref: str, now: datetime) -> Replay:
    name, _, seq = ref.rpartition("/")
    recorded = diagnostics.recorded(int(seq))
    follower = next((each for each in runtime.followers if each.name == name), None)
    if recorded is None or follower is None:
        return Replay.NOTHING
    follower.repeat(recorded, now)
    return Replay.DONE


class _Send(StrEnum):
    IS_NOT_OVER = "this send has not failed"


def _send(runtime: Runtime, send_id: SendId, by: str, now: datetime) -> Replay:
    def ask(reads: Reads) -> Decision:
        send = reads.engine.send(send_id)
        if send is None or send.state not in _OVER:
            return Refused(_Send.IS_NOT_OVER)
        return Accepted((DeferSend(send_id, send.state, SendState.QUEUED, now, send.why),))

    outcome = runtime.engine.store.decide(ask, by=by, at=now)
    return Replay.NOTHING if isinstance(outcome, Refused) else Replay.QUEUED
