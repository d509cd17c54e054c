"""Getting on the list, changing one's mind, coming off it; and the house kept in order."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from frontdesk.core.contacts import email_key
from frontdesk.core.decision import Accepted, Change, Decision, Refused
from frontdesk.core.localtime import BadZone, to_wall, zone
from frontdesk.core.people import AddPerson
from frontdesk.desks.waitlist.changes import AddEntry, WriteEntry, WriteRules
from frontdesk.desks.waitlist.commands import (
    ChangeWish,
    JoinList,
    KeepHouse,
    LeaveList,
    SetRules,
    StopOffers,
)
from frontdesk.desks.waitlist.decide import timers
from frontdesk.desks.waitlist.facts import (
    EntryChanged,
    EntryExpired,
    EntryJoined,
    EntryLeft,
    EntryStopped,
    HouseKept,
    RulesChanged,
)
from frontdesk.desks.waitlist.model import Entry, EntryStatus, Lane, Rules, Wish
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.views import EntryView, HouseView, JoinView

LARGEST_PARTY = 1_000
SHORTEST_WINDOW = timedelta(minutes=1)
MOST_TRIES = 1_000
#: How many people one step of the housekeeping looks at.
STEP = 20


def join(view: JoinView, command: JoinList, now: datetime) -> Decision:
    """Twice for one service is one entry, which keeps its first joined time."""
    if reason := _bad_wish(command.wish, view.rules, now):
        return Refused(reason)
    if any(one.status is EntryStatus.STOPPED for one in view.entries):
        return Refused(Reason.STOPPED)
    known = next((one for one in view.entries if one.service == command.wish.service), None)
    if known is not None and known.status is EntryStatus.WAITING:
        return _change(known, command.wish, command.lane)
    if known is None:
        return _add(view, command, now)
    return _return(known, command, now)


def _add(view: JoinView, command: JoinList, now: datetime) -> Accepted:
    people: tuple[Change, ...] = ()
    person_id = command.person_id
    if view.person is not None:
        person_id = view.person.id
    else:
        key = email_key(command.email)
        people = (AddPerson(person_id, command.name, command.email, key),)
    wish = command.wish
    entry = Entry(
        command.entry_id,
        person_id,
        wish.service,
        wish.party,
        wish.earliest_on,
        wish.latest_on,
        wish.staff,
        wish.priority,
        joined_at=_joined_at(command, now),
        lane=command.lane,
    )
    return Accepted((*people, AddEntry(entry)), (_joined(entry),))


def _return(known: Entry, command: JoinList, now: datetime) -> Accepted:
    """On the list again, at its end."""
    entry = replace(
        _with_wish(known, command.wish),
        joined_at=_joined_at(command, now),
        status=EntryStatus.WAITING,
        lane=command.lane,
    )
    return Accepted((WriteEntry(entry),), (_joined(entry),))


def change_wish(view: EntryView | None, command: ChangeWish, now: datetime) -> Decision:
    if view is None:
        return Refused(Reason.NO_SUCH_ENTRY)
    if view.entry.status is not EntryStatus.WAITING:
        return Refused(Reason.NOT_WAITING)
    wish = replace(command.wish, service=view.entry.service, priority=view.entry.priority)
    if reason := _bad_wish(wish, view.rules, now):
        return Refused(reason)
    return _change(view.entry, wish, view.entry.lane)


def leave(view: EntryView | None, _: LeaveList, _now: datetime) -> Decision:
    if view is None:
        return Refused(Reason.NO_SUCH_ENTRY)
    if view.entry.status is not EntryStatus.WAITING:
        return Refused(Reason.NOT_WAITING)
    gone = _moved(view.entry, EntryStatus.LEFT)
    return Accepted((WriteEntry(gone),), (EntryLeft(gone.id, gone.version),))


def stop(view: JoinView, _: StopOffers, _now: datetime) -> Decision:
    """No offers for any service any more, whatever lane brings their name again."""
    stopped = [
        _moved(one, EntryStatus.STOPPED)
        for one in view.entries
        if one.status is not EntryStatus.STOPPED
    ]
    if not stopped:
        return Refused(Reason.UNCHANGED if view.entries else Reason.NO_SUCH_ENTRY)
    return Accepted(
        tuple(WriteEntry(one) for one in stopped),
        tuple(EntryStopped(one.id, one.version) for one in stopped),
    )


def set_rules(view: Rules, command: SetRules, now: datetime) -> Decision:
    """For the slots that come free from now on."""
    if view == command.rules:
        return Refused(Reason.UNCHANGED)
    if not _make_sense(command.rules):
        return Refused(Reason.BAD_RULES)
    return Accepted(
        (WriteRules(command.rules),),
        (RulesChanged(command.rules),),
        (timers.next_house_time(command.rules, now),),
    )


def _make_sense(rules: Rules) -> bool:
    try:
        zone(rules.zone)
    except BadZone:
        return False
    return (
        rules.claim_window >= SHORTEST_WINDOW
        and rules.cut_off >= timedelta()
        and 1 <= rules.tries <= MOST_TRIES
        and rules.send_tries >= 1
        and (rules.down_fitting is None or rules.down_fitting >= 0)
    )


def keep_house(view: HouseView, _: KeepHouse, now: datetime) -> Decision:
    today = to_wall(now, zone(view.rules.zone)).date()
    expired = [_moved(one, EntryStatus.EXPIRED) for one in view.soonest if one.latest_on < today]
    kept = HouseKept(today, expired=len(expired), more=len(expired) == STEP)
    return Accepted(
        tuple(WriteEntry(one) for one in expired),
        (*(EntryExpired(one.id, one.version) for one in expired), kept),
        (timers.next_house_time(view.rules, now),),
    )


def _bad_wish(wish: Wish, rules: Rules, now: datetime) -> Reason | None:
    if not 1 <= wish.party <= LARGEST_PARTY:
        return Reason.BAD_PARTY
    if wish.earliest_on > wish.latest_on:
        return Reason.BAD_DATES
    today = to_wall(now, zone(rules.zone)).date()
    return Reason.DATES_PASSED if wish.latest_on < today else None


def _change(known: Entry, wish: Wish, lane: Lane) -> Decision:
    if known.wish == wish:
        return Refused(Reason.UNCHANGED)
    entry = replace(_with_wish(known, wish), lane=lane)
    return Accepted((WriteEntry(entry),), (EntryChanged(entry.id, entry.version, wish, lane),))


def _with_wish(entry: Entry, wish: Wish) -> Entry:
    return replace(
        entry,
        party=wish.party,
        earliest_on=wish.earliest_on,
        latest_on=wish.latest_on,
        staff=wish.staff,
        priority=wish.priority,
        version=entry.version + 1,
    )


def _moved(entry: Entry, status: EntryStatus) -> Entry:
    return replace(entry, status=status, version=entry.version + 1)


def _joined(entry: Entry) -> EntryJoined:
    return EntryJoined(
        entry.id, entry.version, entry.person_id, entry.wish, entry.lane, entry.joined_at
    )


def _joined_at(command: JoinList, now: datetime) -> datetime:
    """Nobody joins in the future."""
    return min(command.joined_at or now, now).replace(microsecond=0)
