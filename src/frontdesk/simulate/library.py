"""Finds scenarios: those that are shipped, and those in files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from frontdesk.errors import os_reason
from frontdesk.simulate.played import Scenario
from frontdesk.simulate.yaml_file import MOST_BYTES, BadScenario, load
from frontdesk.wiring.desks import desk_modules


def shipped() -> Iterator[Scenario]:
    for file in sorted(_folder().iterdir(), key=lambda file: file.name):
        if file.name.endswith(".yaml"):
            yield read(file.read_text(encoding="utf-8"), file.name.removesuffix(".yaml"))


def find_scenario(name: str) -> Scenario:
    """Finds a shipped scenario by its name, or reads a file."""
    if re.fullmatch(r"[a-z0-9-]+", name) and (_folder() / f"{name}.yaml").is_file():
        return read((_folder() / f"{name}.yaml").read_text(encoding="utf-8"), name)
    path = Path(name)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadScenario(name, None, "this file is too large for a scenario")
        return read(path.read_text(encoding="utf-8"), path.stem)
    except FileNotFoundError:
        known = ", ".join(each.name for each in shipped())
        raise BadScenario(name, None, f"there is no such scenario; there are {known}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadScenario(name, None, f"it cannot be read: {_reason(error)}") from error


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return os_reason(error) if isinstance(error, OSError) else "it is not text"


def read(text: str, name: str) -> Scenario:
    """Reads the scenario with the desk whose subject it names, or with the first desk."""
    tree = load(text, name, "about, event (or shop) and timeline")
    first, *others = desk_modules("frontdesk.simulate")
    desk = next((each for each in others if each.DESCRIBES in tree), first)
    found: Scenario = desk.read(tree, name)
    return found


def _folder() -> Any:
    return files("frontdesk.simulate") / "scenarios"
