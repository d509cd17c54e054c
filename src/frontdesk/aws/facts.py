"""A fact as the bus brings it, and the followers that act on it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from frontdesk.core.decision import Fact
from frontdesk.engine.follow import CannotFollow, Follower
from frontdesk.engine.ports import Recorded
from frontdesk.logs import failure, log
from frontdesk.store.fact_json import FactJson
from frontdesk.wiring.application import Application


def recorded(back: Application, detail: Mapping[str, Any]) -> Recorded:
    kinds = {kind.kind: kind for desk in back.engine.desks.values() for kind in desk.facts}
    known = FactJson([kinds[detail["kind"]]] if detail["kind"] in kinds else [])
    fact = known.fact(detail["kind"], json.dumps(detail["fact"]))
    return Recorded(int(detail["seq"]), datetime.fromisoformat(detail["at"]), detail["by"], fact)


def act_on(back: Application, detail: Mapping[str, Any], who: Callable[[Follower], bool]) -> Fact:
    """Each of them, whatever becomes of the others; raises if one could not."""
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


def reacts(follower: Follower) -> bool:
    return not tells(follower)


def of_the_waitlist(follower: Follower) -> bool:
    return follower.name.startswith("wl.")
