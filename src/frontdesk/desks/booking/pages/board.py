"""Chooses the content of the booking page: its first day, its month or week, and the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final, Protocol

from frontdesk.desks.booking.pages.addresses import Address
from frontdesk.desks.booking.pages.picker import (
    DayView,
    MonthPicker,
    TimeChoice,
    WeekPicker,
    Zones,
    day_view,
    month_start,
    month_view,
    next_month,
    time_choice,
    time_text,
    week_start,
    week_view,
)
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.booking.wish_wording import day_text
from frontdesk.values import Frozen

_DAY: Final = timedelta(days=1)
#: The first search covers at least so many days: the month that is shown, and the next weeks.
_SEARCHED: Final = timedelta(days=35)


class StartTime(Protocol):
    @property
    def starts_at(self) -> datetime: ...


class FreeTimes(Protocol):
    """The times that a search found."""

    def counts(self) -> Mapping[date, int]:
        """The number of times of each day that has some, in order."""

    def on(self, day: date) -> Sequence[StartTime]: ...


class ShownDays(Frozen, kw_only=True):
    """The part of the calendar that a visitor wants to see."""

    day: date | None = None
    first_on: date | None = None
    by_week: bool = False

    def wanted(self, today: date, last_on: date) -> date:
        return min(max(self.day or self.first_on or today, today), last_on)

    def searched_until(self, today: date, last_on: date) -> date:
        """The end of the days to search. If they have no times, all others are searched."""
        wanted = self.wanted(today, last_on)
        return min(max(next_month(wanted) - _DAY, wanted + _SEARCHED), last_on)


class Board(Frozen, kw_only=True):
    """The calendar: a month with the times of one day, or a week."""

    month: MonthPicker | None = None
    week: WeekPicker | None = None
    day: DayView | None = None
    views: tuple[tuple[str, str, bool], ...] = ()
    """The month and the week as label, address and whether it is shown."""
    note: str = ""


def board(
    shown: ShownDays,
    free: FreeTimes,
    address: Address,
    zones: Zones,
    rules: BookingRules,
    now: datetime,
    *,
    last_on: date,
) -> Board | None:
    """The calendar; None if there is nothing to choose. `last_on` is the last day to book."""
    every = free.counts()
    if not every:
        return None
    today = zones.on(now)
    wanted = shown.wanted(today, last_on)
    is_turned = shown.day is None and shown.first_on is not None
    opens_on = wanted if is_turned else next((on for on in every if on >= wanted), min(every))
    if shown.by_week:
        first_on = week_start(opens_on)
        starts = [_starts(free, first_on + number * _DAY) for number in range(7)]
        week = week_view(first_on, starts, address, zones, now, last_on=last_on)
        return Board(week=week, views=_views(address, opens_on, by_week=True))
    first_on = month_start(opens_on)
    counts = {on: number for on, number in every.items() if month_start(on) == first_on}
    selected = opens_on if counts.get(opens_on) else min(counts, default=None)
    return Board(
        month=month_view(
            first_on, counts, address, selected=selected, today=today, last_on=last_on
        ),
        day=day_view(selected or opens_on, _starts(free, selected or opens_on), zones, rules, now),
        views=_views(address, selected or opens_on, by_week=False),
        note=_note(shown.day, selected, today),
    )


def _starts(free: FreeTimes, on: date) -> list[datetime]:
    return [one.starts_at for one in free.on(on)]


def _views(address: Address, on: date, *, by_week: bool) -> tuple[tuple[str, str, bool], ...]:
    to = {"day": on.isoformat(), "from": ""}
    return (
        ("Month", address.url(part="days", view="", **to), not by_week),
        ("Week", address.url(part="days", view="week", **to), by_week),
    )


def _note(wanted: date | None, selected: date | None, today: date) -> str:
    if wanted is None or selected is None or wanted == selected:
        return ""
    return f"Nothing is free on {day_text(wanted, today)}. This is the next day with times."


# --- the answer -------------------------------------------------------------------------------

NOTHING_FREE: Final = "No times are free online right now."


class PageAnswer(Frozen, kw_only=True):
    """The answer at the top of the page."""

    title: str
    text: str = ""
    best: tuple[TimeChoice, ...] = ()
    label: str = "Best times"
    is_calm: bool = False
    """Whether it is smaller, for somebody who chose a day or a month."""


def usual_answer(
    next_free: datetime | None,
    best: tuple[TimeChoice, ...],
    zones: Zones,
    now: datetime,
    *,
    is_calm: bool = False,
) -> PageAnswer:
    """The answer to a visitor without a wish. Where the rules rank other times above the next free
    one, their times come first."""
    if next_free is None:
        return PageAnswer(title=NOTHING_FREE)
    is_best = time_choice(next_free, zones, now) in best
    earliest = f"Next free: {time_text(next_free, zones, now)}"
    if is_best or not best:
        return PageAnswer(title=earliest, best=best, is_calm=is_calm)
    return PageAnswer(title="Suggested times", text=earliest, best=best, is_calm=is_calm)


def taken_answer(best: tuple[TimeChoice, ...], *, typed: bool, is_past: bool = False) -> PageAnswer:
    """The answer to somebody whose time was taken meanwhile, or has passed. `typed`: they had
    filled in the form."""
    title = "This time has passed." if is_past else "This one was just taken."
    if not best:
        return PageAnswer(title=title, text="No other time is free online.")
    kept = " What you typed is kept." if typed else ""
    text = f"These are the next best times.{kept}"
    return PageAnswer(title=title, text=text, best=best)


def sentence_answer(
    wish: str, best: tuple[TimeChoice, ...], *, suits: bool, sentence: str
) -> PageAnswer:
    """The answer to a sentence. `wish` is the wish as it was read; empty if the sentence has no day
    and no time. `suits`: all of the best times are as wished."""
    if not best:
        return PageAnswer(title=NOTHING_FREE)
    if not wish:
        return PageAnswer(
            title="Which day or time suits you?",
            text=f"We found none in “{sentence}”. Try “Friday morning” or “after 5”. "
            "These are the best times:",
            best=best,
        )
    if not suits:
        return PageAnswer(
            title="Nothing is free then.", text=f"{wish}. The closest times:", best=best
        )
    text = "These times are free:" if len(best) > 1 else "This time is free:"
    return PageAnswer(title=wish, text=text, best=best)
