"""Delivers due sends: checks each again, renders it and hands it to its channel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from typing import Final, TypeVar

from frontdesk.core.decision import Command, Refused
from frontdesk.core.messages import (
    Channel,
    Channels,
    Message,
    SendLater,
    SendRefused,
    SendUnknown,
    Text,
)
from frontdesk.core.people import Person
from frontdesk.core.sends import Send, SendState, Via
from frontdesk.core.text_rules import TextRules
from frontdesk.engine.desk import DeliveryRules, Drop, HoldUntil, SendNow
from frontdesk.engine.engine import Engine
from frontdesk.engine.ledger import BY, Bounce, FailedNumber, Ledger, kept_copy
from frontdesk.engine.ports import Outcome, Reads
from frontdesk.engine.retries import RetryTracker
from frontdesk.engine.text_limits import TOO_MANY_TEXTS, TellSpending, TextLimits
from frontdesk.errors import Busy
from frontdesk.logs import failure, log, without_addresses
from frontdesk.values import Frozen, replace

MOST_ATTEMPTS: Final = 12
FIRST_WAIT: Final = timedelta(seconds=30)
LONGEST_WAIT: Final = timedelta(hours=1)
REPEAT_AFTER: Final = timedelta(seconds=60)
ASK_AGAIN_AFTER: Final = timedelta(seconds=60)

#: `why` starts with this after the first attempt with an unknown outcome.
MAYBE_SENT: Final = "may have been sent; "

NO_MAIL: Final = "this address does not take mail"
NO_TEXTS: Final = "this number wants no texts"

Rendered = tuple[Send, Message | Text]

KEPT_AT_ONCE: Final = 64
#: Few: the outcome of a message is unknown if the process dies before it is handed over. An SMS of
#: unknown outcome is not repeated.
AT_ONCE: Final = {Via.MAIL: 8, Via.TEXT: 1}

T = TypeVar("T")


class Route(Frozen):
    """The channel for one kind of message, and how many it takes at once."""

    via: Via
    channel: Channel

    @property
    def at_once(self) -> int:
        return KEPT_AT_ONCE if self.channel.local else AT_ONCE[self.via]

    def batches(self, sends: Sequence[T]) -> Iterator[Sequence[T]]:
        for first in range(0, len(sends), self.at_once):
            yield sends[first : first + self.at_once]


class Sender:
    """Delivers sends. `chance` returns numbers from 0 to 1, which spread the retry pauses."""

    def __init__(
        self,
        engine: Engine,
        channels: Channels,
        *,
        chance: Callable[[], float],
        text_rules: TextRules | None = None,
        tell_spending: TellSpending = lambda _is_reached: None,
    ) -> None:
        self._engine = engine
        self._routes = {via: Route(via, channel) for via, channel in channels.items()}
        self._chance = chance
        self.yield_briefly: Callable[[], None] = lambda: None
        """Called between messages, to yield to other work."""
        self._ledger = Ledger(engine)
        self._limits = TextLimits(engine, self._ledger, text_rules, tell_spending)
        self._retries = RetryTracker()
        all_local = all(channel.local for channel in channels.values())
        self._at_once = KEPT_AT_ONCE if all_local else AT_ONCE[Via.MAIL]

    def recover(self, now: datetime) -> None:
        """Handles sends that a previous process left unfinished. Call it once at the start."""
        while sends := self._engine.store.sends_in(SendState.SENDING, KEPT_AT_ONCE):
            self.lost(sends, now)

    def lost(self, sends: Iterable[Send], now: datetime) -> None:
        """Records an unknown outcome for sends whose process has ended."""
        for send in sends:
            self._unknown(send, "the process ended while it was being sent", now, wait=False)
        self._ledger.flush(now)

    def step(self, now: datetime) -> bool:
        """Delivers a batch of due sends. Returns whether there were any."""
        due = self._engine.store.due_sends(now, self._at_once)
        if due:
            self.deliver(due, now)
        return bool(due)

    def deliver(self, due: Sequence[Send], now: datetime) -> None:
        """Delivers these sends. It skips a send that has gone out meanwhile."""
        with self._engine.store.snapshot() as reads:
            cleared = [send for send in due if self._may_go(reads, send, now)]
            asked = [(send, self._submit_arm(send, now)) for send in cleared]
            is_any_armed = any(outcome is not None for _, outcome in asked)
            rendered = [] if is_any_armed else list(self._render(reads, cleared, now))
        if is_any_armed:
            armed = [send for send, outcome in asked if self._is_armed(send, outcome, now)]
            with self._engine.store.snapshot() as reads:
                rendered = list(self._render(reads, armed, now))
        for via, route in self._routes.items():
            send = self._keep if route.channel.local else self._hand_over
            for batch in route.batches([each for each in rendered if each[1].via is via]):
                send(route, batch, now)
        self._ledger.flush(now)

    # --- checks before sending --------------------------------------------------------------

    def _may_go(self, reads: Reads, send: Send, now: datetime) -> bool:
        try:
            person = reads.engine.person(send.person_id)
            if why := _drop_reason(send, person, self._rules(send), now):
                self._ledger.drop(send, why, now, self._for_good(send, why))
                return False
            verdict = self._rules(send).when(reads, send, now)
        except Exception as error:
            self._broken(send, error, now)
            return False
        match verdict:
            case None:
                return True
            case HoldUntil(until):
                self._ledger.hold(send, until, _reason(send, "quiet hours"), now)
            case Drop(why):
                self._ledger.drop(send, why, now)
        return False

    def _submit_arm(self, send: Send, now: datetime) -> Future[Outcome] | None:
        """Submits the `arm` command of the send; None if it has none."""
        try:
            command = self._rules(send).arm(send)
            return self._engine.submit(command, by=BY, now=now) if command else None
        except Exception as error:
            failed: Future[Outcome] = Future()
            failed.set_exception(error)
            return failed

    def _is_armed(self, send: Send, outcome: Future[Outcome] | None, now: datetime) -> bool:
        try:
            answer = outcome.result() if outcome else None
        except Exception as error:
            again_at = (
                self._retries.count_failure(send.id, now) if isinstance(error, Busy) else None
            )
            if again_at is None:
                self._broken(send, error, now)
            else:
                self._ledger.defer(send, again_at, _reason(send, failure(error)), now)
            return False
        if not isinstance(answer, Refused):
            return True
        if answer.reason in self._rules(send).temporary_refusals:
            self._ledger.hold(send, now + ASK_AGAIN_AFTER, str(answer.reason), now)
        else:
            self._ledger.drop(send, str(answer.reason), now)
        return False

    def _render(self, reads: Reads, sends: Sequence[Send], now: datetime) -> Iterator[Rendered]:
        """Renders from fresh rows, which include the changes of arming."""
        for send in sends:
            self.yield_briefly()
            try:
                rendering = self._rules(send).render(reads, send, now)
                closed = ""
                if isinstance(rendering, SendNow):
                    assert send.id in rendering.message.message_id, "repeats need the same id"
                    closed = rendering.closed or self._closed(reads, send, rendering.message)
            except Exception as error:
                self._broken(send, error, now)
                continue
            match rendering:
                case SendNow() if closed:
                    self._ledger.drop(send, closed, now, self._for_good(send, closed))
                case SendNow(message):
                    yield send, message
                case Drop(why):
                    self._ledger.drop(send, why, now, self._undo(send))

    def _closed(self, reads: Reads, send: Send, message: Message | Text) -> str:
        """Returns why this channel cannot reach the person, or an empty text."""
        if message.via not in self._routes:
            return "texts are not set up"
        if isinstance(message, Text):
            return NO_TEXTS if reads.engine.number_stopped(message.to_mobile) else ""
        if not message.to_email:
            return "this person has no e-mail address"
        if send.kind in self._rules(send).asked_for:
            return ""
        person = reads.engine.person(send.person_id)
        return NO_MAIL if person and person.bounced else ""

    # --- sending ----------------------------------------------------------------------------

    def _keep(self, route: Route, rendered: Sequence[Rendered], now: datetime) -> None:
        """Delivers all messages of a local channel: one commit keeps them."""
        for _, message in rendered:
            route.channel.send(message)
        kept = [
            (send, kept_copy(send, message, route.channel.name, now)) for send, message in rendered
        ]
        self._ledger.finish(kept, now)

    def _hand_over(self, route: Route, rendered: Sequence[Rendered], now: datetime) -> None:
        """Records in the ledger that the sends are in progress, then passes each to the channel."""
        if route.via is Via.TEXT:
            rendered = [each for each in rendered if self._is_within_limits(*each, now)]
        may = self._ledger.start([send for send, _ in rendered], route.via, now)
        for send, message in rendered:
            if send.id not in may:
                continue
            attempts = send.attempts + 1
            started = replace(send, state=SendState.SENDING, attempts=attempts, via=route.via)
            self._deliver(route, started, message, now)

    def _is_within_limits(self, send: Send, message: Message | Text, now: datetime) -> bool:
        if not isinstance(message, Text):
            return True
        why = self._limits.why_not(send, message, self._rules(send), now)
        if why:
            self._keep_back(replace(send, via=Via.TEXT), why, now)
        return not why

    def _keep_back(self, send: Send, why: str, now: datetime) -> None:
        """Defers a send until tomorrow if only the day's texts are used up. Drops one that is
        useless by then: an answer to a form, and everything until the next month."""
        if why != TOO_MANY_TEXTS or send.kind in self._rules(send).to_strangers:
            self._ledger.drop(send, why, now, self._for_good(send, why))
            return
        today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        self._ledger.defer(send, today + timedelta(days=1), why, now, self._put_off(send))

    def _deliver(self, route: Route, send: Send, message: Message | Text, now: datetime) -> None:
        try:
            provider_id = route.channel.send(message) or ""
        except SendRefused as refused:
            self._refused(send, message, refused, now)
        except SendLater as later:
            self._later(send, later.reason, now, self._put_off(send))
        except SendUnknown as unknown:
            self._unknown(send, unknown.reason, now)
        except Exception as error:
            self._unknown(send, failure(error), now)
        else:
            kept = kept_copy(send, message, route.channel.name, now)
            self._ledger.finish([(send, replace(kept, provider_id=provider_id))], now)
            log("send.sent", send=send.id, desk=send.desk, kind=send.kind, via=send.via)

    def _refused(
        self, send: Send, message: Message | Text, refused: SendRefused, now: datetime
    ) -> None:
        if not refused.permanent:
            self._later(send, refused.reason, now, self._undo(send))
            return
        why = _reason(send, refused.reason)
        self._ledger.give_up(
            send,
            SendState.FAILED,
            why,
            now,
            undo=self._for_good(send, why),
            bounce=_bounce(send, message, refused),
            is_lost=not self._has_other_route(send, now),
        )

    def _has_other_route(self, send: Send, now: datetime) -> bool:
        try:
            return self._rules(send).has_other_route(self._engine.reads(), send, now)
        except Exception as error:
            log("send.other_route_unknown", send=send.id, kind=send.kind, why=failure(error))
            return False

    def _later(self, send: Send, reason: str, now: datetime, undo: Command | None) -> None:
        """Defers a send that definitely failed. Undoes `arm`, so that no claim window runs."""
        why = _reason(send, reason)
        if send.attempts >= MOST_ATTEMPTS:
            undo = self._for_good(send, why)
            self._ledger.give_up(send, SendState.FAILED, why, now, undo=undo)
            return
        self._ledger.defer(send, now + self._wait(send.attempts), why, now, undo)

    def _unknown(self, send: Send, reason: str, now: datetime, *, wait: bool = True) -> None:
        """Handles a send that may be out: repeats mail, shows an SMS to staff, keeps it armed."""
        why = _reason(send, reason, maybe=True)
        if send.via is Via.TEXT:
            self._ledger.give_up(send, SendState.UNKNOWN, why, now)
        elif send.attempts >= MOST_ATTEMPTS:
            self._ledger.give_up(send, SendState.FAILED, why, now)
        else:
            self._ledger.defer(send, now + (REPEAT_AFTER if wait else timedelta()), why, now)

    def _broken(self, send: Send, error: Exception, now: datetime) -> None:
        """Fails one send because its desk raised an error. The other sends continue."""
        why = _reason(send, failure(error))
        self._ledger.give_up(send, SendState.FAILED, why, now, undo=self._undo(send))

    # --- commands of the desk ---------------------------------------------------------------

    def _rules(self, send: Send) -> DeliveryRules:
        return self._engine.desks[send.desk].delivery

    def _undo(self, send: Send) -> Command | None:
        """Returns the command that undoes `arm`, unless the message may have been sent."""
        if _maybe_sent(send):
            return None
        return self._wanted(send, lambda delivery: delivery.disarm(send))

    def _put_off(self, send: Send) -> Command | None:
        put_off = self._rules(send).put_off
        if put_off is None or _maybe_sent(send):
            return self._undo(send)
        return self._wanted(send, lambda _delivery: put_off(send))

    def _for_good(self, send: Send, why: str) -> Command | None:
        if _maybe_sent(send):
            return None
        ended = replace(send, why=why)
        undeliverable = self._wanted(send, lambda delivery: delivery.undeliverable(ended))
        return undeliverable or self._undo(send)

    def _wanted(self, send: Send, ask: Callable[[DeliveryRules], Command | None]) -> Command | None:
        try:
            return ask(self._rules(send))
        except Exception as error:
            log("send.undo_failed", send=send.id, kind=send.kind, why=failure(error))
            return None

    def _wait(self, attempts: int) -> timedelta:
        """Exponential backoff with jitter: chance takes off up to half of the pause."""
        longest = min(FIRST_WAIT * 2 ** (attempts - 1), LONGEST_WAIT)
        return timedelta(seconds=round(longest.total_seconds() * (1 + self._chance()) / 2))


def _drop_reason(send: Send, person: Person | None, delivery: DeliveryRules, now: datetime) -> str:
    """Returns why this send is dropped, or an empty text. An SMS needs no e-mail address."""
    if send.tell_by is not None and now >= send.tell_by:
        return "too late"
    if person is None or person.erased:
        return "this person was erased"
    if person.bounced and not person.mobile and send.kind not in delivery.asked_for:
        return NO_MAIL
    if person.opted_out and send.kind in delivery.optional:
        return "this person has unsubscribed"
    return ""


def _bounce(
    send: Send, message: Message | Text, refused: SendRefused
) -> Bounce | FailedNumber | None:
    """Returns the address or number that was refused. One says nothing about the other."""
    if not refused.about_recipient:
        return None
    if isinstance(message, Text):
        return FailedNumber(send.person_id, message.to_mobile)
    return Bounce(send.person_id, message.to_email, refused.reason, send.queued_at)


def _reason(send: Send, reason: str, *, maybe: bool = False) -> str:
    """Writes a reason for the ledger. Keeps the mark that the message may have been sent."""
    kept = MAYBE_SENT if maybe or _maybe_sent(send) else ""
    return kept + without_addresses(reason).removeprefix(MAYBE_SENT)


def _maybe_sent(send: Send) -> bool:
    return send.why.startswith(MAYBE_SENT)
