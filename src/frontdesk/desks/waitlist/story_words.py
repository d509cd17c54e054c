"""One sentence for each kind of fact, for the stories of slots, days and entries."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.decision import Fact
from frontdesk.core.localtime import spoken_day, spoken_start, to_wall
from frontdesk.core.occasions import Tone
from frontdesk.core.words import count, ordinal
from frontdesk.desks.waitlist import document_facts
from frontdesk.desks.waitlist import facts as f
from frontdesk.desks.waitlist.model import DocumentName, Lane, Opening
from frontdesk.desks.waitlist.reasons import Lost, Withdrawn
from frontdesk.desks.waitlist.words import handed_back

_Told = tuple[str, Tone | None]


def to_the_second(at: datetime, tz: ZoneInfo) -> str:
    """'15:04:09'."""
    return f"{to_wall(at, tz):%H:%M:%S}"


def opening_name(opening: Opening, tz: ZoneInfo) -> str:
    """'Cut and colour with Mia, Friday 20 November, 15:00 (SGT)'."""
    what = f"{opening.service} with {opening.staff}" if opening.staff else opening.service
    return f"{what}, {spoken_start(opening.starts_at, tz)}"


# --- a slot -----------------------------------------------------------------------------------

#: Sentences by the prefix of the origin.
_ORIGINS: Final = {
    "webhook": "The booking tool says that it was cancelled.",
    "cal.com": "The booking tool says that it was cancelled.",
    "calendly": "The booking tool says that it was cancelled.",
    "no-show-webhook": "The booking tool says that the customer did not come.",
    "cli": "It was freed on the command line.",
    "booking": "A booking at this time was cancelled, moved or missed.",
    "appointment": "An appointment at this time was cancelled, moved or missed.",
    "phone": "It was cancelled by phone.",
    "missed": "Somebody did not come.",
    "no-show": "The customer who had booked it did not come.",
    "cancelled": "The customer who had booked it cannot come.",
    "opening": "It is a new opening.",
    "calendar": "The calendar has a new opening.",
    "again": "It is offered once more.",
    "given": "Whoever had booked it does not need it.",
}


def came_free(origin: str) -> str:
    """Says in one sentence why the slot came free; empty if the origin is unknown."""
    return _ORIGINS.get(origin.partition(":")[0], "")


def _freed(fact: f.SlotFreed, _who: str, tz: ZoneInfo) -> _Told:
    beside = " Staff said yes although it is at the time of another slot." if fact.beside else ""
    why = f"{came_free(fact.origin)}{beside}".strip()
    return f"Came free: {opening_name(fact.opening, tz)}. {why}".strip(), None


def _overlap_refused(fact: f.OverlapRefused, _who: str, tz: ZoneInfo) -> _Told:
    name = opening_name(fact.opening, tz)
    return f"{name} was freed as well, but is at the same time: it is not offered.", Tone.ENDING


def _nobody_fitted(_fact: f.NobodyFitted, _who: str, _tz: ZoneInfo) -> _Told:
    return "Nobody on the list suits it. It stays open for who joins in time.", Tone.WAITING


def _handed_back(fact: f.SlotHandedBack, _who: str, _tz: ZoneInfo) -> _Told:
    return f"It was handed back. {handed_back(fact.why, len(fact.tried))}", Tone.GONE


# --- offers -----------------------------------------------------------------------------------


def _made(_fact: f.OfferMade, who: str, _tz: ZoneInfo) -> _Told:
    return f"It is held for {who}, who is first.", Tone.WAITING


def _rolled_on(_fact: f.OfferRolledOn, who: str, _tz: ZoneInfo) -> _Told:
    return f"It rolls on to {who}, who is next.", Tone.WAITING


def _armed(fact: f.OfferArmed, who: str, tz: ZoneInfo) -> _Told:
    until = to_the_second(fact.claim_by, tz)
    return f"The offer to {who} goes out, open until {until}.", Tone.ENDING


def _sent_again(_fact: f.OfferSentAgain, who: str, _tz: ZoneInfo) -> _Told:
    return f"The contact of {who} was corrected; the offer is sent again.", None


def _disarmed(fact: f.OfferDisarmed, who: str, _tz: ZoneInfo) -> _Told:
    if not fact.refused:
        return f"The message to {who} could not go out yet; no window runs.", Tone.WAITING
    time = f"for the {ordinal(fact.refusals)} time"
    return f"The message to {who} was refused {time}; no window runs.", Tone.WAITING


def _declined(fact: f.OfferDeclined, who: str, _tz: ZoneInfo) -> _Told:
    if fact.by_staff:
        return f"The offer was declined for {who}.", Tone.GONE
    return f"{who} can't make it.", Tone.GONE


def _lapsed(_fact: f.OfferLapsed, who: str, _tz: ZoneInfo) -> _Told:
    return f"{who} did not answer in time.", Tone.GONE


def _passed_over(fact: f.PeoplePassedOver, _who: str, _tz: ZoneInfo) -> _Told:
    were = count(len(fact.entries), "person was", "people were")
    return f"{were} passed over, without an e-mail address: {fact.why}.", Tone.GONE


def _unreachable(fact: f.OfferUnreachable, who: str, _tz: ZoneInfo) -> _Told:
    why = f": {fact.why}" if fact.why else ""
    return f"{who} could not be reached{why}.", Tone.GONE


_WITHDRAWN: Final = {
    Withdrawn.BOOKED_ELSEWHERE: "{who} has claimed another slot; this offer was taken back.",
    Withdrawn.OFF_THE_LIST: "{who} is off the list; the offer was taken back.",
    Withdrawn.CHANGED_WISH: "{who} wishes for something else; the offer was taken back.",
    Withdrawn.HANDED_BACK: "The offer to {who} ended.",
    Withdrawn.STAFF: "The offer to {who} was withdrawn; the slot goes to the next.",
}


def _withdrawn(fact: f.OfferWithdrawn, who: str, _tz: ZoneInfo) -> _Told:
    return _WITHDRAWN[fact.why].format(who=who), Tone.GONE


def _given(_fact: f.SlotGiven, who: str, _tz: ZoneInfo) -> _Told:
    return f"Staff gave it to {who}: booked.", Tone.GOOD


def _claimed(fact: f.SlotClaimed, who: str, _tz: ZoneInfo) -> _Told:
    if fact.by_staff:
        return f"The offer was accepted for {who}: booked.", Tone.GOOD
    return f"{who} claimed it: booked.", Tone.GOOD


def _booking_cancelled(fact: f.BookingCancelled, who: str, _tz: ZoneInfo) -> _Told:
    if fact.given:
        return f"Staff gave the booking of {who} to somebody else.", Tone.GONE
    if fact.quietly:
        return f"The visit of {who} was cancelled, moved or missed outside the waitlist.", Tone.GONE
    told = f"The booking of {who} was cancelled for them." if fact.by_staff else f"{who} cancelled."
    return f"{told} {_what_next(fact)}", Tone.GONE


def _booking_missed(fact: f.BookingMissed, who: str, _tz: ZoneInfo) -> _Told:
    return f"{who} did not come. {_what_next(fact)}", Tone.GONE


def _what_next(fact: f.BookingEnded) -> str:
    return "The time is offered again." if fact.next_slot else "The time is not offered again."


_LOST: Final = {
    Lost.FILLED: "{who} wanted to claim it, but it was filled.",
    Lost.HANDED_BACK: "{who} wanted to claim it, but it had been handed back.",
    Lost.TOO_LATE: "{who} wanted to claim it after the time was over.",
    Lost.OFFER_GONE: "{who} wanted to claim it, but the offer had passed on.",
    Lost.NOT_WAITING: "{who} wanted to claim it, but was not on the list any more.",
}


def _lost(fact: f.ClaimLost, who: str, _tz: ZoneInfo) -> _Told:
    return _LOST[fact.why].format(who=who), Tone.GONE


# --- the list ---------------------------------------------------------------------------------

_LANES: Final = {
    Lane.FORM: "{who} joined the list for {service}, by the form.",
    Lane.INBOX: "{who} joined the list for {service}, by a request that came in.",
    Lane.SHEET: "{who} joined the list for {service}, from the sheet.",
    Lane.STAFF: "{who} was put on the list for {service}.",
}


def _joined(fact: f.EntryJoined, who: str, _tz: ZoneInfo) -> _Told:
    return _LANES[fact.lane].format(who=who, service=fact.wish.service), Tone.WAITING


def _changed(_fact: f.EntryChanged, who: str, _tz: ZoneInfo) -> _Told:
    return f"{who} has another wish, in the same place.", None


def _join_repeated(_fact: f.JoinRepeated, who: str, _tz: ZoneInfo) -> _Told:
    return f"Somebody gave the contact of {who} in the form. Nothing was changed.", None


def _edited(_fact: f.EntryEdited, who: str, _tz: ZoneInfo) -> _Told:
    return f"What the list says about {who} was edited.", None


def _left(fact: f.EntryLeft, who: str, _tz: ZoneInfo) -> _Told:
    return (
        f"{who} was taken off the list." if fact.quietly else f"{who} left the list."
    ), Tone.GONE


def _stopped(_fact: f.EntryStopped, who: str, _tz: ZoneInfo) -> _Told:
    return f"{who} wants no more offers.", Tone.GONE


def _number_confirmed(_fact: f.NumberConfirmed, who: str, _tz: ZoneInfo) -> _Told:
    return f"{who} confirmed the number: offers may go by text.", Tone.GOOD


def _resumed(_fact: f.EntryResumed, who: str, _tz: ZoneInfo) -> _Told:
    return f"{who} wants offers again.", Tone.WAITING


def _expired(_fact: f.EntryExpired, who: str, _tz: ZoneInfo) -> _Told:
    return f"The last day on which {who} could come is over.", Tone.GONE


def _proposed(_fact: f.ProposalMade, _who: str, _tz: ZoneInfo) -> _Told:
    return "A request came in.", Tone.WAITING


def _approved(_fact: f.ProposalApproved, who: str, _tz: ZoneInfo) -> _Told:
    return f"The request of {who} was approved.", Tone.GOOD


def _ignored(_fact: f.RequestIgnored, _who: str, _tz: ZoneInfo) -> _Told:
    return "A mail came in that asks for nothing.", None


def _discarded(_fact: f.ProposalDiscarded, _who: str, _tz: ZoneInfo) -> _Told:
    return "A request was discarded.", Tone.GONE


# --- the desk ---------------------------------------------------------------------------------

_DOCUMENTS: Final = {DocumentName.RULES: "rules", DocumentName.VOICE: "messages"}


def _rules_changed(_fact: document_facts.RulesChanged, _who: str, _tz: ZoneInfo) -> _Told:
    return "Other rules hold from now on.", None


def _document_taken(fact: document_facts.DocumentTaken, _who: str, _tz: ZoneInfo) -> _Told:
    return f"The document with the {_DOCUMENTS[fact.name]} was written.", None


def _document_unclear(fact: document_facts.DocumentUnclear, _who: str, _tz: ZoneInfo) -> _Told:
    lines = count(fact.problems, "line")
    name = _DOCUMENTS[fact.name]
    return f"The document with the {name} has {lines} that cannot be understood.", Tone.ENDING


def _catalogue_changed(_fact: document_facts.CatalogueChanged, _who: str, _tz: ZoneInfo) -> _Told:
    return "The services were changed.", None


def _sheet_halted(fact: f.SheetHalted, _who: str, _tz: ZoneInfo) -> _Told:
    return f"{count(fact.rows, 'row')} went from the sheet at once; nothing is done.", Tone.ENDING


def _calendar_halted(fact: f.CalendarHalted, _who: str, _tz: ZoneInfo) -> _Told:
    gone = count(fact.openings, "opening")
    return f"{gone} went from the calendar at once; nothing is done.", Tone.ENDING


def _calendar_settled(fact: f.CalendarSettled, _who: str, _tz: ZoneInfo) -> _Told:
    gone = count(fact.openings, "opening")
    what = "stay slots" if fact.kept else "are gone on purpose"
    return f"{gone} that went from the calendar {what}.", None


def _sheet_troubled(fact: f.SheetTroubled, _who: str, tz: ZoneInfo) -> _Told:
    wall = to_wall(fact.since, tz)
    since = f"{spoken_day(wall.date())}, {wall:%H:%M}"
    return f"The sheet cannot be read or written since {since}.", Tone.ENDING


def _texts_used_up(fact: f.TextsUsedUp, _who: str, _tz: ZoneInfo) -> _Told:
    return f"{fact.sent} of the day's {fact.most} texts were used up.", Tone.ENDING


def _summed_up(_fact: f.MonthSummedUp, _who: str, _tz: ZoneInfo) -> _Told:
    return "The month was summed up.", None


def _expired_entries(fact: f.ExpiryRun, _who: str, _tz: ZoneInfo) -> _Told:
    return f"The list was tidied: {count(fact.expired, 'entry', 'entries')} expired.", None


#: Every kind of fact has an entry.
WORDS: Final[dict[type[Fact], Callable[..., _Told]]] = {
    f.SlotFreed: _freed,
    f.NobodyFitted: _nobody_fitted,
    f.OverlapRefused: _overlap_refused,
    f.PeoplePassedOver: _passed_over,
    f.SlotHandedBack: _handed_back,
    f.OfferMade: _made,
    f.OfferRolledOn: _rolled_on,
    f.OfferArmed: _armed,
    f.OfferDisarmed: _disarmed,
    f.OfferSentAgain: _sent_again,
    f.OfferDeclined: _declined,
    f.OfferLapsed: _lapsed,
    f.OfferUnreachable: _unreachable,
    f.OfferWithdrawn: _withdrawn,
    f.SlotClaimed: _claimed,
    f.SlotGiven: _given,
    f.BookingCancelled: _booking_cancelled,
    f.BookingMissed: _booking_missed,
    f.ClaimLost: _lost,
    f.EntryJoined: _joined,
    f.EntryChanged: _changed,
    f.JoinRepeated: _join_repeated,
    f.EntryEdited: _edited,
    f.EntryLeft: _left,
    f.EntryStopped: _stopped,
    f.NumberConfirmed: _number_confirmed,
    f.EntryResumed: _resumed,
    f.EntryExpired: _expired,
    f.ProposalMade: _proposed,
    f.ProposalApproved: _approved,
    f.ProposalDiscarded: _discarded,
    f.RequestIgnored: _ignored,
    document_facts.RulesChanged: _rules_changed,
    document_facts.DocumentTaken: _document_taken,
    document_facts.DocumentUnclear: _document_unclear,
    document_facts.CatalogueChanged: _catalogue_changed,
    f.SheetHalted: _sheet_halted,
    f.CalendarHalted: _calendar_halted,
    f.CalendarSettled: _calendar_settled,
    f.SheetTroubled: _sheet_troubled,
    f.TextsUsedUp: _texts_used_up,
    f.MonthSummedUp: _summed_up,
    f.ExpiryRun: _expired_entries,
}
