"""The functions that act on facts from the bus: `keeper`, `offer-engine`, `bk-engine` and
`ar-engine`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from frontdesk.aws.container import deployment
from frontdesk.aws.streams import Payload
from frontdesk.core.decision import Fact
from frontdesk.engine.follow import CannotFollow, Follower
from frontdesk.engine.ports import Recorded
from frontdesk.logs import failure, log
from frontdesk.store.fact_json import FactJson
from frontdesk.wiring.application import Application


def keeper(payload: Payload, _context: object) -> None:
    """Runs the followers of the RSVP and admin desks: offers freed seats, acts on mail."""
    act_on(deployment().back, payload["detail"], reacts_for("ev", "fd"))


def offer_engine(payload: Payload, _context: object) -> None:
    """Runs the followers of the waitlist: offers each open slot to the next who fits."""
    act_on(deployment().back, payload["detail"], reacts_for("wl"))


def bk_engine(payload: Payload, _context: object) -> None:
    """Runs the followers of the booking desk: its mail, its rules, corrected people."""
    act_on(deployment().back, payload["detail"], reacts_for("bk"))


def ar_engine(payload: Payload, _context: object) -> None:
    """Runs the followers of the reminders desk: bookings become appointments, and answers reach the
    desks that they are about.
    """
    act_on(deployment().back, payload["detail"], reacts_for("ar"))


def recorded(back: Application, detail: Mapping[str, Any]) -> Recorded:
    kinds = {kind.kind: kind for desk in back.engine.desks.values() for kind in desk.facts}
    known = FactJson([kinds[detail["kind"]]] if detail["kind"] in kinds else [])
    fact = known.fact(detail["kind"], json.dumps(detail["fact"]))
    return Recorded(int(detail["seq"]), datetime.fromisoformat(detail["at"]), detail["by"], fact)


def act_on(back: Application, detail: Mapping[str, Any], who: Callable[[Follower], bool]) -> Fact:
    """Lets each of these followers act, even if another fails; raises the last failure."""
    fact, now = recorded(back, detail), back.clock.now()
    failed: CannotFollow | None = None
    for follower in back.runtime.followers:
        if who(follower):
            try:
                follower.act_on(fact, now)
            except CannotFollow as error:
                why = failure(error.__cause__ or error)
                log("follow.failed", follower=follower.name, seq=fact.seq, why=why)
                failed = error
    if failed is not None:
        raise failed
    return fact.fact


def tells(follower: Follower) -> bool:
    return follower.name.endswith(".tell")


def reacts_for(*desks: str) -> Callable[[Follower], bool]:
    """Selects the followers of these desks that do not tell people. Names begin with a desk."""
    return lambda follower: not tells(follower) and follower.name.partition(".")[0] in desks
