"""Chooses the newest time zones: countries change their clocks at short notice."""

from __future__ import annotations

import os
import zoneinfo
from collections.abc import Iterable
from pathlib import Path

import tzdata  # type: ignore[import-untyped]


def use_newest_time_zones() -> None:
    """Uses the zones of the package `tzdata` if those of this machine are older.

    The variable `PYTHONTZPATH` decides instead where it is set.
    """
    if "PYTHONTZPATH" not in os.environ and machine_version(zoneinfo.TZPATH) < tzdata.IANA_VERSION:
        zoneinfo.reset_tzpath(())


def machine_version(folders: Iterable[str]) -> str:
    """Returns the version of the machine's zones, such as '2026c'; empty if nothing tells it."""
    for folder in folders:
        try:
            with Path(folder, "tzdata.zi").open(encoding="ascii") as file:
                return file.readline().removeprefix("# version ").strip()
        except (OSError, UnicodeDecodeError):
            continue
    return ""
