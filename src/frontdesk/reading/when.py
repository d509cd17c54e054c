"""Reads the wished time in a phrase or a mail: days and times of day in four languages."""

import re
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Final

from frontdesk.reading.certainty import ReadText, has_alternative, is_plain_wish, text_confidence
from frontdesk.reading.clauses import clause_confidence, is_cancelled, is_moved, is_refused
from frontdesk.reading.clock_times import ClockTime, join_clocks, refused
from frontdesk.reading.model import MOST_CHARACTERS, Confidence, Words, in_order, least
from frontdesk.reading.passages import passages
from frontdesk.reading.phrases.phrase_finder import Phrases, find_phrases
from frontdesk.reading.recurring_days import Recurring
from frontdesk.reading.sentences import MOST_READ, joined_lines, without_addresses
from frontdesk.reading.when_model import DAY_ENDS, ClockRange, PartsOfDay, When, WhenOption
from frontdesk.reading.when_options import TimesInText, options_of
from frontdesk.reading.wished_days import WishedDays, wished_days
from frontdesk.reading.words import folded
from frontdesk.values import replace

CONFIDENT, LIKELY, UNSURE = Confidence
#: A text with more words for times is not certain.
MOST_CERTAIN_WORDS: Final = 12
MOST_MINUTES_LATER: Final = 48 * 60


def read_when(text: str, now: datetime, parts: PartsOfDay, *, month_first: bool) -> When | None:
    """Returns the wished time, or None if the text names none. `now` is local wall time.

    Its options are empty if the text only says what does not suit.
    """
    passage = passages(text[:MOST_CHARACTERS])
    found = when_in(passage.body, now, parts, month_first=month_first)
    if found is None or (passage.sender is None and passage.sent is None):
        return found
    return replace(found, confidence=least(found.confidence, LIKELY))  # 'Friday' of another day


def when_in(
    body: str,
    now: datetime,
    parts: PartsOfDay,
    *,
    month_first: bool,
    known: tuple[Words, ...] = (),
) -> When | None:
    """Reads the text of a request without quotes and signature.

    `known` has other words that are understood, such as services: they leave the wish clear.
    """
    body = without_addresses(body[:MOST_READ])
    text = joined_lines(body)
    plain = folded(text)
    phrases = find_phrases(text, now.date(), parts, month_first=month_first)
    clocks = [
        _refused_clock(plain, each)
        for each in join_clocks(plain, phrases.clocks, phrases.parts)
        if not is_cancelled(plain, each.start, each.end)
    ]
    recurring = [
        _refused_weekday(plain, each)
        for each in phrases.recurring
        if not is_cancelled(plain, each.start, each.end)
    ]
    days = _days(plain, clocks, phrases, now.date())
    said = TimesInText(plain, _wished(days, now.date()), tuple(clocks), tuple(recurring))
    if not (said.days or clocks or recurring):
        return _hours_later(body, phrases, now) or _as_soon_as_possible(body, plain, now.date())
    found = options_of(said, now)
    mentions: list[WishedDays | ClockTime | Recurring] = [*said.days, *clocks, *recurring]
    words = in_order(Words(body[each.start : each.end], each.start) for each in mentions)
    return When(
        options=found.options,
        not_weekdays=found.not_weekdays,
        not_on=found.not_on,
        confidence=least(
            found.confidence,
            _times_confidence(said, is_complete=phrases.is_complete),
            _words_confidence(body, words, known),
        ),
        words=words,
    )


def _refused_clock(plain: str, clock: ClockTime) -> ClockTime:
    is_out = clock.bound != "not" and is_refused(plain, clock.start, clock.end)
    return refused(clock) if is_out else clock


def _refused_weekday(plain: str, each: Recurring) -> Recurring:
    return replace(each, is_refused=each.is_refused or is_refused(plain, each.start, each.end))


def _days(
    plain: str, times: list[ClockTime], phrases: Phrases, today: date
) -> tuple[WishedDays, ...]:
    """Reads the days of the text without the words for times, so that dates stand together."""
    kept: list[int] = []
    at = 0
    for time in sorted(times, key=lambda each: each.start):
        kept += range(at, time.start)
        at = max(at, time.end)
    kept += range(at, len(plain))
    places = {index: place for place, index in enumerate(kept)}
    moved = [
        replace(each, start=places[each.start], end=places[each.end - 1] + 1)
        for each in phrases.periods
        if each.start in places and each.end - 1 in places
    ]
    found = wished_days("".join(plain[index] for index in kept), moved, today)
    return tuple(
        replace(each, start=kept[each.start], end=kept[each.end - 1] + 1) for each in found
    )


def _wished(days: tuple[WishedDays, ...], today: date) -> tuple[WishedDays, ...]:
    """Drops past days and dates that may be of something else, if others are left."""
    kept = [each for each in days if not each.is_doubted] or list(days)
    ahead = [each for each in kept if (each.readings[0][1] or today) >= today]
    return tuple(ahead or kept)


def _times_confidence(said: TimesInText, *, is_complete: bool) -> Confidence:
    """Returns the highest confidence that these days and times can have together."""
    most = CONFIDENT if is_complete else LIKELY
    if not (said.days or said.recurring) and not any(each.is_today for each in said.clocks):
        most = LIKELY  # the day is open
    if len({each.group for each in said.days if not each.is_excluded}) > 1:
        most = LIKELY
    if any(each.is_of_one_week for each in said.recurring) and not (said.days or said.clocks):
        most = LIKELY
    if is_moved(said.plain) and len(said.days) > 1:
        most = UNSURE
    if any(each.part and each.part.is_vague for each in said.clocks):
        most = least(most, LIKELY)
    return least(most, *(clause_confidence(said.plain, each.start) for each in said.clocks))


def _words_confidence(body: str, words: tuple[Words, ...], known: tuple[Words, ...]) -> Confidence:
    """Returns the highest confidence that the sentences around the words allow."""
    plain = folded(body)
    mentions = ReadText(plain, list(known), (*words, *known, *_links(plain, words)))
    if len(words) > MOST_CERTAIN_WORDS or has_alternative(plain, words[-1]):
        return LIKELY
    return least(
        text_confidence(body, plain),
        *(CONFIDENT if is_plain_wish(mentions, each) else LIKELY for each in words),
    )


def _links(plain: str, words: tuple[Words, ...]) -> list[Words]:
    """Returns the words between two times of one list: 'or', 'and'."""
    return [
        Words(plain[one.end : other.start], one.end)
        for one, other in pairwise(words)
        if _LINKED.fullmatch(plain, one.end, other.start)
    ]


_LINKED: Final = re.compile(
    r"t|[\s,/]{0,4}(?:(?:or|and|to|until|till|oder|und|bis|ou|et|au|a|o|u|y|hasta)"
    r"\s{1,3}(?:on |am |le |el |the )?)?"
)


def _hours_later(body: str, phrases: Phrases, now: datetime) -> When | None:
    """Reads 'in 2 hours', 'in the next hour'; never certain, as mail is read later."""
    moment = next(iter(phrases.moments), None)
    if moment is None or moment.minutes > MOST_MINUTES_LATER:
        return None
    if now.date() > date.max - timedelta(days=3):
        return None
    then = now + timedelta(minutes=moment.minutes)
    at = then.hour * 60 + then.minute
    option = WhenOption(then.date(), then.date(), clocks=(ClockRange(at, at),))
    if moment.is_window:
        start = now.hour * 60 + now.minute
        end = at if then.date() == now.date() else DAY_ENDS
        option = WhenOption(now.date(), now.date(), clocks=(ClockRange(start, end),))
    words = Words(body[moment.start : moment.end], moment.start)
    return When((option,), frozenset(), (), LIKELY, (words,))


def _as_soon_as_possible(body: str, plain: str, today: date) -> When | None:
    found = _SOON.search(plain)
    if found is None:
        return None
    option = WhenOption(today) if found["soon"] else WhenOption()
    words = (Words(body[found.start() : found.end()], found.start()),)
    return When((option,), frozenset(), (), LIKELY, words)


_SOON: Final = re.compile(
    r"\b(?:(?P<soon>as soon as (?:possible|you can)|asap|at your earliest|(?:the )?(?:next|first"
    r"|earliest) (?:available|free|possible)(?: \w{1,12})?|so ?bald wie moglich|moglichst bald"
    r"|so schnell wie moglich|schnellstmoglich|baldmoglichst|nachst(?:moglich|frei)\w{0,3}"
    r"|(?:des|aussi vite|le plus tot) que possible|le plus (?:tot|rapidement) possible|au plus vite"
    r"|cuanto antes|tan pronto como sea posible|lo antes posible|lo mas pronto posible)"
    r"|any ?time|whenever(?: you (?:can|like))?|any day|jederzeit|egal wann|n'importe quand"
    r"|cuando sea|cualquier (?:dia|hora|momento))\b"
)
