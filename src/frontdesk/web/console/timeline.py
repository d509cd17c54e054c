"""Timelines: lines of a story for the macro `timeline` in `pieces/people.html`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from frontdesk.engine.stories import StoryLine
from frontdesk.values import Frozen
from frontdesk.web.console.lists import Link


class Step(Frozen, kw_only=True):
    """One step. `state` is as for chips; print hides the link to the person."""

    iso: str
    at: str
    title: str
    state: str = "neutral"
    detail: str = ""
    links: Sequence[Link] = ()
    person: Link | None = None


def steps(
    lines: Iterable[StoryLine],
    when: Callable[[datetime], str],
    *,
    links: Callable[[StoryLine], Sequence[Link]] = lambda _line: (),
    with_people: bool = True,
) -> list[Step]:
    """`when` formats a time; `links` returns the links of a line."""
    return [
        Step(
            iso=line.at.isoformat(),
            at=when(line.at),
            title=line.text,
            state=line.sign.value if line.sign else "neutral",
            detail="" if line.by in ("", "Frontdesk") else f"By {line.by}.",
            links=links(line),
            person=Link(line.who, f"/console/people/{line.person_id}")
            if with_people and line.person_id
            else None,
        )
        for line in lines
    ]
