"""Counts each SMS before it goes out, and keeps it back beyond the limits of day and month."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from frontdesk.core.decision import Refused
from frontdesk.core.messages import Text
from frontdesk.core.sends import TOO_DEAR, Send
from frontdesk.core.text_rules import TextRules
from frontdesk.engine.desk import DeliveryRules
from frontdesk.engine.engine import Engine
from frontdesk.engine.ledger import BY, CountedText, Ledger, LedgerReason
from frontdesk.logs import failure, log

TOO_MANY_TEXTS: Final = "as many texts have gone out today as the settings allow"

TellSpending = Callable[[bool], None]
"""Called when the month's limit is reached (True), and at the first SMS of a month, and of a
process, that is within the limit (False)."""


class TextLimits:
    """SMS cost money, and strangers can cause them."""

    def __init__(
        self, engine: Engine, ledger: Ledger, rules: TextRules | None, tell: TellSpending
    ) -> None:
        self._engine = engine
        self._ledger = ledger
        self._rules = rules
        self._tell = tell
        self._may_be_paused = True
        """Whether staff may believe that texts are paused: the limit may have been raised."""

    def why_not(self, send: Send, text: Text, delivery: DeliveryRules, now: datetime) -> str:
        """Counts the SMS. Returns why it must not go out, or an empty text."""
        rules = self._rules
        if rules is None or not (rules.a_day or rules.a_month_micros):
            return ""
        is_answer = send.kind in delivery.to_strangers
        a_day = rules.a_day_to_strangers if is_answer else rules.a_day
        counted = self._ledger.count_text(
            now,
            most=a_day if rules.a_day else None,
            cost=rules.cost_micros(text.to_mobile, text.text),
            budget=rules.a_month_micros or None,
        )
        if isinstance(counted, Refused):
            return self._refused(send, counted)
        if rules.a_day and counted.sent in (rules.a_day_to_strangers, rules.a_day):
            self._tell_of_the_day(delivery, now, counted.sent, rules.a_day)
        self._tell_of_the_month(rules, counted, text)
        return ""

    def _refused(self, send: Send, refused: Refused) -> str:
        if refused.reason is not LedgerReason.TOO_DEAR:
            log("send.too_many_texts", send=send.id, desk=send.desk, kind=send.kind)
            return TOO_MANY_TEXTS
        log("send.texts_too_dear", send=send.id, desk=send.desk, kind=send.kind)
        self._told(True)
        return TOO_DEAR

    def _tell_of_the_month(self, rules: TextRules, counted: CountedText, text: Text) -> None:
        """Tells staff once the month's money does not suffice for another SMS of this price."""
        if not rules.a_month_micros:
            return
        if counted.spent_before == 0 or self._may_be_paused:
            self._told(False)
        if not rules.is_within_budget(text.to_mobile, counted.spent):
            self._told(True)

    def _told(self, is_reached: bool) -> None:
        self._may_be_paused = is_reached
        try:
            self._tell(is_reached)
        except Exception as error:
            log("send.spending_not_reported", why=failure(error))

    def _tell_of_the_day(
        self, delivery: DeliveryRules, now: datetime, sent: int, most: int
    ) -> None:
        try:
            if command := delivery.texts_used_up(now.astimezone(UTC).date(), sent, most):
                self._engine.run(command, by=BY, now=now)
        except Exception as error:
            log("send.limit_not_reported", why=failure(error))
