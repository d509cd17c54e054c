"""The command `story`: tells what happened at an event, and why its seats wait."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from msgspec.structs import asdict

from frontdesk.cli.aws import opened, with_aws
from frontdesk.cli.command import (
    OK,
    CannotRun,
    CliCommand,
    a_number,
    with_json,
)
from frontdesk.cli.rsvp.lists import find_event
from frontdesk.cli.terminal import Terminal
from frontdesk.core.contacts import BadContact, email_key
from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.people import PersonId
from frontdesk.desks.rsvp.console.stories import WaitingLine, why_not_offered, why_pending
from frontdesk.desks.rsvp.load import rsvp
from frontdesk.desks.rsvp.model import Event, Guest, OfferState
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.desks.rsvp.story import (
    GuestNames,
    event_story,
    guest_story,
    release_story,
)
from frontdesk.engine.clock import SystemClock
from frontdesk.engine.ports import Reads
from frontdesk.engine.stories import StoryLine
from frontdesk.settings import Settings


def story(args: Namespace, on: Terminal) -> int:
    with opened(args) as view:
        event = find_event(view.reads, args.event)
        ev: RsvpReads = view.reads.desk("ev")
        if args.guest is not None:
            lines = guest_story(ev, event, _guest(ev, event, args.guest).id)
        elif args.seat is not None:
            lines = release_story(ev, event, args.seat)
        else:
            lines = event_story(ev, event)
    if args.json:
        on.data([{"at": each.at, "by": each.by, "text": each.text} for each in lines])
    elif not lines:
        raise CannotRun(f"Nothing of that kind has happened at {args.event}.")
    else:
        on.say_all(_line(each, event) for each in lines)
    return OK


def _line(line: StoryLine, event: Event) -> str:
    wall = to_wall(line.at, zone(event.details.zone))
    return f"{wall:%a} {wall.day:2} {wall:%b %H:%M}  {line.text}"


def _guest(ev: RsvpReads, event: Event, email: str) -> Guest:
    try:
        person = ev.person_by_email(email_key(email))
    except BadContact as error:
        raise CannotRun(str(error)) from error
    guest = ev.guest_of(event.id, person.id) if person else None
    if guest is None:
        raise CannotRun(f"Nobody with this address is on the list of {event.slug}.")
    return guest


def _story(parser: ArgumentParser) -> None:
    parser.add_argument("event", metavar="EVENT")
    whose = parser.add_mutually_exclusive_group()
    whose.add_argument("--guest", metavar="EMAIL", help="of one guest")
    whose.add_argument(
        "--seat",
        type=a_number(1, 1_000_000),
        metavar="ROUND",
        help="of the seats freed in this round (1, 2, …)",
    )
    with_json(parser)
    with_aws(parser)


def why(reads: Reads, args: Namespace, _settings: Settings) -> list[str] | None:
    """Explains why seats or offers of an event wait; None if the question is about a slot."""
    if args.entry is not None:
        return None
    event = find_event(reads, args.what)
    return _reasons(reads.desk("ev"), event, SystemClock().now())


def _reasons(ev: RsvpReads, event: Event, now: datetime) -> list[str]:
    """Returns why seats are free while people wait, and why offers have not gone out."""
    first = next(iter(ev.next_in_line(event.id, event.seats.round, 1)), None)
    fits = ev.next_that_fits(event.id, event.seats.round, event.seats.free)
    nobody, names = why_not_offered(event, WaitingLine(first, fits), now), GuestNames(ev)
    pending = [
        f"The offer to {names.guest(offer.guest_id)}: {why_pending(event, now)}"
        for offer in ev.offers(event.id, open_only=True)
        if offer.state is OfferState.PENDING
    ]
    return [*([nobody] if nobody else []), *pending]


def person_export(reads: Reads, person_id: PersonId) -> dict[str, Any]:
    """Returns a person's places at events, each with its story."""
    ev = rsvp(reads)
    places = [
        {
            "event": event.slug,
            "name": event.details.name,
            **asdict(guest),
            "story": [
                {"at": line.at, "text": line.text} for line in guest_story(ev, event, guest.id)
            ],
        }
        for event in ev.events()
        if (guest := ev.guest_of(event.id, person_id)) is not None
    ]
    return {"places": places}


def person_lines(export: Mapping[str, Any]) -> Iterator[str]:
    for place in export["places"]:
        yield f"{place['event']}: {place['state']}, party of {place['party']}"
        yield from (f"  {line['at']:%Y-%m-%d %H:%M} UTC  {line['text']}" for line in place["story"])


COMMANDS = (
    CliCommand("story", "Tell what happened at an event, to a guest or to a seat.", story, _story),
)
