"""What each mail to a guest says, from the rows as they are then, or why it is said no more."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Final

from frontdesk.core.contact_card import ContactCard
from frontdesk.core.contacts import plain_name
from frontdesk.core.ics import Method
from frontdesk.core.links import Keys
from frontdesk.core.mail import Answering, MailId
from frontdesk.core.occasions import Tone
from frontdesk.core.people import Person
from frontdesk.core.sends import Send
from frontdesk.core.words import ordinal
from frontdesk.desks.rsvp import words
from frontdesk.desks.rsvp.calendar_file import event_url
from frontdesk.desks.rsvp.decide.seats import whole_event
from frontdesk.desks.rsvp.facts import (
    EventCalledOff,
    EventCreated,
    EventEdited,
)
from frontdesk.desks.rsvp.links import GuestLinks
from frontdesk.desks.rsvp.model import (
    Details,
    Event,
    EventState,
    Guest,
    State,
    Wording,
    open_until,
)
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.desks.rsvp.words import IN_MAIL
from frontdesk.engine.desk import Drop
from frontdesk.engine.ports import Reads
from frontdesk.values import Frozen, field, replace
from frontdesk.web.colours import DEFAULT_ACCENT

_LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)
_A_MOMENT: Final = timedelta(seconds=1)


class Office(Frozen, kw_only=True):
    """What every mail needs to know about the business."""

    base_url: str
    links_url: str
    console_at: str
    business: str
    from_email: str
    keys: Callable[[], Keys]
    from_name: str = ""
    """The business's name if nothing else is set."""
    mail_domain: str = ""
    """Where mail to an event's own address comes in; empty if it does not."""
    accent: str = DEFAULT_ACCENT
    contact: ContactCard = ContactCard()
    wording: Callable[[str], Wording | None] = lambda _kind: None
    """What the business has changed, by the kind of mail."""
    answering: Callable[[Reads, MailId], Answering | None] = lambda *_: None
    """What to take from a mail that one answers, as long as it is kept."""

    def console_url(self, event: Event) -> str:
        return f"{self.console_at}/console/events/{event.id}"


class Saying(Frozen):
    """What is to be said, before it is put on paper."""

    kind: str
    values: Mapping[str, str] = field(default_factory=dict)
    tone: Tone = Tone.GOOD
    chip: str = ""
    calendar: Method | None = None
    unsubscribe: bool = False


class Scene(Frozen, dict=True):
    """The rows around one send to a guest."""

    office: Office
    ev: RsvpReads
    event: Event
    guest: Guest
    person: Person
    send: Send
    now: datetime

    @cached_property
    def links(self) -> GuestLinks:
        return GuestLinks(
            self.office.links_url,
            self.office.keys(),
            self.guest.id,
            self.person.contact_version,
            self.event.details,
            nth=int(self.send.params.get("nth", 0)),
        )

    @cached_property
    def place(self) -> int:
        return self.ev.position(self.guest) if self.guest.state is State.WAITING else 0

    @cached_property
    def mine(self) -> dict[str, str]:
        manage = self.links.manage()
        return {"manage_link": manage, "cancel_link": f"{manage}?do=cancel"}

    @property
    def is_off(self) -> bool:
        return self.event.state is EventState.CALLED_OFF

    @property
    def has_begun(self) -> bool:
        return self.now >= self.event.details.starts_at


def everywhere(office: Office, event: Event, person: Person) -> dict[str, str]:
    """What can be said in any mail."""
    what = words.occasion(event.details)
    return {
        "name": plain_name(person.name) or "there",
        "business": office.business,
        "event": what.name,
        "when": what.when,
        "where": what.where,
        "details": "",
        "event_link": event_url(office.base_url, event),
    }


def invitation(scene: Scene) -> Saying | Drop:
    return _to_be_confirmed(scene, "invitation", "Invitation")


def please_confirm(scene: Scene) -> Saying | Drop:
    return _to_be_confirmed(scene, "please_confirm", "Not confirmed yet")


def _to_be_confirmed(scene: Scene, kind: str, chip: str) -> Saying | Drop:
    if scene.guest.state is not State.PENDING:
        return Drop("has answered already")
    if scene.is_off or scene.has_begun:
        return Drop("the event is over or called off")
    return Saying(kind, {"confirm_link": scene.links.confirm()}, Tone.WAITING, chip)


def confirmed(scene: Scene) -> Saying | Drop:
    if gone := _not_coming(scene):
        return gone
    values = {"seats_line": words.confirmed_seats(scene.guest.party), **scene.mine}
    return Saying("confirmed", values, Tone.GOOD, "Confirmed", Method.REQUEST)


def reminder(scene: Scene) -> Saying | Drop:
    if gone := _not_coming(scene):
        return gone
    if scene.has_begun:
        return Drop("the event has begun")
    values = {
        "how_soon": words.how_soon(scene.event, scene.now),
        "seats_line": words.confirmed_seats(scene.guest.party),
        **scene.mine,
    }
    return Saying("reminder", values, Tone.GOOD, "Confirmed")


def _not_coming(scene: Scene) -> Drop | None:
    if scene.is_off:
        return Drop("the event is called off")
    if scene.guest.state is not State.CONFIRMED:
        return Drop("no longer coming")
    return None


def waitlisted(scene: Scene) -> Saying | Drop:
    return _waiting(scene, "waitlisted")


def offer_lapsed(scene: Scene) -> Saying | Drop:
    return _after_offer(scene, "offer_lapsed")


def offer_declined(scene: Scene) -> Saying | Drop:
    return _after_offer(scene, "offer_declined")


def _after_offer(scene: Scene, kind: str) -> Saying | Drop:
    said = _waiting(scene, kind)
    if isinstance(said, Drop):
        return said
    event, party = scene.event, scene.guest.party
    left = event.seats
    fits = left.free >= party and left.owed > 0 and _next_that_fits(scene) is not None
    went = words.after_offer(event, party, next_fits=fits)
    return replace(said, values={**said.values, "seat_now": went})


def _next_that_fits(scene: Scene) -> Guest | None:
    event = scene.event
    return scene.ev.next_that_fits(event.id, event.seats.round, event.seats.free)


def offer_withdrawn(scene: Scene) -> Saying | Drop:
    return _waiting(scene, "offer_withdrawn")


def offer_stopped(scene: Scene) -> Saying | Drop:
    return _waiting(scene, "offer_stopped")


def _waiting(scene: Scene, kind: str) -> Saying | Drop:
    if scene.is_off or scene.has_begun:
        return Drop("the event is over or called off")
    if scene.guest.state is not State.WAITING:
        return Drop("no longer in line")
    values = {
        "place": ordinal(scene.place),
        "party_line": words.asked_for(scene.guest.party),
        **scene.mine,
    }
    return Saying(kind, values, Tone.WAITING, "In line")


def offer(scene: Scene) -> Saying | Drop:
    """Only the offer that was just made live, and only while it can be taken."""
    guest, seq = scene.guest, scene.send.params.get("seq", scene.guest.seq)
    if guest.state is not State.OFFERED or guest.seq != seq:
        return Drop("this offer has ended")
    ends_at = open_until(scene.event, guest)
    if ends_at is None:
        return Drop("this offer is not live")
    if scene.is_off or scene.now >= ends_at:
        return Drop("this offer has passed on")
    values = {
        "seats": words.seats(guest.party),
        "take": words.take_label(guest.party),
        "yours_until": words.offered(scene.event, guest, scene.now, IN_MAIL),
        "claim_link": scene.links.offer(guest.seq),
        "decline_link": scene.links.decline(guest.seq),
    }
    return Saying("offer", values, Tone.GOOD, "Held for you")


def cancelled(scene: Scene) -> Saying | Drop:
    before = State(str(scene.send.params["before"]))
    line = words.given_up(before, scene.guest.party)
    return _gone(scene, "cancelled", "given_up", line, before)


def removed(scene: Scene) -> Saying | Drop:
    before = State(str(scene.send.params["before"]))
    line = words.taken_off(before)
    if scene.send.params.get("passed_on"):
        line = words.passed_on(scene.guest.party)
    return _gone(scene, "removed", "taken_off", line, before)


def _gone(scene: Scene, kind: str, name: str, line: str, before: State) -> Saying | Drop:
    if scene.guest.state is not State.CANCELLED:
        return Drop("back on the list")
    if kind == "removed" and scene.has_begun:
        return Drop("the event has begun")
    had_file = before is State.CONFIRMED
    chip = "Cancelled" if kind == "cancelled" else "Off the list"
    return Saying(kind, {name: line}, Tone.GONE, chip, Method.CANCEL if had_file else None)


def party_changed(scene: Scene) -> Saying | Drop:
    guest = scene.guest
    if guest.state is State.CANCELLED or guest.party != scene.send.params["party"]:
        return Drop("has changed again")
    line = words.party_now(scene.event, guest, scene.place, scene.now)
    return Saying("party_changed", {"seats_line": line, **scene.mine}, *_shown(guest.state))


def party_too_large(scene: Scene) -> Saying | Drop:
    guest, cap = scene.guest, scene.event.seats.cap
    if guest.party <= whole_event(scene.event):
        return Drop("there are enough seats again")
    said = _waiting(scene, "party_too_large")
    if isinstance(said, Drop):
        return said
    now = "There are no seats now" if cap == 0 else f"There {words.are_only(cap)} now"
    line = f"{now}, and you're waiting for {guest.party}."
    return replace(said, values={**said.values, "too_large": line})


def moved(scene: Scene) -> Saying | Drop:
    guest, event = scene.guest, scene.event
    if guest.state is State.CANCELLED:
        return Drop("no longer on the list")
    if scene.is_off or event.sequence != scene.send.params["sequence"]:
        return Drop("has changed again")
    before = details_before(scene.ev, event, scene.now)
    values = {
        "changes": words.changed(before, event.details) or "Please look at the details again.",
        "still": words.still(event, guest, scene.place, scene.now),
        **scene.mine,
    }
    if open_until(event, guest) is not None:
        values["manage_link"] = scene.links.offer(guest.seq)
    had_file = guest.state is State.CONFIRMED
    return Saying("moved", values, Tone.WAITING, "Changed", Method.REQUEST if had_file else None)


def details_before(ev: RsvpReads, event: Event, now: datetime) -> Details:
    """What guests knew before they were last told of a change."""
    until = now + _A_MOMENT
    edits = ev.facts_between(event.id, EventEdited.kind, _LONG_AGO, until)
    for recorded in reversed(edits):
        fact = recorded.fact
        if isinstance(fact, EventEdited) and fact.sequence < event.sequence:
            return fact.details
    for recorded in ev.facts_between(event.id, EventCreated.kind, _LONG_AGO, until):
        if isinstance(recorded.fact, EventCreated):
            return recorded.fact.details
    return event.details


def called_off(scene: Scene) -> Saying | Drop:
    if not scene.is_off:
        return Drop("the event takes place after all")
    until = scene.now + _A_MOMENT
    facts = scene.ev.facts_between(scene.event.id, EventCalledOff.kind, _LONG_AGO, until)
    said = [each.fact.words for each in facts if isinstance(each.fact, EventCalledOff)]
    had_file = scene.send.params["state"] == State.CONFIRMED
    return Saying(
        "called_off",
        {"host_words": said[-1] if said else ""},
        Tone.GONE,
        "Called off",
        Method.CANCEL if had_file else None,
    )


def resent(scene: Scene) -> Saying | Drop:
    """The mail that fits where they stand now, with fresh links."""
    match scene.guest.state:
        case State.PENDING if scene.guest.signed_up_themselves:
            return please_confirm(scene)
        case State.PENDING:
            return invitation(scene)
        case State.CONFIRMED:
            return confirmed(scene)
        case State.WAITING:
            return waitlisted(scene)
        case State.OFFERED:
            return offer(scene) if scene.guest.live else status(scene)
        case State.CANCELLED:
            return Drop("no longer on the list")


def status(scene: Scene) -> Saying | Drop:
    guest = scene.guest
    line = words.standing(scene.event, guest, scene.place, scene.now, IN_MAIL)
    values = {"standing": line, "manage_link": scene.links.manage()}
    return Saying("status", values, *_shown(guest.state))


def cancel_check(scene: Scene) -> Saying | Drop:
    guest = scene.guest
    if guest.state is State.CANCELLED:
        return status(scene)
    values = {
        "standing": words.standing(scene.event, guest, scene.place, scene.now, IN_MAIL),
        "cancel_link": scene.links.cancel(),
    }
    return Saying("cancel_check", values, Tone.WAITING, "Nothing has changed")


def _shown(state: State) -> tuple[Tone, str]:
    """A state's tone, and its word."""
    return {
        State.PENDING: (Tone.WAITING, "Invitation"),
        State.CONFIRMED: (Tone.GOOD, "Confirmed"),
        State.WAITING: (Tone.WAITING, "In line"),
        State.OFFERED: (Tone.GOOD, "Held for you"),
        State.CANCELLED: (Tone.GONE, "Cancelled"),
    }[state]


def thanks(scene: Scene) -> Saying | Drop:
    if scene.is_off or scene.guest.state is not State.CONFIRMED:
        return Drop("was not there")
    if not scene.event.thanks.strip():
        return Drop("there is nothing to say")
    return Saying("thanks", {"thanks": scene.event.thanks}, unsubscribe=True)


#: By the kind of the note.
TO_GUESTS: Final[Mapping[str, Callable[[Scene], Saying | Drop]]] = {
    "invitation": invitation,
    "please_confirm": please_confirm,
    "confirmed": confirmed,
    "waitlisted": waitlisted,
    "cancelled": cancelled,
    "removed": removed,
    "party_changed": party_changed,
    "party_too_large": party_too_large,
    "offer": offer,
    "offer_lapsed": offer_lapsed,
    "offer_declined": offer_declined,
    "offer_withdrawn": offer_withdrawn,
    "offer_stopped": offer_stopped,
    "reminder": reminder,
    "moved": moved,
    "called_off": called_off,
    "resent": resent,
    "status": status,
    "cancel_check": cancel_check,
    "thanks": thanks,
}
