"""Turns facts into notes: recipient, urgency and idempotency key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from frontdesk.core.decision import Fact
from frontdesk.core.notes import Note, Quiet, alert
from frontdesk.desks.rsvp import facts
from frontdesk.desks.rsvp.model import Lane, State
from frontdesk.desks.rsvp.offer_facts import (
    OfferDeclined,
    OfferLapsed,
    OfferMade,
    OfferStopped,
    OfferTakenBack,
)

#: Lanes in which the host acts for the guest, so that the guest has not just asked.
_BY_THE_HOST: Final = frozenset({Lane.IMPORT, Lane.HOST})


def invited(fact: facts.GuestInvited) -> Note:
    if fact.opt_in:
        return _to_guest(fact, "please_confirm", fact.version, Quiet.IGNORE, mail_id=fact.mail_id)
    return _to_guest(fact, "invitation", fact.version)


def confirmed(fact: facts.GuestConfirmed) -> Note:
    asked = not fact.by_host and (fact.seq > 0 or fact.asked or _asked(fact.lane, fact.before))
    quiet = Quiet.IGNORE if asked else Quiet.HOLD
    return _to_guest(fact, "confirmed", fact.version, quiet, mail_id=fact.mail_id)


def joined_line(fact: facts.GuestJoinedLine) -> Note:
    quiet = Quiet.IGNORE if _asked(fact.lane, fact.before) else Quiet.HOLD
    return _to_guest(fact, "waitlisted", fact.version, quiet, mail_id=fact.mail_id)


def _asked(lane: Lane, before: State | None) -> bool:
    """Whether the guest has just acted: signed up themselves or said yes."""
    return before is State.PENDING or lane not in _BY_THE_HOST


def cancelled(fact: facts.GuestCancelled) -> Note:
    """Answers a guest who cancelled, or tells one whom the host took off the list."""
    if fact.by_host:
        return _to_guest(fact, "removed", fact.version, before=fact.before)
    return _to_guest(
        fact,
        "cancelled",
        fact.version,
        Quiet.IGNORE,
        before=fact.before,
        mail_id=fact.mail_id,
    )


def party_reduced(fact: facts.PartyReduced) -> Note:
    return _to_guest(fact, "party_changed", fact.version, Quiet.IGNORE, party=fact.after)


def party_too_large(fact: facts.PartyTooLarge) -> Note:
    return _to_guest(fact, "party_too_large", fact.occasion)


def offer_made(fact: OfferMade) -> Note:
    """The offer mail, which expires when the event begins."""
    return _to_guest(fact, "offer", fact.seq, tell_by=fact.last_useful_at, seq=fact.seq)


def offer_lapsed(fact: OfferLapsed) -> Note:
    return _to_guest(fact, "offer_lapsed", fact.seq, seq=fact.seq)


def offer_declined(fact: OfferDeclined) -> Note:
    quiet = Quiet.HOLD if fact.by_host else Quiet.IGNORE
    return _to_guest(fact, "offer_declined", fact.seq, quiet, seq=fact.seq)


def offer_stopped(fact: OfferStopped) -> Note | None:
    """Tells the guest, if they had been told of the offer."""
    return _to_guest(fact, "offer_stopped", fact.seq, seq=fact.seq) if fact.was_live else None


def contact_followed(fact: facts.ContactFollowed) -> Note | None:
    """Sends an open offer again with new links, because the old ones went to the wrong address."""
    if not fact.offer_again:
        return None
    occasion = f"{fact.seq}/again/{fact.version}"
    return _to_guest(fact, "offer", occasion, tell_by=fact.last_useful_at, seq=fact.seq)


def passed_on(fact: facts.SeatsPassedOn) -> Note:
    return _to_guest(fact, "removed", fact.version, before=State.CONFIRMED, passed_on=1)


def taken_over(fact: facts.SeatsTakenOver) -> Note:
    return _to_guest(fact, "confirmed", fact.version)


def offer_taken_back(fact: OfferTakenBack) -> Note | None:
    """Answers a guest who claimed when there was no room left. For a pending offer, the guest had
    not been told."""
    if not fact.was_live:
        return None
    return _to_guest(fact, "offer_withdrawn", fact.seq, Quiet.IGNORE, seq=fact.seq)


def reminder_due(fact: facts.ReminderDue) -> Note | None:
    if fact.superseded:
        return None
    occasion = f"{fact.rule}/{_stamp(fact.due_at)}"
    return _to_guest(fact, "reminder", occasion, rule=fact.rule)


def retimed(fact: facts.GuestRetimed) -> Note | None:
    if not fact.tell:
        return None
    return _to_guest(fact, "moved", fact.sequence, sequence=fact.sequence)


def told_of_call_off(fact: facts.GuestToldOfCallOff) -> Note:
    return _to_guest(fact, "called_off", fact.sequence, state=fact.state)


def link_resent(fact: facts.LinkResent) -> Note:
    """Sends the link: at once if the guest asked for it, otherwise after quiet hours."""
    quiet = Quiet.IGNORE if fact.by_guest else Quiet.HOLD
    return _to_guest(fact, "resent", fact.nth, quiet, nth=fact.nth)


def asked_again(fact: facts.AskedAgain) -> Note:
    """Answers with the status. A pending guest gets their confirmation link, because only that link
    confirms."""
    answer = "resent" if fact.state is State.PENDING else "status"
    kind = "cancel_check" if fact.cancel_link else answer
    return _to_guest(fact, kind, fact.mail_id, Quiet.IGNORE, mail_id=fact.mail_id)


def stranger_answered(fact: facts.StrangerAnswered) -> Note:
    kind = "not_listed" if fact.cancelling else "closed"
    return Note(
        kind,
        to=fact.person_id,
        key=f"ev/{fact.event_id}/{fact.person_id}/{kind}/{fact.mail_id}",
        subject=fact.event_id,
        quiet=Quiet.IGNORE,
        params={"mail_id": fact.mail_id},
    )


def thanks_due(fact: facts.ThanksDue) -> Note:
    return _to_guest(fact, "thanks", fact.sequence or "once")


def headcount_due(fact: facts.HeadcountDue) -> Note:
    return _to_hosts(fact, "headcount", _stamp(fact.due_at))


def thanks_drafted(fact: facts.ThanksDrafted) -> Note:
    return _to_hosts(fact, "thanks_drafted", str(fact.sequence or "once"))


def _to_guest(
    fact: facts.GuestFact,
    kind: str,
    occasion: str | int,
    quiet: Quiet = Quiet.HOLD,
    tell_by: datetime | None = None,
    **words: str | int,
) -> Note:
    return Note(
        kind,
        to=fact.guest_id,
        key=f"ev/{fact.event_id}/{fact.guest_id}/{kind}/{occasion}",
        subject=fact.event_id,
        about=fact.guest_id,
        quiet=quiet,
        tell_by=tell_by,
        params={name: word for name, word in words.items() if word != ""},
    )


def _to_hosts(fact: facts.EventFact, kind: str, occasion: str) -> Note:
    return alert("ev", kind, fact.event_id, occasion)


def _stamp(at: datetime) -> str:
    return at.isoformat(timespec="seconds")


#: Facts that are not listed here lead to no message, on purpose.
NOTES: Final[Mapping[type[Fact], Callable[[Any], Note | None]]] = {
    facts.GuestInvited: invited,
    facts.GuestConfirmed: confirmed,
    facts.GuestJoinedLine: joined_line,
    facts.GuestCancelled: cancelled,
    facts.PartyReduced: party_reduced,
    facts.PartyTooLarge: party_too_large,
    OfferMade: offer_made,
    OfferLapsed: offer_lapsed,
    OfferDeclined: offer_declined,
    OfferStopped: offer_stopped,
    facts.ContactFollowed: contact_followed,
    facts.SeatsPassedOn: passed_on,
    facts.SeatsTakenOver: taken_over,
    OfferTakenBack: offer_taken_back,
    facts.ReminderDue: reminder_due,
    facts.GuestRetimed: retimed,
    facts.GuestToldOfCallOff: told_of_call_off,
    facts.LinkResent: link_resent,
    facts.AskedAgain: asked_again,
    facts.StrangerAnswered: stranger_answered,
    facts.ThanksDue: thanks_due,
    facts.HeadcountDue: headcount_due,
    facts.ThanksDrafted: thanks_drafted,
}
