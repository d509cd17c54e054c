"""The scenarios that are shipped, and those in files: of an event, or of a waitlist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from frontdesk.errors import os_reason
from frontdesk.simulate.reading import event_scenario
from frontdesk.simulate.scenario import Scenario
from frontdesk.simulate.waitlist.reading import waitlist_scenario
from frontdesk.simulate.waitlist.scenario import Day, Month
from frontdesk.simulate.yaml_file import MOST_BYTES, BadScenario, load

AnyScenario = Scenario | Day | Month


def shipped() -> Iterator[AnyScenario]:
    for file in sorted(_folder().iterdir(), key=lambda file: file.name):
        if file.name.endswith(".yaml"):
            yield read(file.read_text(encoding="utf-8"), file.name.removesuffix(".yaml"))


def find_scenario(name: str) -> AnyScenario:
    """One of ours by its name, or a file."""
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


def read(text: str, name: str) -> AnyScenario:
    """Whatever has a shop is about its waitlist."""
    tree = load(text, name, "about, event (or shop) and timeline")
    return waitlist_scenario(tree, name) if "shop" in tree else event_scenario(tree, name)


def _folder() -> Any:
    return files("frontdesk.simulate") / "scenarios"
