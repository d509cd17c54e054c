"""Forecasts which of the coming texts will go out under the daily and monthly limits.

Texts of other desks count when they go out, so a limit may be reached earlier than forecast.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from frontdesk.core.localtime import to_wall
from frontdesk.core.phones import country_of
from frontdesk.core.text_rules import TextRules, month_of, resumes_on, segment_price_micros
from frontdesk.desks.reminders.console.next_messages import (
    MAIL,
    ComingMessage,
    TextLimit,
    takes_mail,
)
from frontdesk.engine.ports import EngineReads, Reads
from frontdesk.values import Frozen, replace
from frontdesk.web.console.formatting import short_date


def forecast(
    rows: Iterable[ComingMessage], rules: TextRules, engine: EngineReads
) -> list[ComingMessage]:
    """The same messages in their order, each with the channel that the limits allow."""
    counts = _Counts(rules, engine)
    return [counts.take(row) if row.is_text else row for row in rows]


class _Counts:
    """Counts texts in the way that the engine does: each before it goes out."""

    def __init__(self, rules: TextRules, engine: EngineReads) -> None:
        self._rules = rules
        self._engine = engine
        self._spent: dict[date, int] = {}
        self._sent: dict[date, int] = {}

    def take(self, row: ComingMessage) -> ComingMessage:
        on, month = row.at.astimezone(UTC).date(), month_of(row.at)
        price = segment_price_micros(country_of(row.person.mobile)) if row.person else 0
        spent = self._spent_in(month) + row.segments * price
        if self._rules.a_month_micros and spent > self._rules.a_month_micros:
            return _without_text(row, TextLimit.BY_MONTH)
        if self._is_full(on):
            if takes_mail(row.appointment, row.person):
                return _without_text(row, TextLimit.BY_DAY)
            return self._next_day(row, on, month, spent)
        self._spent[month], self._sent[on] = spent, self._sent_on(on) + 1
        return row

    def _next_day(self, row: ComingMessage, on: date, month: date, spent: int) -> ComingMessage:
        """Moves a text to the first day below the limit. Its cost counts for the month in which it
        was planned."""
        while self._is_full(on):
            on += timedelta(days=1)
        self._spent[month], self._sent[on] = spent, self._sent_on(on) + 1
        return replace(row, kept_back=TextLimit.BY_DAY)

    def _is_full(self, on: date) -> bool:
        return bool(self._rules.a_day) and self._sent_on(on) >= self._rules.a_day

    def _sent_on(self, on: date) -> int:
        if not self._rules.a_day:
            return 0
        if on not in self._sent:
            self._sent[on] = self._engine.texts_on(on)
        return self._sent[on]

    def _spent_in(self, month: date) -> int:
        if not self._rules.a_month_micros:
            return 0
        if month not in self._spent:
            self._spent[month] = self._engine.text_spend(month)
        return self._spent[month]


def _without_text(row: ComingMessage, by: TextLimit) -> ComingMessage:
    via = MAIL if takes_mail(row.appointment, row.person) else ""
    return replace(row, via=via, kept_back=by, segments=1)


# --- words ----------------------------------------------------------------------------------


class LimitNotice(Frozen):
    happened: str
    means: str


def month_notice(
    rows: Sequence[ComingMessage], rules: TextRules, now: datetime
) -> LimitNotice | None:
    """Tells staff how the monthly limit affects these messages; None if it does not."""
    kept = [row for row in rows if row.kept_back is TextLimit.BY_MONTH]
    if not kept:
        return None
    first, month = kept[0], month_of(kept[0].at)
    goes_before = any(row.is_text and row.at <= first.at for row in rows)
    is_ahead = goes_before or month != month_of(now)
    on = short_date(to_wall(first.at, first.tz).date())
    state = f"will be reached by {on}" if is_ahead else "is reached"
    by_mail = sum(row.via == MAIL for row in kept)
    lost = len(kept) - by_mail
    means = (
        _BY_MAIL[by_mail == 1].format(by_mail) if by_mail else "",
        _LOST[lost == 1].format(lost) if lost else "",
        f"Texts go out again on {_day(resumes_on(first.at))}.",
        "Other texts count as well, so the limit may be reached earlier." if is_ahead else "",
        "It is the setting texts_a_month_usd.",
    )
    limit = f"US${rules.a_month_micros // 1_000_000:,}"
    return LimitNotice(
        f"The monthly limit on texts ({limit}) {state}.", " ".join(filter(None, means))
    )


_BY_MAIL: Final = {
    True: "1 reminder goes out by mail instead.",
    False: "{} reminders go out by mail instead.",
}
_LOST: Final = {
    True: "1 reminder is not delivered: the customer has no working e-mail address.",
    False: "{} reminders are not delivered: these customers have no working e-mail address.",
}


def _day(on: date) -> str:
    return f"{on.day} {on:%B}"


# --- preview --------------------------------------------------------------------------------


class TextsSpentReads(Frozen):
    """Reads that report the limits on texts as reached, so that a message is rendered as a mail."""

    reads: Reads

    @property
    def engine(self) -> Any:
        return _SpentEngine(self.reads.engine)

    def desk(self, code: str) -> Any:
        return self.reads.desk(code)


class _SpentEngine:
    def __init__(self, engine: EngineReads) -> None:
        self._engine = engine

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def text_spend(self, _month: date) -> int:
        return _ALL

    def texts_on(self, _on: date) -> int:
        return _ALL


_ALL: Final = 10**15
