"""Finds the day on which a request was written, from which 'tomorrow' counts."""

import re
from datetime import date
from typing import Final

from frontdesk.reading.model import Confidence, Context
from frontdesk.reading.passages import Passages, day_sent
from frontdesk.reading.periods import plus
from frontdesk.reading.windows import window
from frontdesk.reading.words import folded

#: Dates of older mails are not used.
MOST_DAYS_OLD: Final = 700


def written_on(parts: Passages, context: Context) -> date | None:
    """Returns the day from which 'tomorrow' counts; None if a forwarded mail leaves it unclear."""
    if parts.sent is None:
        return context.today if parts.sender is None else None
    if found := day_sent(parts.sent.text, context.zone):
        return found if found <= context.today else None
    sent, long_ago = parts.sent.text, plus(context.today, -MOST_DAYS_OLD)
    if not _YEAR.search(sent):
        return None
    said = window(
        sent, folded(sent), today=long_ago, written_on=long_ago, country=context.country
    ).earliest_on
    if said is None or said.confidence is Confidence.UNSURE or said.value > context.today:
        return None
    return said.value


_YEAR: Final = re.compile(r"\b20\d\d\b")
