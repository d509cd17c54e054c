"""Decides about entries: join, change, edit, leave and expire; and about the monthly summary."""

from __future__ import annotations

from datetime import datetime, timedelta

from frontdesk.core.decision import Accepted, Change, Decision, Refused
from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.people import CorrectPerson, Person, PersonId
from frontdesk.desks.waitlist import commands, facts, views, words
from frontdesk.desks.waitlist.changes import AddEntry, WriteEntry
from frontdesk.desks.waitlist.decide import bookings, timers
from frontdesk.desks.waitlist.decide.contacts import (
    contact_changes,
    is_new_contact,
    is_number_unconfirmed,
    new_number,
    person_of,
    stays_unconfirmed,
    with_sheet_consent,
)
from frontdesk.desks.waitlist.model import (
    Entry,
    EntryId,
    EntryStatus,
    Lane,
    Rules,
    Wish,
    figures,
)
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.values import replace

LARGEST_PARTY = 1_000
LONGEST_SERVICE = 80
#: The most entries that one expiry step reads.
STEP = 20
#: The form sends one link to an address in this time, because anybody can type an address.
LINK_EVERY = timedelta(hours=6)
#: A person who asks for their link gets it once in this time.
ASKED_EVERY = timedelta(minutes=10)


def join(view: views.JoinView, command: commands.JoinList, now: datetime) -> Decision:
    """Puts somebody on the list. A person has one entry per service, however often they join.

    The public form changes nothing for a known person: it sends them their own link.
    """
    if not command.email and not command.mobile:
        return Refused(Reason.NO_CONTACT)
    wish = _with_catalogue_names(command.wish, view.catalogue)
    if wish is None:
        return Refused(Reason.NO_SUCH_SERVICE)
    command = replace(command, wish=wish)
    if reason := _bad_wish(command.wish, view.rules, now):
        return Refused(reason)
    if command.lane is Lane.FORM and _is_too_many(wish, view.catalogue):
        return Refused(Reason.BAD_PARTY)
    stopped = next((one for one in view.entries if one.wants_no_offers), None)
    known = next((one for one in view.entries if one.service == command.wish.service), None)
    if stopped is not None:
        return _answer_repeated(stopped, command, now, otherwise=Refused(Reason.STOPPED))
    if known is None:
        return _add(view, command, now)
    if known.status is EntryStatus.WAITING:
        return _answer_repeated(
            known, command, now, otherwise=_join_again(view, known, command, now)
        )
    if view.holds is not None and now < view.holds.ends_at:
        return _answer_repeated(known, command, now, otherwise=Refused(Reason.HAS_A_SLOT))
    return _return(view, known, command, now)


def _answer_repeated(
    known: Entry, command: commands.JoinList, now: datetime, *, otherwise: Decision
) -> Decision:
    """Answers the form with a fact alone, so that a stranger cannot see whether somebody
    is known."""
    if command.lane is not Lane.FORM:
        return otherwise
    window = int(now.timestamp() // LINK_EVERY.total_seconds())
    return Accepted((), (facts.JoinRepeated(known.id, known.version, command.wish, window),))


def send_link(
    view: views.EntryView | None, command: commands.SendPlaceLink, now: datetime
) -> Decision:
    """Sends the link to the known contact if the entry is waiting or booked."""
    if view is None:
        return Refused(Reason.NO_SUCH_ENTRY)
    entry = view.entry
    if entry.status not in (EntryStatus.WAITING, EntryStatus.BOOKED):
        return Refused(Reason.NOT_WAITING)
    every = timedelta(seconds=1) if command.at_once else ASKED_EVERY
    window = int(now.timestamp() // every.total_seconds())
    return Accepted((), (facts.JoinRepeated(entry.id, entry.version, entry.wish, window),))


def _join_again(
    view: views.JoinView, known: Entry, command: commands.JoinList, now: datetime
) -> Decision:
    """Replaces the wish of a waiting entry. Staff also add a number or confirm the known one."""
    number = new_number(view, command, now)
    mail_only = is_number_unconfirmed(view, command, known)
    is_confirmed = known.mail_only and not mail_only
    known = replace(with_sheet_consent(known, command.consent), mail_only=mail_only)
    changed = _change(known, _new_wish(known, command), command.lane)
    if isinstance(changed, Accepted):
        return replace(changed, changes=(*number, *changed.changes))
    if not number and not is_confirmed:
        return changed
    entry = _with_wish(known, known.wish)
    fact = facts.EntryEdited(
        entry.id, entry.version, entry.wish, entry.joined_at, mail_only=mail_only
    )
    return Accepted((*number, WriteEntry(entry)), (fact,))


def _is_too_many(wish: Wish, catalogue: Catalogue) -> bool:
    """Whether the party is too large for the service. This limits only the form."""
    service = catalogue.service(wish.service)
    return service is not None and wish.party > service.most


def _new_wish(known: Entry, command: commands.JoinList) -> Wish:
    """The new wish. Staff can take priority away; a mail cannot."""
    if command.lane is Lane.INBOX:
        return replace(command.wish, priority=known.priority or command.wish.priority)
    return command.wish


def _with_catalogue_names(wish: Wish, catalogue: Catalogue, kept: str = "") -> Wish | None:
    """The wish with the catalogue's names; None if there is no such service.

    Without listed services any service is accepted; `kept` is always accepted.
    """
    known = catalogue.service(wish.service)
    if known is None and catalogue.services and wish.service != kept:
        return None
    service = known.name if known else wish.service
    if not 0 < len(service.strip()) <= LONGEST_SERVICE:
        return None
    return replace(wish, service=service, staff=catalogue.member(wish.staff) or wish.staff)


def _add(view: views.JoinView, command: commands.JoinList, now: datetime) -> Accepted:
    people, person_id = person_of(view, command, now)
    entry = _new(command.entry_id, person_id, command.wish, _joined_at(command.joined_at, now))
    entry = replace(entry, lane=command.lane, mail_only=is_number_unconfirmed(view, command))
    entry = with_sheet_consent(entry, command.consent)
    return Accepted((*people, AddEntry(entry)), (_joined(entry),))


def _new(entry_id: EntryId, person_id: PersonId, wish: Wish, joined_at: datetime) -> Entry:
    return Entry(
        entry_id,
        person_id,
        wish.service,
        wish.party,
        wish.earliest_on,
        wish.latest_on,
        wish.staff,
        wish.priority,
        joined_at=joined_at,
    )


def _return(
    view: views.JoinView, known: Entry, command: commands.JoinList, now: datetime
) -> Accepted:
    """Puts an entry back on the list: at the end, unless the command has a joined time."""
    entry = replace(
        _with_wish(known, command.wish),
        joined_at=_joined_at(command.joined_at, now),
        status=EntryStatus.WAITING,
        lane=command.lane,
        mail_only=is_number_unconfirmed(view, command, known),
    )
    number = new_number(view, command, now)
    entry = with_sheet_consent(entry, command.consent)
    return Accepted((*number, WriteEntry(entry)), (_joined(entry),))


def change_wish(
    view: views.EntryView | None, command: commands.ChangeWish, now: datetime
) -> Decision:
    if view is None:
        return Refused(Reason.NO_SUCH_ENTRY)
    if view.entry.status is not EntryStatus.WAITING:
        return Refused(Reason.NOT_WAITING)
    wish = replace(command.wish, service=view.entry.service, priority=view.entry.priority)
    if reason := _bad_wish(wish, view.rules, now):
        return Refused(reason)
    return _change(view.entry, wish, view.entry.lane)


def edit(view: views.EditView | None, command: commands.EditEntry, now: datetime) -> Decision:
    """Writes a row as staff edited it. An entry that is not waiting is corrected, but does not
    return to the list."""
    if view is None or view.person.erased:
        return Refused(Reason.NO_SUCH_ENTRY)
    if command.seen not in (None, _seen_row(view.entry, view.person)):
        return Refused(Reason.CHANGED_MEANWHILE)
    wish = _with_catalogue_names(command.wish, view.catalogue, kept=view.entry.service)
    if wish is None:
        return Refused(Reason.NO_SUCH_SERVICE)
    if view.booking and now < view.booking[0].ends_at and wish.service == view.entry.service:
        if reason := _bad_edit(view, wish, now):
            return Refused(reason)
        joined_at = _joined_at(command.joined_at, now)
        new = _new(command.new_id, command.person_id, wish, joined_at)
        return bookings.give(view, command, new, now)
    changes = contact_changes(view, command, now)
    if reason := _bad_contact(view, command, changes) or _bad_edit(view, wish, now):
        return Refused(reason)
    joined_at = _joined_at(command.joined_at, now)
    if wish.service != view.entry.service:
        return _move(view, command, wish, joined_at, changes)
    now_stated = with_sheet_consent(view.entry, command.consent)
    is_same = (view.entry.wish, view.entry.joined_at) == (wish, joined_at)
    if not changes and is_same and now_stated == view.entry:
        return Refused(Reason.UNCHANGED)
    mail_only = stays_unconfirmed(view, command)
    entry = replace(_with_wish(now_stated, wish), joined_at=joined_at, mail_only=mail_only)
    fact = facts.EntryEdited(
        entry.id,
        entry.version,
        wish,
        joined_at,
        new_contact=is_new_contact(view.person, command),
        new_number=command.mobile != view.person.mobile,
        corrected=view.person.id if _corrects(changes) else PersonId(""),
        mail_only=mail_only,
    )
    return Accepted((*changes, WriteEntry(entry)), (fact,))


def _corrects(changes: tuple[Change, ...]) -> bool:
    return any(isinstance(each, CorrectPerson) for each in changes)


def _seen_row(entry: Entry, person: Person) -> commands.SeenRow:
    return commands.SeenRow(entry.version, person.name, person.email, person.mobile)


def _bad_contact(
    view: views.EditView, command: commands.EditEntry, changes: tuple[Change, ...]
) -> Reason | None:
    """The reason to refuse a contact. Nobody can edit the contact of a team member here, because it
    is used to sign in."""
    if not command.email and not command.mobile:
        return Reason.NO_CONTACT
    if view.namesake is not None and view.namesake.id != view.person.id:
        return Reason.ADDRESS_TAKEN
    return Reason.OF_THE_TEAM if _corrects(changes) and view.signs_in else None


def _bad_edit(view: views.EditView, wish: Wish, now: datetime) -> Reason | None:
    reason = _bad_wish(wish, view.rules, now)
    waits = view.entry.status is EntryStatus.WAITING
    return reason if waits or reason is not Reason.DATES_PASSED else None


def _move(
    view: views.EditView,
    command: commands.EditEntry,
    wish: Wish,
    joined_at: datetime,
    changes: tuple[Change, ...],
) -> Decision:
    """Moves an entry to another service: ends it and gives its place to the other entry."""
    if view.entry.status is not EntryStatus.WAITING:
        return Refused(Reason.NOT_WAITING)
    known = next((one for one in view.entries if one.service == wish.service), None)
    if known is not None and known.status is EntryStatus.WAITING:
        return Refused(Reason.ON_THE_LIST)
    if known is not None and known.wants_no_offers:
        return Refused(Reason.STOPPED)
    gone = _with_status(view.entry, EntryStatus.LEFT)
    fresh = _new(command.new_id, view.person.id, wish, joined_at)
    entry = with_sheet_consent(_with_wish(known, wish) if known else fresh, command.consent)
    entry = replace(
        entry,
        joined_at=joined_at,
        status=EntryStatus.WAITING,
        lane=Lane.STAFF,
        mail_only=stays_unconfirmed(view, command),
    )
    write = WriteEntry(entry) if known else AddEntry(entry)
    return Accepted(
        (*changes, WriteEntry(gone), write),
        (facts.EntryLeft(gone.id, gone.version, quietly=True), _joined(entry)),
    )


def leave(view: views.EntryView | None, command: commands.LeaveList, _now: datetime) -> Decision:
    if view is None:
        return Refused(Reason.NO_SUCH_ENTRY)
    if view.entry.status is not EntryStatus.WAITING:
        return Refused(Reason.NOT_WAITING)
    gone = _with_status(view.entry, EntryStatus.LEFT)
    fact = facts.EntryLeft(gone.id, gone.version, command.quietly)
    return Accepted((WriteEntry(gone),), (fact,))


def expire_entries(view: views.ExpiryView, _: commands.ExpireEntries, now: datetime) -> Decision:
    today = to_wall(now, zone(view.rules.zone)).date()
    expired = [
        _with_status(one, EntryStatus.EXPIRED) for one in view.soonest if one.latest_on < today
    ]
    kept = facts.ExpiryRun(today, expired=len(expired), more=len(expired) == STEP)
    return Accepted(
        tuple(WriteEntry(one) for one in expired),
        (*(facts.EntryExpired(one.id, one.version) for one in expired), kept),
        (timers.next_expiry(view.rules, now),),
    )


def report_texts(_view: None, command: commands.ReportTexts, _now: datetime) -> Decision:
    return Accepted((), (facts.TextsUsedUp(command.on, command.sent, command.most),))


def sum_up(view: views.MonthView, command: commands.SumUpMonth, _now: datetime) -> Decision:
    """Sums up one month and sets the timer for the next. After missed months, sums up
    each in turn."""
    counted = figures(view.slots)
    is_usable = words.is_true_summary(command.paragraph, view.month, counted, view.catalogue)
    fact = facts.MonthSummedUp(view.month, counted, command.paragraph if is_usable else "")
    return Accepted((), (fact,), (timers.next_summary(view.rules, command.due_at),))


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
    fact = facts.EntryChanged(entry.id, entry.version, wish, lane, entry.mail_only)
    return Accepted((WriteEntry(entry),), (fact,))


def _with_wish(entry: Entry, wish: Wish) -> Entry:
    return replace(entry.wishing(wish), version=entry.version + 1)


def _with_status(entry: Entry, status: EntryStatus) -> Entry:
    return replace(entry, status=status, version=entry.version + 1)


def _joined(entry: Entry) -> facts.EntryJoined:
    return facts.EntryJoined(
        entry.id,
        entry.version,
        entry.person_id,
        entry.wish,
        entry.lane,
        entry.joined_at,
        entry.mail_only,
    )


def _joined_at(joined_at: datetime | None, now: datetime) -> datetime:
    """The joined time, in whole seconds and not in the future."""
    return min(joined_at or now, now).replace(microsecond=0)
