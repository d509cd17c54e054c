"""Writes one sentence for each kind of fact."""

from collections.abc import Callable
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.decision import Fact
from frontdesk.core.localtime import spoken
from frontdesk.core.occasions import Tone
from frontdesk.core.words import count, ordinal
from frontdesk.desks.rsvp import facts as f
from frontdesk.desks.rsvp import offer_facts
from frontdesk.desks.rsvp.model import Lane, State

_Told = tuple[str, Tone | None]

# --- the event --------------------------------------------------------------------------------


def _created(fact: f.EventCreated, _who: str, _tz: ZoneInfo) -> _Told:
    return f"The event was set up with {count(fact.cap, 'seat')}.", None


def _edited(fact: f.EventEdited, _who: str, _tz: ZoneInfo) -> _Told:
    if fact.moved:
        return "The host changed the time, place or name.", Tone.WAITING
    return ("The host changed the reminders." if fact.retimed else "The host edited it."), None


def _called_off(fact: f.EventCalledOff, _who: str, _tz: ZoneInfo) -> _Told:
    said = f" “{fact.words}”" if fact.words else ""
    return f"The host called the event off.{said}", Tone.GONE


def _cap_changed(fact: f.CapChanged, _who: str, _tz: ZoneInfo) -> _Told:
    if fact.after > fact.before:
        return f"The host raised the seats from {fact.before} to {fact.after}.", Tone.GOOD
    return f"The host cut the seats from {fact.before} to {fact.after}.", Tone.GONE


def _freed(fact: f.SeatsFreed, who: str, _tz: ZoneInfo) -> _Told:
    taken = f"{fact.taken_before} taken before, {fact.taken_after} after"
    return f"{who} freed {count(fact.seats, 'seat')}: {taken}.", Tone.WAITING


def _passed_over(fact: f.PartyPassedOver, who: str, _tz: ZoneInfo) -> _Told:
    free = f"only {count(fact.free, 'seat')} free"
    return f"{who}, a party of {fact.party}, was passed over with {free}.", Tone.WAITING


def _headcount(_fact: f.HeadcountDue, _who: str, _tz: ZoneInfo) -> _Told:
    return "The headcount went to the hosts.", None


def _thanks_drafted(_fact: f.ThanksDrafted, _who: str, _tz: ZoneInfo) -> _Told:
    return "A thank-you note was drafted.", None


_JOBS: Final = {
    "import": "An import of {n} began.",
    "retime": "Telling {n} of the change began.",
    "call_off": "Telling {n} that it is called off began.",
    "thanks": "Thanking {n} began.",
}


def _job(fact: f.JobBegun, _who: str, _tz: ZoneInfo) -> _Told:
    return _JOBS.get(fact.job, "Work on {n} began.").format(n=count(fact.guests, "guest")), None


# --- guests -----------------------------------------------------------------------------------


def _invited(fact: f.GuestInvited, who: str, _tz: ZoneInfo) -> _Told:
    if fact.opt_in:
        return f"{who} signed up and was asked to confirm the address.", Tone.WAITING
    return f"{who} was invited.", Tone.WAITING


def _written_down(_fact: f.SignUpWrittenDown, who: str, _tz: ZoneInfo) -> _Told:
    return f"{who} asked while very many did; it was written down to be answered in turn.", None


def _confirmed(fact: f.GuestConfirmed, who: str, tz: ZoneInfo) -> _Told:
    said, tone = _got_a_seat(fact, who, tz)
    return said + _left_out(fact.left_out), tone


def _left_out(rules: tuple[str, ...]) -> str:
    """Mentions reminders that are skipped because a message has just said the same."""
    if not rules:
        return ""
    which = "The next reminder is" if len(rules) == 1 else f"The next {len(rules)} reminders are"
    return f" {which} left out, so soon after this message."


def _got_a_seat(fact: f.GuestConfirmed, who: str, _tz: ZoneInfo) -> _Told:
    got = "a seat" if fact.party == 1 else count(fact.party, "seat")
    if fact.seq > 0:
        taken = "the offered seat" if fact.party == 1 else f"the {fact.party} offered seats"
        if fact.by_host:
            return f"The host accepted {taken} for {who}.", Tone.GOOD
        return f"{who} took {taken}.", Tone.GOOD
    if fact.asked:
        return f"{who} took {got} that was free.", Tone.GOOD
    ways = {
        State.PENDING: "{who} said yes and got {got}.",
        State.WAITING: "{who} got {got} from the line.",
        State.CANCELLED: "{who} came back and got {got}.",
    }
    put = "{who} was put on the list and got {got}."
    own = put if fact.lane in (Lane.IMPORT, Lane.HOST) else "{who} signed up and got {got}."
    way = own if fact.before is None else ways.get(fact.before, own)
    return way.format(who=who, got=got), Tone.GOOD


def _joined_line(fact: f.GuestJoinedLine, who: str, _tz: ZoneInfo) -> _Told:
    return f"{who} joined the line: {ordinal(max(fact.position, 1))}.", Tone.WAITING


def _cancelled(fact: f.GuestCancelled, who: str, _tz: ZoneInfo) -> _Told:
    if fact.by_host:
        return f"The host took {who} off the list.", Tone.GONE
    words = {
        State.CONFIRMED: "{who} cancelled.",
        State.OFFERED: "{who} cancelled while an offer was open.",
        State.WAITING: "{who} left the line.",
    }
    return words.get(fact.before, "{who} said no.").format(who=who), Tone.GONE


def _reduced(fact: f.PartyReduced, who: str, _tz: ZoneInfo) -> _Told:
    return f"{who} comes with fewer: {fact.before} became {fact.after}.", None


def _party_too_large(fact: f.PartyTooLarge, who: str, _tz: ZoneInfo) -> _Told:
    seats = count(fact.cap, "seat")
    return f"{who}, a party of {fact.party}, is told that there are only {seats} now.", Tone.GONE


def _moved_in_line(_fact: f.GuestMovedInLine, who: str, _tz: ZoneInfo) -> _Told:
    return f"The host moved {who} in the line.", None


def _retimed(fact: f.GuestRetimed, who: str, _tz: ZoneInfo) -> _Told:
    told = "{who} is told of the change." if fact.tell else "The reminders of {who} were set again."
    return told.format(who=who) + _left_out(fact.left_out), None


def _told_of_call_off(_fact: f.GuestToldOfCallOff, who: str, _tz: ZoneInfo) -> _Told:
    return f"{who} is told that it is called off.", Tone.GONE


def _reminded(fact: f.ReminderDue, who: str, _tz: ZoneInfo) -> _Told:
    if fact.begun:
        return f"A late reminder for {who} was left out, as the event had begun.", None
    if fact.superseded:
        return f"A late reminder for {who} was left out, as a newer one was due.", None
    return f"{who} is reminded.", None


def _arrived(fact: f.GuestArrived, who: str, _tz: ZoneInfo) -> _Told:
    if fact.arrived == 0:
        return f"The check-in of {who} was taken back.", None
    if fact.arrived == 1:
        return f"{who} arrived.", Tone.GOOD
    return f"{who} arrived: {fact.arrived} of the party.", Tone.GOOD


def _contact_followed(fact: f.ContactFollowed, who: str, _tz: ZoneInfo) -> _Told:
    if fact.offer_again:
        return f"The contact of {who} was corrected; the offer is sent again.", None
    return f"The contact of {who} was corrected.", None


def _passed_on(_fact: f.SeatsPassedOn, who: str, _tz: ZoneInfo) -> _Told:
    return f"The host gave the place of {who} to somebody else.", Tone.GONE


def _taken_over(fact: f.SeatsTakenOver, who: str, _tz: ZoneInfo) -> _Told:
    got = "the seat" if fact.party == 1 else count(fact.party, "seat")
    return f"The host gave {who} {got} of another guest." + _left_out(fact.left_out), Tone.GOOD


def _resent(fact: f.LinkResent, who: str, _tz: ZoneInfo) -> _Told:
    if fact.by_guest:
        return f"{who} was sent a fresh link, as somebody asked for it.", None
    return f"The host sent {who} a fresh link.", None


def _asked(fact: f.AskedAgain, who: str, _tz: ZoneInfo) -> _Told:
    if fact.cancel_link:
        return f"A mail in the name of {who} asked to cancel; {who} has to confirm it.", None
    return f"{who} wrote again and was told where they stand.", None


def _stranger(fact: f.StrangerAnswered, _who: str, _tz: ZoneInfo) -> _Told:
    if fact.cancelling:
        return "Somebody who is not on the list wrote to cancel, and was told so.", None
    return "Somebody wrote to sign up when it was too late, and was told so.", None


def _unsubscribed(fact: f.GuestUnsubscribed, who: str, _tz: ZoneInfo) -> _Told:
    if fact.out:
        return f"{who} wants no more mail that nobody needs.", None
    return f"{who} takes all mail again.", None


def _thanked(_fact: f.ThanksDue, who: str, _tz: ZoneInfo) -> _Told:
    return f"{who} is thanked.", None


# --- offers -----------------------------------------------------------------------------------


def _offer_made(fact: offer_facts.OfferMade, who: str, _tz: ZoneInfo) -> _Told:
    held = "A seat is" if fact.seats == 1 else f"{fact.seats} seats are"
    return f"{held} held for {who}.", Tone.WAITING


def _offer_armed(fact: offer_facts.OfferArmed, who: str, tz: ZoneInfo) -> _Told:
    return f"The offer to {who} goes out, open until {spoken(fact.claim_by, tz)}.", Tone.ENDING


def _offer_shortened(fact: offer_facts.OfferShortened, who: str, tz: ZoneInfo) -> _Told:
    until = spoken(fact.claim_by, tz)
    return f"The event begins earlier, so the offer to {who} ends then: {until}.", Tone.ENDING


def _offer_disarmed(_fact: offer_facts.OfferDisarmed, who: str, _tz: ZoneInfo) -> _Told:
    return f"The mail with the offer to {who} did not go out; no window runs.", Tone.WAITING


def _offer_lapsed(_fact: offer_facts.OfferLapsed, who: str, _tz: ZoneInfo) -> _Told:
    return f"{who} let the offer lapse.", Tone.GONE


def _offer_stopped(_fact: offer_facts.OfferStopped, who: str, _tz: ZoneInfo) -> _Told:
    return f"The host took the offer to {who} back; the place is kept.", Tone.GONE


def _offer_declined(fact: offer_facts.OfferDeclined, who: str, _tz: ZoneInfo) -> _Told:
    if fact.by_host:
        return f"The host declined the offer for {who}.", Tone.GONE
    return f"{who} passed the offer on.", Tone.GONE


def _offer_undelivered(_fact: offer_facts.OfferUndelivered, who: str, _tz: ZoneInfo) -> _Told:
    return f"{who} could not be reached; the offer passed on.", Tone.GONE


def _offer_taken_back(fact: offer_facts.OfferTakenBack, who: str, _tz: ZoneInfo) -> _Told:
    if fact.was_live:
        return f"{who} said yes, but there was no room any more; the place is kept.", Tone.GONE
    return f"The offer to {who} was taken back before it went out; the place is kept.", Tone.GONE


#: Every kind of fact has an entry.
WORDS: Final[dict[type[Fact], Callable[..., _Told]]] = {
    f.EventCreated: _created,
    f.EventEdited: _edited,
    f.EventCalledOff: _called_off,
    f.CapChanged: _cap_changed,
    f.SeatsFreed: _freed,
    f.PartyPassedOver: _passed_over,
    f.HeadcountDue: _headcount,
    f.ThanksDrafted: _thanks_drafted,
    f.JobBegun: _job,
    f.SignUpWrittenDown: _written_down,
    f.GuestInvited: _invited,
    f.GuestConfirmed: _confirmed,
    f.GuestJoinedLine: _joined_line,
    f.GuestCancelled: _cancelled,
    f.PartyReduced: _reduced,
    f.PartyTooLarge: _party_too_large,
    f.GuestMovedInLine: _moved_in_line,
    f.GuestRetimed: _retimed,
    f.GuestToldOfCallOff: _told_of_call_off,
    f.ReminderDue: _reminded,
    f.GuestArrived: _arrived,
    f.LinkResent: _resent,
    f.ContactFollowed: _contact_followed,
    f.SeatsPassedOn: _passed_on,
    f.SeatsTakenOver: _taken_over,
    f.AskedAgain: _asked,
    f.StrangerAnswered: _stranger,
    f.GuestUnsubscribed: _unsubscribed,
    f.ThanksDue: _thanked,
    offer_facts.OfferMade: _offer_made,
    offer_facts.OfferArmed: _offer_armed,
    offer_facts.OfferShortened: _offer_shortened,
    offer_facts.OfferDisarmed: _offer_disarmed,
    offer_facts.OfferLapsed: _offer_lapsed,
    offer_facts.OfferDeclined: _offer_declined,
    offer_facts.OfferStopped: _offer_stopped,
    offer_facts.OfferUndelivered: _offer_undelivered,
    offer_facts.OfferTakenBack: _offer_taken_back,
}
