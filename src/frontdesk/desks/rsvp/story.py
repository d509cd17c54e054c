"""Tells the history of a guest, of freed seats or of an event in sentences."""

from collections.abc import Iterable, Iterator
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.decision import Fact
from frontdesk.core.localtime import zone
from frontdesk.core.unreadable import Unreadable
from frontdesk.desks.rsvp import facts as f
from frontdesk.desks.rsvp import offer_facts
from frontdesk.desks.rsvp.model import Event, EventId, Guest, GuestId, State, as_signed_up
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.desks.rsvp.story_words import WORDS
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.engine.stories import UNREADABLE, StoryLine, full_name, member_name
from frontdesk.values import Frozen, field

_PAGE: Final = 500


def guest_story(ev: RsvpReads, event: Event, guest_id: GuestId) -> tuple[StoryLine, ...]:
    return _story(ev, event, _all_facts(ev, event.id, about=guest_id))


def event_story(ev: RsvpReads, event: Event) -> tuple[StoryLine, ...]:
    return _story(ev, event, _all_facts(ev, event.id))


def release_story(ev: RsvpReads, event: Event, round_: int) -> tuple[StoryLine, ...]:
    """Tells one release: the cancellation, the offers, and the claims."""
    return _story(ev, event, _of_release(_all_facts(ev, event.id), round_))


def _of_release(audit: Iterable[Recorded], round_: int) -> Iterator[Recorded]:
    offers: set[tuple[str, int]] = set()
    for recorded in audit:
        fact = recorded.fact
        if isinstance(fact, offer_facts.OfferMade) and fact.fills == round_:
            offers.add((fact.guest_id, fact.seq))
        if _frees(fact, round_) or (fact.about, _offer_number(fact)) in offers:
            yield recorded


def _frees(fact: Fact, round_: int) -> bool:
    match fact:
        case f.SeatsFreed(round=began) | f.CapChanged(freed=True, round=began):
            return began == round_
        case _:
            return False


def _offer_number(fact: Fact) -> int:
    """Returns the number of the offer that a fact is about, or 0."""
    match fact:
        case f.GuestCancelled(before=State.OFFERED, seq=seq):
            return seq
        case f.GuestCancelled():
            return 0
        case _:
            return getattr(fact, "seq", 0)


def _all_facts(ev: RsvpReads, event_id: EventId, about: str = "") -> Iterator[Recorded]:
    after = 0
    while page := ev.facts(event_id, about=about, after=after, limit=_PAGE):
        yield from page
        after = page[-1].seq


def _story(ev: RsvpReads, event: Event, audit: Iterable[Recorded]) -> tuple[StoryLine, ...]:
    names = GuestNames(ev)
    tz = zone(event.details.zone)
    return tuple(line(recorded, names, tz) for recorded in audit)


class GuestNames(Frozen):
    """Looks up the names of guests and actors. Reads each guest once."""

    ev: RsvpReads
    reads: Reads | None = None
    """If given, team members appear by name; otherwise each is 'the host'."""
    _known: dict[str, str] = field(default_factory=dict)

    def guest(self, guest_id: str) -> str:
        if guest_id not in self._known:
            guest = self.ev.guest(GuestId(guest_id))
            self._known[guest_id] = "Somebody" if guest is None else self._called(guest)
        return self._known[guest_id]

    def _called(self, guest: Guest) -> str:
        person = self.ev.person(guest.person_id)
        return full_name(as_signed_up(guest, person) if person else None)

    def actor(self, by: str) -> str:
        """Names the actor: a guest, a team member, the command line or Frontdesk."""
        kind, _, who = by.partition(":")
        match kind:
            case "guest":
                return self.guest(who)
            case "member":
                return member_name(self.reads, by) if self.reads else "the host"
            case "cli":
                return "the command line"
            case _:
                return "Frontdesk"


def line(recorded: Recorded, names: GuestNames, tz: ZoneInfo) -> StoryLine:
    fact = recorded.fact
    if isinstance(fact, Unreadable):
        return StoryLine(recorded.at, names.actor(recorded.by), UNREADABLE)
    say = WORDS[type(fact)]
    text, sign = say(fact, names.guest(fact.about) if fact.about else "", tz)
    return StoryLine(recorded.at, names.actor(_by(recorded)), text, sign)


def _by(recorded: Recorded) -> str:
    """Returns the actor. For a guest it is the id in the fact, because a new sign-up runs under
    another id."""
    about = recorded.fact.about
    return f"guest:{about}" if about and recorded.by.startswith("guest:") else recorded.by
