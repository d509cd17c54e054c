"""Declares a setting: its default, its description, the expected value, and its parser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from frontdesk.values import Frozen


class Setting(Frozen):
    default: Any
    description: str
    expected: str
    parse: Callable[[str], Any] = str


#: In the order of the fields of `Settings`.
DECLARED: Final[list[Setting]] = []


def setting(
    default: Any, description: str, expected: str, parse: Callable[[str], Any] = str
) -> Any:
    """Declares a field of `Settings`, and returns its default. Its description goes into
    `SETTINGS`."""
    DECLARED.append(Setting(default, description, expected, parse))
    return default
