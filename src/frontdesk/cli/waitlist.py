"""Commands about the waitlist: slots, free."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from datetime import datetime, time, timedelta
from typing import Any, Final

from frontdesk.cli.aws import opened, with_aws
from frontdesk.cli.command import (
    OK,
    CannotRun,
    CliCommand,
    a_number,
    settings_for,
    tell_story,
    with_json,
)
from frontdesk.cli.data_access import writing_data
from frontdesk.cli.days import chosen_day, with_day
from frontdesk.cli.terminal import Terminal
from frontdesk.core.contacts import BadContact, contact_key
from frontdesk.core.localtime import same_wall_time, spoken_day, zone
from frontdesk.core.phones import read_phone
from frontdesk.desks.waitlist import words
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import EntryId, Slot, SlotId, SlotStatus
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.story import slot_story
from frontdesk.desks.waitlist.why import explain
from frontdesk.engine.ports import Reads
from frontdesk.settings import Settings

_DAY = timedelta(days=1)
_WALL_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?", re.ASCII)


def slots(args: Namespace, on: Terminal) -> int:
    with opened(args) as view:
        if args.slot is not None:
            return _story(view.reads, args, on)
        wl = waitlist(view.reads)
        tz = zone(wl.rules().zone)
        day = chosen_day(args, tz)
        since, until = (same_wall_time(each, time(), tz) for each in (day, day + _DAY))
        found = [_slot(view.reads, slot) for slot in wl.slots_between(since, until)]
    if args.json:
        on.data(found)
    else:
        on.say_all(
            (f"{one['slot']}  {one['when']}  {one['service']}: {one['state']}" for one in found)
            if found
            else [f"No slot came free for {spoken_day(day)}."]
        )
    return OK


def _slot(reads: Reads, slot: Slot) -> dict[str, Any]:
    return {
        "slot": slot.id,
        "when": words.slot_when(slot),
        "service": " ".join(filter(None, (slot.opening.service, words.with_staff(slot.opening)))),
        "state": _state(reads, slot),
    }


def _state(reads: Reads, slot: Slot) -> str:
    wl = waitlist(reads)
    if slot.status is SlotStatus.BOOKED:
        return f"booked by {_name(reads, EntryId(slot.booked_by))}"
    if slot.status is SlotStatus.CANCELLED:
        return f"cancelled; was booked by {_name(reads, EntryId(slot.booked_by))}"
    if slot.status is SlotStatus.NO_SHOW:
        return f"{_name(reads, EntryId(slot.booked_by))} did not come"
    if slot.status is SlotStatus.HANDED_BACK:
        return "handed back"
    offer = wl.offer(slot.id, slot.offer_seq) if slot.offer_seq else None
    if offer is None:
        return "open, nobody fits" if slot.nobody_fits else "open"
    held = "offered" if slot.live else "to be offered"
    return f"{held} to {_name(reads, offer.entry_id)}"


def _name(reads: Reads, entry_id: EntryId) -> str:
    entry = waitlist(reads).entry(entry_id)
    person = reads.engine.person(entry.person_id) if entry else None
    return person.name if person and person.name else "somebody"


def _story(reads: Reads, args: Namespace, on: Terminal) -> int:
    wl = waitlist(reads)
    slot = find_slot(wl, args.slot)
    tz = zone(slot.rules.zone)
    return tell_story(args, on, slot_story(reads, slot.id, tz), tz)


def _slots(parser: ArgumentParser) -> None:
    parser.add_argument("slot", nargs="?", metavar="SLOT", help="tell the story of this one")
    with_day(parser)
    with_json(parser)
    with_aws(parser)


def free(args: Namespace, on: Terminal) -> int:
    with writing_data(settings_for(args)) as access:
        done = access.order(
            "free",
            service=args.service,
            at=args.at.isoformat(),
            minutes=args.minutes,
            staff=args.staff,
            places=args.places,
            anyway=args.anyway,
        )
        access.settle()
    if args.json:
        on.data(done)
    else:
        on.say(f"{done['what']}, {done['when']}, is free (slot {done['slot']}). {done['means']}")
    return OK


def _free(parser: ArgumentParser) -> None:
    parser.add_argument("service", metavar="SERVICE")
    parser.add_argument(
        "at", type=wall_time, metavar="TIME", help="on the wall clock: 2026-11-20T15:00"
    )
    parser.add_argument(
        "--minutes",
        type=a_number(1, 1440),
        metavar="MINUTES",
        help="how long; else as long as the service",
    )
    parser.add_argument("--staff", default="", metavar="NAME", help="with whom")
    parser.add_argument(
        "--places",
        type=a_number(1, 1000),
        metavar="PLACES",
        default=1,
        help="for a party of how many",
    )
    parser.add_argument(
        "--anyway", action="store_true", help="although another slot is at the same time"
    )
    with_json(parser)


def wall_time(text: str) -> datetime:
    """Parses a day with a time; a day alone would mean midnight."""
    if not _WALL_TIME.fullmatch(text):
        raise ArgumentTypeError(
            f"{text!r} is not a day and a time on the wall clock, like 2026-11-20T15:00"
        )
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"there is no {text}") from None


# --- why --------------------------------------------------------------------------------------


def why(reads: Reads, args: Namespace, settings: Settings) -> list[str] | None:
    """Explains why somebody was offered a slot or not; None if the question is about no slot.

    `args.entry` is the id of an entry, an address or a number.
    """
    wl = waitlist(reads)
    found = wl.slot(SlotId(args.what)) if args.entry else None
    if found is None:
        return None
    explanation = explain(wl, found.id, _entry(wl, found, args.entry, settings.country))
    assert explanation is not None, "both are there"
    return [explanation.sentence]


def find_slot(wl: WaitlistReads, slot_id: str) -> Slot:
    slot = wl.slot(SlotId(slot_id))
    if slot is None:
        raise CannotRun(f"There is no slot {slot_id}. `frontdesk slots` lists them.")
    return slot


def _entry(wl: WaitlistReads, slot: Slot, who: str, country: str) -> EntryId:
    if wl.entry(EntryId(who)) is not None:
        return EntryId(who)
    try:
        key = contact_key(who, "") if "@" in who else read_phone(who, country)
    except BadContact as error:
        raise CannotRun(f"{who} is not an entry, address or number: {error}") from error
    person = wl.person_by_email(key)
    entries = wl.entries_of(person.id) if person else ()
    if not entries:
        raise CannotRun(f"Nobody with {who} is on the list.")
    return next((one.id for one in entries if one.service == slot.opening.service), entries[0].id)


COMMANDS = (
    CliCommand("slots", "List the slots of a day, or tell the story of one.", slots, _slots),
    CliCommand("free", "Free a slot: it is offered to the next who suits it.", free, _free),
)
