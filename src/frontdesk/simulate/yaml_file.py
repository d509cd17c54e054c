"""Reads a YAML file part by part; errors name the line and the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from typing import Any, Final

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from frontdesk.core.localtime import BadZone
from frontdesk.core.reminder_times import BadRule

MOST_BYTES: Final = 200_000
MOST_STEPS: Final = 2_000


class BadScenario(ValueError):
    """The scenario is invalid; the text names the line and the reason, and can be shown."""

    def __init__(self, where: str, line: int | None, why: str) -> None:
        super().__init__(f"{where}{f', line {line}' if line else ''}: {why}")


def load(text: str, name: str, parts: str) -> CommentedMap:
    """Parses the file; `parts` names the expected parts in the error."""
    try:
        tree = YAML(typ="rt").load(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise BadScenario(name, line, str(error.problem)) from None
    except (YAMLError, ValueError) as error:
        raise BadScenario(name, None, f"this is no YAML: {error}") from None
    except RecursionError:
        raise BadScenario(name, None, "things are too deep in one another") from None
    if not isinstance(tree, CommentedMap):
        raise BadScenario(name, 1, f"a scenario has the parts {parts}")
    return tree


class Reader:
    """Reads one file; errors name the line of each value."""

    def __init__(self, name: str) -> None:
        self._name = name

    def _known(self, part: CommentedMap, keys: tuple[str, ...]) -> None:
        for key in part:
            if key not in keys:
                raise self._bad(part, key, f"{key} is not known here; there are {', '.join(keys)}")

    def _map(self, part: CommentedMap, key: str) -> CommentedMap:
        value = part.get(key)
        if not isinstance(value, CommentedMap):
            raise self._bad(part, key, f"{key} needs parts of its own")
        return value

    def _names(self, part: CommentedMap, key: str) -> list[str]:
        """Returns a list of names; empty if it is missing."""
        names = part.get(key, CommentedSeq())
        if not isinstance(names, CommentedSeq) or not all(isinstance(one, str) for one in names):
            raise self._bad(part, key, f"{key} is a list of names")
        return list(names)

    def _value(
        self, part: CommentedMap, key: str, read: Callable[[str], Any], default: Any = None
    ) -> Any:
        if key not in part:
            if default is None:
                raise BadScenario(self._name, part.lc.line + 1, f"{key} is missing")
            return default
        value = part[key]
        if isinstance(value, CommentedSeq):
            value = "\n".join(str(one) for one in value)
        try:
            return read(_text(value))
        except (ValueError, BadRule, BadZone) as error:
            raise self._bad(part, key, f"{key}: {error}") from None

    def _sentences(self, tree: CommentedMap, key: str) -> Iterator[tuple[int, str]]:
        """Yields the steps of a timeline, each with its line."""
        timeline = tree.get(key)
        if not isinstance(timeline, CommentedSeq) or not timeline:
            raise self._bad(tree, key, f"{key} is a list with at least one step")
        if len(timeline) > MOST_STEPS:
            raise self._bad(tree, key, f"a {key} has at most {MOST_STEPS} steps")
        for number, text in enumerate(timeline):
            line = timeline.lc.item(number)[0] + 1
            if not isinstance(text, str):
                raise BadScenario(
                    self._name, line, "this is no sentence; if it has a colon, quote it"
                )
            yield line, text.strip()

    def _line(self, part: CommentedMap, key: str) -> int:
        lines: Mapping[str, Any] = part.lc.data or {}
        line: int = (lines[key][0] if key in lines else part.lc.line) + 1
        return line

    def _bad(self, part: CommentedMap, key: str, why: str) -> BadScenario:
        return BadScenario(self._name, self._line(part, key), why)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    return value.isoformat() if isinstance(value, date) else str(value)
