"""Days in arguments of commands: '2026-11-20', 'tuesday', '24 nov'."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from datetime import date
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.cli.command import CannotRun, settings_for
from frontdesk.core.localtime import is_month_first, parse_day, to_wall
from frontdesk.engine.clock import SystemClock

LIKE: Final = "a day like tuesday or 2026-11-20"
_ISO: Final = re.compile(r"\d{4}-\d{1,2}-\d{1,2}", re.ASCII)


def with_day(parser: ArgumentParser) -> None:
    parser.add_argument("--on", default="", metavar="DAY", help=f"{LIKE}; today without it")


def chosen_day(args: Namespace, tz: ZoneInfo) -> date:
    """The day of `--on`; today without it."""
    if not args.on:
        return to_wall(SystemClock().now(), tz).date()
    day = read_day(args.on, tz, settings_for(args).country)
    if day is None:
        raise CannotRun(f"{args.on!r} is not {LIKE}.")
    return day


def read_day(text: str, tz: ZoneInfo, country: str) -> date | None:
    """Returns None if the text is anything but one day.

    Imports lazily: the reader takes long to load.
    """
    if _ISO.fullmatch(text):
        try:
            return parse_day(text)
        except ValueError:
            raise CannotRun(f"{text!r} is not {LIKE}.") from None
    from frontdesk.reading.when import read_when
    from frontdesk.reading.when_model import PartsOfDay

    now = to_wall(SystemClock().now(), tz)
    when = read_when(text, now, PartsOfDay(), month_first=is_month_first(country))
    if when is None or len(when.options) != 1 or [one.text for one in when.words] != [text]:
        return None
    [option] = when.options
    return None if option.clocks or option.first_on != option.last_on else option.first_on
