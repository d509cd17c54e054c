"""A power failure at any instant does not change how a busy day of the waitlist ends."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest

from frontdesk.core.decision import Command
from frontdesk.core.ids import new_id
from frontdesk.core.members import MemberId
from frontdesk.core.messages import Message, Text
from frontdesk.core.people import PersonId
from frontdesk.core.sends import Send, SendState, Via
from frontdesk.desks.admin.commands import AddFirstOwner, SetBusiness
from frontdesk.desks.admin.model import Business
from frontdesk.desks.waitlist.commands import (
    ClaimOffer,
    DeclineOffer,
    FreeSlot,
    JoinList,
    MakeMove,
    SetCatalogue,
    SetRules,
)
from frontdesk.desks.waitlist.doctor import list_problems
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import (
    EntryId,
    Lane,
    Opening,
    Rules,
    Slot,
    SlotId,
    Wish,
)
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.why import explain
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.keys import link_keys
from frontdesk.engine.ports import Committed
from frontdesk.engine.runtime import advance
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.settings import Settings
from frontdesk.store.sqlite.store import SqliteStore
from frontdesk.values import replace
from frontdesk.wiring.application import MonitoredStore, build_application
from frontdesk.wiring.one_machine import TABLES, data_file
from tests.support.flaky_channel import FlakyChannel
from tests.support.power_cuts import Fuse, FusedStore, PowerCut

#: Monday, nine in the morning in Singapore.
NINE = datetime(2026, 11, 16, 1, 0, tzinfo=UTC)
FOREVER = datetime(9999, 1, 1, tzinfo=UTC)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
TODAY = date(2026, 11, 16)
WISH = Wish("Colour", 1, TODAY, TODAY + timedelta(days=30))
SHOP = Catalogue((Service("Colour", 2 * HOUR, 12_000),), ("Jess", "Mia"), "S$")


def id_of(name: str) -> str:
    return new_id(name.ljust(16).encode())


TWO, FOUR = SlotId(id_of("two")), SlotId(id_of("four"))
OPENING = Opening("Colour", NINE + 5 * HOUR, 2 * HOUR, 1, "Jess", 12_000)

#: Bea does not answer. Dee declines both. Cleo gets both offers and takes one. Eve gets the other,
#: does not answer, and then nobody is left. Ann wants Mia and gets neither.
DAY: Sequence[tuple[int, Command]] = (
    (0, FreeSlot(TWO, "phone:two", OPENING)),
    (1, FreeSlot(FOUR, "phone:four", replace(OPENING, starts_at=NINE + 7 * HOUR))),
    (12, DeclineOffer(TWO, 2)),
    (13, DeclineOffer(FOUR, 2)),
    (14, ClaimOffer(TWO, 3)),
    (15, ClaimOffer(FOUR, 3)),
    (15, ClaimOffer(TWO, 1)),
    (8 * 60, MakeMove(TWO)),
)
MOST_COMMITS = 200


class Process:
    """Runs the desks of the product on a data file, until the power fails."""

    def __init__(self, folder: Path, posts: Posts, fuse: Fuse, now: datetime = NINE) -> None:
        self.clock = VirtualClock(now)
        self.store = SqliteStore(data_file(folder), TABLES)
        keys = link_keys(folder)
        self.back = build_application(
            Settings(data_dir=folder, base_url="http://salon.example"),
            cast(MonitoredStore, FusedStore(cast(Any, self.store), fuse)),
            posts.channels,
            lambda: keys,
            self.clock,
            chance=lambda: 0.5,
        )

    def starts(self) -> Process:
        self.back.runtime.start(self.clock.now())
        return self

    def does(self, minutes: int, command: Command) -> None:
        """Runs a command at a time of the day. A repeated request has the same key."""
        advance(self.back.runtime, self.clock, max(NINE + minutes * MINUTE, self.clock.now()))
        key = f"{minutes} {command}"
        self.back.engine.run(command, by="test", now=self.clock.now(), key=key)
        self.back.runtime.settle(self.clock.now())

    def close(self) -> None:
        self.store.close()

    def ledger(self) -> list[Send]:
        sends = [send for state in SendState for send in self.store.sends_in(state, 1_000)]
        return sorted(sends, key=lambda send: (send.key, send.person_id))


@dataclass
class Sender(FlakyChannel):
    """Delivers messages. After the `last` one the power fails, before any process can record it."""

    last: int | None = None

    def send(self, message: Message | Text) -> None:
        super().send(message)
        if len(self.delivered) == self.last:
            self.last = None
            raise PowerCut

    def wordings(self) -> dict[str, set[str]]:
        """Returns the text of each message above its signature."""
        said = defaultdict(set)
        for message in self.delivered:
            said[message.message_id].add(message.text.partition("\n-- \n")[0])
        return dict(said)


class Posts:
    def __init__(self, *, last_mail: int | None = None, last_text: int | None = None) -> None:
        self.mail, self.texts = Sender(last=last_mail), Sender(last=last_text)
        self.channels = {Via.MAIL: self.mail, Via.TEXT: self.texts}


def begin(folder: Path) -> None:
    """Puts five people on the list. They get offers in this order: Bea, Dee, Cleo, Eve; Ann waits
    for Mia."""
    folder.mkdir()
    process = Process(folder, Posts(), Fuse())
    owner = AddFirstOwner(MemberId(id_of("m")), PersonId(id_of("p-m")), "Mia", "mia@salon.example")
    for command in (
        SetBusiness(Business(name="Salon Mia", zone="Asia/Singapore")),
        owner,
        SetCatalogue(SHOP),
        SetRules(Rules(zone="Asia/Singapore")),
        joins("ann", 1, replace(WISH, staff="Mia")),
        joins("bea", 2, mobile="+6591234561"),
        joins("dee", 3),
        joins("cleo", 4, mobile="+6591234562"),
        joins("eve", 5),
    ):
        outcome = process.back.engine.run(command, by="test", now=NINE)
        assert isinstance(outcome, Committed), outcome
    process.back.runtime.settle(NINE)
    process.close()


def joins(name: str, minutes: int, wish: Wish = WISH, mobile: str = "") -> JoinList:
    return JoinList(
        EntryId(id_of(name)),
        PersonId(id_of(f"p-{name}")),
        name.title(),
        "" if mobile else f"{name}@example.org",
        wish,
        Lane.STAFF,
        NINE - HOUR + minutes * MINUTE,
        mobile,
    )


def in_the_end(folder: Path, posts: Posts, commits: int | None) -> tuple[dict[str, Any], bool]:
    """Plays the day with a power cut after so many commits; returns its end, and whether there was
    a cut."""
    process, was_cut = Process(folder, posts, Fuse(commits)).starts(), False
    for minutes, command in DAY:
        try:
            process.does(minutes, command)
        except PowerCut:
            was_cut = True
            process.close()
            process = Process(folder, posts, Fuse(), process.clock.now()).starts()
            process.does(minutes, command)
    seen = everything(process)
    process.close()
    return seen, was_cut


def everything(process: Process) -> dict[str, Any]:
    """Returns the final rows and all facts. A text of unknown outcome counts as sent."""
    wl, timers = waitlist(process.back.engine.reads()), process.store.due_timers(FOREVER, 1_000)
    slots, entries = wl.slots(99), wl.entries()
    return {
        "slots": slots,
        "offers": [wl.offers(slot.id) for slot in slots],
        "entries": entries,
        "audit": sorted(
            f"{one.at} {one.by} {one.fact}" for slot in slots for one in wl.facts(slot.id)
        ),
        "why": [[sentence(wl, slot, entry.id) for entry in entries] for slot in slots],
        "timers": timers,
        "sends": {send.key: is_out(send) for send in process.ledger()},
        "problems": list_problems(wl, dict(timers)),
    }


def is_out(send: Send) -> bool:
    maybe = send.via is Via.TEXT and send.state is SendState.UNKNOWN
    return send.state is SendState.SENT or maybe


def sentence(wl: WaitlistReads, slot: Slot, entry_id: EntryId) -> str:
    found = explain(wl, slot.id, entry_id)
    assert found is not None
    return found.sentence


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    begin(tmp_path / "begun")
    return tmp_path / "begun"


def played(
    begun: Path, name: str, posts: Posts, commits: int | None
) -> tuple[dict[str, Any], bool]:
    folder = begun.with_name(name)
    shutil.copytree(begun, folder)
    return in_the_end(folder, posts, commits)


@pytest.mark.spec("WL-16", "WL-19", "WL-21", "FD-01", "FD-02", "FD-03", "FD-04")
def test_a_power_cut_after_any_commit_changes_nothing_in_the_end(begun: Path) -> None:
    before = Posts()
    whole, _ = played(begun, "whole", before, None)
    assert [[one.state.value for one in offers] for offers in whole["offers"]] == [
        ["expired", "declined", "withdrawn", "expired"],
        ["expired", "declined", "claimed"],
    ]
    assert (set(whole["sends"].values()), whole["problems"]) == ({True}, [])
    assert sum("ClaimLost" in line for line in whole["audit"]) == 2

    cuts = 0
    for commits in range(MOST_COMMITS):
        posts = Posts()
        seen, was_cut = played(begun, str(commits), posts, commits)
        if not was_cut:
            break
        cuts += 1
        assert seen == whole, f"after {commits} commits"
        assert posts.mail.wordings() == before.mail.wordings()
        assert posts.mail.times().total() <= before.mail.times().total() + 1
        assert before.texts.times() >= posts.texts.times(), "no text goes out twice"
        assert posts.texts.times().total() >= before.texts.times().total() - 1
    assert MOST_COMMITS > cuts > 40


@pytest.mark.spec("WL-16", "FD-04")
@pytest.mark.parametrize("last", [1, 2, 3, 4])
def test_a_mail_that_went_out_as_the_power_failed_is_repeated_and_a_text_is_not(
    begun: Path, last: int
) -> None:
    before = Posts()
    whole, _ = played(begun, "whole", before, None)

    mailing, texting = Posts(last_mail=last), Posts(last_text=last)
    by_mail = played(begun, "mailing", mailing, None)
    by_text = played(begun, "texting", texting, None)

    assert by_mail == by_text == (whole, True)
    assert mailing.mail.wordings() == before.mail.wordings(), "the same words and deadline"
    assert mailing.mail.times().total() == before.mail.times().total() + 1
    assert texting.texts.times() == before.texts.times()
