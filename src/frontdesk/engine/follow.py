"""Followers act on facts in order. Each records its place in the commit of its action."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b
from itertools import takewhile
from typing import Final, Protocol

from frontdesk.core.decision import Accepted, Command, Fact
from frontdesk.core.ids import ID_BYTES, new_id
from frontdesk.core.notes import Note
from frontdesk.core.people import PersonId
from frontdesk.core.sends import QueueSend, SendId
from frontdesk.core.unreadable import CannotBeRead, read
from frontdesk.engine.desk import Desk
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Followed, Reads, Recorded, Store
from frontdesk.engine.retries import RetryTracker
from frontdesk.logs import failure, log
from frontdesk.values import Frozen

#: Facts in one step of `React`. In a larger batch, more facts share a command.
REACTED_AT_ONCE: Final = 1_000
#: Facts in one commit of `Tell`. Other writes wait while it is written, sign-ups among them.
TOLD_AT_ONCE: Final = 100
#: A place that is this far behind moves forward even without facts of interest, so that the
#: search for new facts stays fast.
FAR_BEHIND: Final = 2_000

Reaction = Callable[[Reads, Recorded], Iterable[Command]]


class Binding(Frozen):
    """A follower: its name, and which facts cause which commands. Also for flows across desks."""

    name: str
    reactions: Mapping[type[Fact], Reaction]


class Effect(Protocol):
    """The action of one follower."""

    @property
    def kinds(self) -> frozenset[str]: ...

    @property
    def at_once(self) -> int:
        """The most facts in one step."""

    def apply(self, facts: Sequence[Recorded], now: datetime) -> int:
        """Acts on the facts in order. Returns the seq of the last one that is settled.

        Raises `CannotFollow` for the first that fails; the facts before it are settled.
        """

    def repeat(self, recorded: Recorded, now: datetime) -> None:
        """Acts on a fact that became a dead letter. The place does not change."""


class CannotFollow(Exception):
    """The effect of this fact failed; `__cause__` says why."""

    def __init__(self, seq: int) -> None:
        super().__init__(seq)
        self.seq = seq


class Follower:
    """Acts on facts in order. A fact that keeps failing becomes a dead letter after its retries."""

    def __init__(self, name: str, effect: Effect, store: Store) -> None:
        self.name = name
        self._effect = effect
        self._store = store
        self._tries = RetryTracker()
        self._passed = 0
        self._stepped_at: datetime | None = None
        self.may_have_more = True
        """Whether there may be facts on which the last step did not act."""

    def step(self, now: datetime, head: int = 0) -> bool:
        """Acts on new facts. Returns whether there were any. `head`: a seq that is committed."""
        effect = self._effect
        if not effect.kinds:
            return False
        self._stepped_at = now
        facts = self._store.unfollowed(self.name, effect.kinds, effect.at_once)
        self.may_have_more = bool(facts)
        if not facts:
            self.pass_over(head)
            return False
        parts = self._parts(facts, now)
        acted_on = 0
        for part in parts:
            try:
                self._passed = effect.apply(part, now)
                acted_on += len(part)
            except CannotFollow as failed:
                self._failed(failed, now)
        self.may_have_more = acted_on < len(facts) or len(facts) >= effect.at_once
        return bool(parts)

    def next_at(self) -> datetime | None:
        """Returns when the follower retries a fact that failed."""
        return self._tries.next_at(self._stepped_at)

    def _parts(self, facts: Sequence[Recorded], now: datetime) -> list[Sequence[Recorded]]:
        """Returns the batches to act on. In order, no fact overtakes one that waits for a retry."""
        if not self._store.follows_in_order:
            return [(each,) for each in facts if not self._is_paused(each, now)]
        ready = list(takewhile(lambda each: not self._is_paused(each, now), facts))
        return [ready] if ready else []

    def _is_paused(self, recorded: Recorded, now: datetime) -> bool:
        return self._tries.is_paused(self._ref(recorded.seq), now)

    def _ref(self, seq: int) -> str:
        return f"{self.name}/{seq}"

    def act_on(self, recorded: Recorded, now: datetime) -> None:
        """Acts on one fact. A repeat does no harm. Raises `CannotFollow`."""
        if recorded.fact.kind in self._effect.kinds:
            self._effect.apply((recorded,), now)

    def give_up(self, recorded: Recorded, why: str, now: datetime) -> None:
        """Turns the fact into a dead letter, which staff see and can replay."""
        cause = Followed(self.name, recorded.seq)
        self._store.add_dead_letter("fact", self._ref(recorded.seq), why, at=now, cause=cause)

    @property
    def kinds(self) -> frozenset[str]:
        return self._effect.kinds

    def waiting(self) -> int:
        """Counts the facts that it still has to act on, up to the size of one step."""
        effect = self._effect
        if not effect.kinds:
            return 0
        return len(self._store.unfollowed(self.name, effect.kinds, effect.at_once))

    def repeat(self, recorded: Recorded, now: datetime) -> None:
        """Acts again on a fact that became a dead letter."""
        self._effect.repeat(recorded, now)

    def pass_over(self, head: int) -> None:
        """Moves a place that is far behind up to `head`. No fact before `head` concerns it."""
        is_far = head - self._passed > FAR_BEHIND
        if self.kinds and is_far and self._store.follows_in_order:
            self._store.pass_over(self.name, head)
            self._passed = head

    def _failed(self, failed: CannotFollow, now: datetime) -> None:
        ref = self._ref(failed.seq)
        why = failure(failed.__cause__ or failed)
        log("follow.failed", follower=self.name, seq=failed.seq, why=why)
        can_help = not isinstance(failed.__cause__, CannotBeRead)
        if can_help and self._tries.count_failure(ref, now) is not None:
            return
        cause = Followed(self.name, failed.seq)
        self._store.add_dead_letter("fact", ref, why, at=now, cause=cause)


class React:
    """Runs the commands that facts cause. Runs equal commands of one batch once."""

    def __init__(self, name: str, reactions: Mapping[type[Fact], Reaction], engine: Engine) -> None:
        self._name = name
        self._reactions = reactions
        self._engine = engine
        self.kinds = frozenset(fact.kind for fact in reactions)
        self.at_once = REACTED_AT_ONCE

    def apply(self, facts: Sequence[Recorded], now: datetime) -> int:
        last_cause, failed = self._gather(facts)
        settled = facts[-1].seq if failed is None else failed.seq - 1
        commands = list(last_cause.items())
        for index, (command, seq) in enumerate(commands):
            following = commands[index + 1][1] if index + 1 < len(commands) else None
            self._run(command, seq, self._place(seq, following, settled), now)
        if not commands and settled >= facts[0].seq:
            self._engine.store.pass_over(self._name, settled)
        if failed is not None:
            raise failed
        return settled

    def repeat(self, recorded: Recorded, now: datetime) -> None:
        for command in self._commands(self._engine.reads(), recorded):
            self._engine.run(command, by=f"follower:{self._name}", now=now)

    def _commands(self, reads: Reads, recorded: Recorded) -> tuple[Command, ...]:
        return tuple(self._reactions[type(read(recorded.fact))](reads, recorded))

    def _gather(self, facts: Sequence[Recorded]) -> tuple[dict[Command, int], CannotFollow | None]:
        """Returns each command once with the seq of its last cause, in the order of these seqs."""
        last_cause: dict[Command, int] = {}
        reads = self._engine.reads()
        for recorded in facts:
            try:
                commands = self._commands(reads, recorded)
            except Exception as error:
                failed = CannotFollow(recorded.seq)
                failed.__cause__ = error
                return last_cause, failed
            for command in commands:
                last_cause.pop(command, None)
                last_cause[command] = recorded.seq
        return last_cause, None

    @staticmethod
    def _place(seq: int, following: int | None, settled: int) -> int | None:
        """Returns the new place after a command whose last cause is `seq`."""
        if following is None:
            return settled
        return None if following == seq else seq

    def _run(self, command: Command, seq: int, place: int | None, now: datetime) -> None:
        cause = None if place is None else Followed(self._name, place)
        try:
            self._engine.run(command, by=f"follower:{self._name}", now=now, cause=cause)
        except Exception as error:
            raise CannotFollow(seq) from error


class Tell:
    """Writes a row in the ledger of sends for each note and recipient."""

    def __init__(self, desk: Desk, engine: Engine) -> None:
        self._desk = desk
        self._engine = engine
        self.kinds = frozenset(fact.kind for fact in desk.notes)
        self.at_once = TOLD_AT_ONCE

    def apply(self, facts: Sequence[Recorded], now: datetime) -> int:
        try:
            return self._tell(facts, now)
        except CannotFollow:
            if len(facts) == 1:
                raise
        for recorded in facts:
            self._tell((recorded,), now)
        return facts[-1].seq

    def _tell(self, facts: Sequence[Recorded], now: datetime) -> int:
        """Queues the sends of all these facts in one commit."""
        seq = facts[-1].seq
        try:
            with self._engine.store.snapshot() as reads:
                sends = {
                    send.send_id: send
                    for recorded in facts
                    for send in sends_about(self._desk, reads, recorded.fact, now, in_hand=True)
                }
            self._queue(tuple(sends.values()), seq, now)
        except Exception as error:
            raise CannotFollow(seq) from error
        return seq

    def repeat(self, recorded: Recorded, now: datetime) -> None:
        sends = sends_about(self._desk, self._engine.reads(), recorded.fact, now)
        self._commit(tuple(sends), None, now)

    def _queue(self, sends: tuple[QueueSend, ...], seq: int, now: datetime) -> None:
        if sends:
            self._commit(sends, Followed(tell_name(self._desk), seq), now)
        else:
            self._engine.store.pass_over(tell_name(self._desk), seq)

    def _commit(self, sends: tuple[QueueSend, ...], cause: Followed | None, now: datetime) -> None:
        accepted = Accepted(changes=sends)
        by = f"follower:{tell_name(self._desk)}"
        outcome = self._engine.store.submit(
            lambda _reads: accepted, by=by, at=now, cause=cause, patient=True
        )
        outcome.result()


def sends_about(
    desk: Desk, reads: Reads, fact: Fact, now: datetime, *, in_hand: bool = False
) -> Iterator[QueueSend]:
    """Yields a send for each recipient of the fact's notes."""
    told = desk.notes[type(read(fact))](fact) or ()
    for note in (told,) if isinstance(told, Note) else told:
        for person_id in desk.delivery.recipients(reads, note):
            key = send_id(note.key, person_id)
            yield QueueSend(key, desk.code, note, person_id, now, in_hand)


def send_id(key: str, person_id: PersonId) -> SendId:
    """Returns the same id, and so the same Message-ID, for the same note to the same person."""
    digest = blake2b(f"{len(key)} {key} {person_id}".encode(), digest_size=ID_BYTES).digest()
    return SendId(new_id(digest))


def react_name(desk: Desk) -> str:
    return f"{desk.code}.react"


def tell_name(desk: Desk) -> str:
    return f"{desk.code}.tell"


def followers(engine: Engine, bindings: Iterable[Binding] = ()) -> tuple[Follower, ...]:
    """Builds two followers for each desk, and one for each flow across desks."""
    effects: dict[str, Effect] = {}
    desks = engine.desks.values()
    for binding in (*(Binding(react_name(desk), desk.reactions) for desk in desks), *bindings):
        if binding.name in effects:
            raise ValueError(f"two followers are called {binding.name}")
        effects[binding.name] = React(binding.name, binding.reactions, engine)
    effects.update({tell_name(desk): Tell(desk, engine) for desk in desks})
    return tuple(Follower(name, effect, engine.store) for name, effect in effects.items())
