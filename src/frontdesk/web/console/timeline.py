"""Timelines: lines of a story for the macro `timeline` in `pieces/people.html`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from frontdesk.engine.stories import StoryLine
from frontdesk.values import Frozen
from frontdesk.web.console.lists import PageLink


class TimelineStep(Frozen, kw_only=True):
    """One step. `state` is one of the states of chips. Print hides the link to the person."""

    iso: str
    at: str
    title: str
    state: str = "neutral"
    detail: str = ""
    links: Sequence[PageLink] = ()
    person: PageLink | None = None


def steps(
    lines: Iterable[StoryLine],
    when: Callable[[datetime], str],
    *,
    links: Callable[[StoryLine], Sequence[PageLink]] = lambda _line: (),
    with_people: bool = True,
) -> list[TimelineStep]:
    """`when` formats a time; `links` returns the links of a line."""
    return [
        TimelineStep(
            iso=line.at.isoformat(),
            at=when(line.at),
            title=line.text,
            state=line.sign.value if line.sign else "neutral",
            detail="" if line.by in ("", "Frontdesk") else f"By {line.by}.",
            links=links(line),
            person=PageLink(line.who, f"/console/people/{line.person_id}")
            if with_people and line.person_id
            else None,
        )
        for line in lines
    ]
