"""A story becomes the steps of a timeline."""

from datetime import UTC, datetime

from frontdesk.core.occasions import Tone
from frontdesk.engine.stories import StoryLine
from frontdesk.web.console.lists import PageLink
from frontdesk.web.console.timeline import TimelineStep, steps
from tests.web.test_pieces import piece

AT = datetime(2026, 11, 16, 9, tzinfo=UTC)
ISO = "2026-11-16T09:00:00+00:00"
BOOKED = StoryLine(AT, "Mia", "Ann booked it.", Tone.GOOD, "s1", "Ann", "p1")


def test_a_line_becomes_a_step_with_its_actor_its_links_and_its_person() -> None:
    assert steps(
        (BOOKED, StoryLine(AT, "Frontdesk", "The day began.")),
        lambda at: f"{at:%H:%M}",
        links=lambda line: [PageLink("Cut", f"/slots/{line.thing_id}")] if line.thing_id else [],
    ) == [
        TimelineStep(
            iso=ISO,
            at="09:00",
            title="Ann booked it.",
            state="good",
            detail="By Mia.",
            links=[PageLink("Cut", "/slots/s1")],
            person=PageLink("Ann", "/console/people/p1"),
        ),
        TimelineStep(iso=ISO, at="09:00", title="The day began.", links=[]),
    ]


def test_on_the_page_of_a_person_no_step_leads_to_them() -> None:
    [step] = steps((BOOKED,), str, with_people=False)

    assert step.person is None


def test_a_timeline_shows_times_and_links() -> None:
    html = piece(
        '{% from "pieces/people.html" import timeline %}{{ timeline(steps) }}',
        steps=steps(
            (BOOKED,), lambda at: f"{at:%H:%M}", links=lambda _line: [PageLink("Cut", "/s")]
        ),
    )

    assert '<span class="story-sign story-good">' in html
    assert (
        f'<time class="story-at number" datetime="{ISO}">09:00</time><a href="/s">Cut</a>' in html
    )
    assert '<a class="no-print" href="/console/people/p1">Ann</a>' in html
