"""If a function dies after any write, the next one completes the slot in the same way."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import cast

import pytest

from frontdesk.core.messages import Message
from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.commands import ClaimOffer, JoinList
from frontdesk.desks.waitlist.model import EntryId, Lane, SlotId
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.ports import Store
from frontdesk.engine.runtime import advance
from frontdesk.values import replace
from tests.support.dynamodb import Tables, needs_dynamodb
from tests.support.flaky_channel import FlakyChannel
from tests.support.power_cuts import Fuse, FusedStore, PowerCut
from tests.support.waitlist import HOUR, MINUTE, NINE, OPENING, WISH
from tests.support.waitlist_dynamodb import DynamoWaitlistDesk

pytestmark = needs_dynamodb

#: Only every other write is cut here; on a data file each write is.
EVERY = 2
MOST_RUNS = 30


@dataclass(kw_only=True)
class FusedDesk(DynamoWaitlistDesk):
    fuse: Fuse = field(default_factory=Fuse)

    def new_store(self) -> Store:
        return cast(Store, FusedStore(super().new_store(), self.fuse))

    def again(self) -> None:
        """Continues with a new function, which has only the tables."""
        self.fuse = Fuse()
        self.open()
        self.runtime.start(self.clock.now())

    def plays(self, run: int, commits: int) -> bool:
        """Lets Ann not answer and Bob claim, with their own service; returns whether the power was
        cut."""
        began_at = self.clock.now()
        for who in ("ann", "bob"):
            self.do(joins(f"{who}{run}", run))
        self.fuse = Fuse(commits)
        self.open()
        try:
            self.goes(run, began_at)
        except PowerCut:
            self.again()
            self.goes(run, began_at)
            return True
        return False

    def goes(self, run: int, began_at: datetime) -> None:
        """Runs the requests; they can be repeated."""
        opening = replace(
            OPENING, service=f"cut{run}", starts_at=began_at + 6 * HOUR, staff=f"mia{run}"
        )
        self.free(opening, slot_id=f"s{run}")
        advance(self.runtime, self.clock, began_at + 11 * MINUTE)
        self.run(ClaimOffer(SlotId(f"s{run}"), 2))
        advance(self.runtime, self.clock, began_at + 12 * MINUTE)


def joins(who: str, run: int) -> JoinList:
    return JoinList(
        EntryId(who),
        PersonId(f"p-{who}"),
        who.title(),
        f"{who}@example.org",
        replace(WISH, service=f"cut{run}"),
        Lane.STAFF,
    )


@pytest.mark.spec("WL-16", "WL-19", "WL-21", "FD-01", "FD-02", "FD-03", "FD-04")
def test_a_power_cut_after_a_write_changes_nothing_in_the_end(dynamodb: Tables) -> None:
    """Uses the same tables for all runs: each must leave nothing for the next."""
    post = FlakyChannel()
    desk = FusedDesk(Path("nowhere"), VirtualClock(NINE), post, tables=dynamodb)
    desk.given()

    run = 0
    while desk.plays(run, commits=run * EVERY):
        ann, bob, slot = f"ann{run}", f"bob{run}", f"s{run}"
        assert desk.tried(slot) == [(ann, "expired"), (bob, "claimed")], f"in run {run}"
        assert told(post) == {(ann, "offer"): 1, (bob, "offer"): 1, (bob, "booked"): 1}
        post.delivered.clear()
        run += 1
        assert run < MOST_RUNS
    assert run > 6
    assert desk.problems() == []
    assert desk.dead_letters() == []


def told(post: FlakyChannel) -> Counter[tuple[str, str]]:
    mails = [one for one in post.delivered if isinstance(one, Message)]
    return Counter((one.to_email.partition("@")[0], one.subject) for one in mails)
