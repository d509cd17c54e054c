"""Reads `calendars.toml`: the calendars that the business has connected, for any desk."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from frontdesk.errors import BadSettings
from frontdesk.setting_values import toml_problem
from frontdesk.settings import Settings
from frontdesk.values import Frozen

FILE: Final = "calendars.toml"
FREE_BUSY: Final = "free/busy"
#: The values of `appointments`: events with `#appt` wait for approval, or need none.
PROPOSED: Final = "proposed"
TRUSTED: Final = "trusted"
#: The names in the settings for changes to the event of a cancelled appointment.
_WHEN_CANCELLED: Final = ("mark", "delete")
_EVENTS: Final = frozenset({"appointments", "cancelled"})
_KEYS: Final[Mapping[str, frozenset[str]]] = {
    "ics": frozenset({"url", "user", "password", "appointments"}),
    "caldav": _EVENTS | {"url", "user", "password"},
    "google": _EVENTS | {"calendar", "subject", "only"},
    "microsoft": _EVENTS | {"tenant", "client_id", "client_secret", "user", "calendar", "only"},
}
_NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    "ics": ("url",),
    "caldav": ("url",),
    "google": ("calendar",),
    "microsoft": ("tenant", "client_id", "client_secret", "user"),
}


class Connection(Frozen):
    """One calendar of the file: its kind and the values that the kind needs."""

    kind: str
    values: Mapping[str, str]

    def __repr__(self) -> str:
        return f"Connection(kind={self.kind!r})"  # without passwords

    @property
    def appointments(self) -> str:
        """Whether its events with `#appt` are appointments: 'proposed', 'trusted' or empty."""
        return self.values.get("appointments", "")

    @property
    def when_cancelled(self) -> str:
        """The change to the event of a cancelled appointment: 'mark' or 'delete'."""
        return self.values.get("cancelled", "mark")

    @property
    def is_free_busy_only(self) -> bool:
        """Whether we may see busy times, but no events; nothing is written then."""
        return self.values.get("only") == FREE_BUSY


def read_connections(text: str) -> Mapping[str, Connection]:
    """Reads the file. Raises `BadSettings` with every problem; none quotes a password."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadSettings(f"{FILE} cannot be read: {toml_problem(error)}.") from None
    problems = [problem for name, table in found.items() for problem in _problems(name, table)]
    if problems:
        raise BadSettings(f"{FILE}: {'; '.join(problems)}.")
    return {
        name: Connection(table["kind"], {key: each for key, each in table.items() if key != "kind"})
        for name, table in found.items()
    }


def _problems(name: str, table: Any) -> list[str]:
    if not isinstance(table, dict):
        return [f'"{name}" should be a table, like [{name}]']
    kind = str(table.get("kind"))
    if kind not in _KEYS:
        return [f"[{name}] should have a kind: {', '.join(_KEYS)}"]
    missing = [key for key in _NEEDED[kind] if not table.get(key)]
    unknown = sorted(table.keys() - _KEYS[kind] - {"kind"})
    return [
        *(f"[{name}] should have {key}" for key in missing),
        *(f"[{name}] has {key}, which {kind} does not know" for key in unknown),
        *(f"[{name}] {key} should be a text" for key in table if not isinstance(table[key], str)),
        *([f'[{name}] only should be "{FREE_BUSY}"'] if _is_odd(table.get("only")) else []),
        *(
            [f'[{name}] appointments should be "{PROPOSED}" or "{TRUSTED}"']
            if table.get("appointments") not in (None, PROPOSED, TRUSTED)
            else []
        ),
        *(
            [f'[{name}] cancelled should be "mark" or "delete"']
            if table.get("cancelled") not in (None, *_WHEN_CANCELLED)
            else []
        ),
        *(
            [f"[{name}] has no events for appointments, only busy times"]
            if table.get("appointments") and table.get("only")
            else []
        ),
    ]


def _is_odd(only: object) -> bool:
    return only not in (None, FREE_BUSY)


def connections_text(settings: Settings) -> str:
    """The setting `calendars`, or else the file in the data folder."""
    if settings.calendars:
        return settings.calendars
    try:
        return (Path(settings.data_dir) / FILE).read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, UnicodeDecodeError):
        raise BadSettings(f"{FILE} cannot be read.") from None
