"""How the RSVP desk's sends become mail: to whom, when, and in which words."""

from collections.abc import Iterable
from datetime import datetime
from functools import partial
from typing import Final

from frontdesk.core.contacts import plain_name
from frontdesk.core.decision import Command
from frontdesk.core.localtime import zone
from frontdesk.core.mail import MailId
from frontdesk.core.messages import Message
from frontdesk.core.notes import Note, Quiet, To
from frontdesk.core.people import Person, PersonId
from frontdesk.core.sends import Send
from frontdesk.desks.rsvp import voice, words
from frontdesk.desks.rsvp.calendar_file import Organizer, calendar_file
from frontdesk.desks.rsvp.commands import ArmOffer, DisarmOffer, WithdrawOffer
from frontdesk.desks.rsvp.host_mails import TO_HOSTS
from frontdesk.desks.rsvp.mails import (
    TO_GUESTS,
    Office,
    Saying,
    Scene,
    details_before,
    everywhere,
)
from frontdesk.desks.rsvp.model import Event, EventId, EventState, GuestId, Wording, as_signed_up
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.desks.rsvp.stranger_mails import TO_STRANGERS
from frontdesk.engine.desk import DeliveryRules, Drop, Hold, Say
from frontdesk.engine.ports import Reads
from frontdesk.values import replace
from frontdesk.web.letters import Paper, html_part, text_part


def delivery_rules(office: Office) -> DeliveryRules:
    return DeliveryRules(
        recipients=recipients,
        when=when,
        render=partial(render, office),
        arm=arm,
        disarm=disarm,
        undeliverable=undeliverable,
        passing=frozenset({Reason.IN_DEBT}),
        optional=frozenset({"thanks"}),
    )


def recipients(reads: Reads, note: Note) -> Iterable[PersonId]:
    ev = _ev(reads)
    if note.to == To.HOSTS:
        return ev.hosts(EventId(note.subject))
    if note.kind in TO_STRANGERS:
        return (PersonId(note.to),)
    guest = ev.guest(GuestId(note.to))
    return () if guest is None else (guest.person_id,)


def when(reads: Reads, send: Send, now: datetime) -> Hold | Drop | None:
    """What nobody asked for just now waits for the morning, unless it would come too late then."""
    if send.quiet is Quiet.IGNORE:
        return None
    ev = _ev(reads)
    event = ev.event(EventId(send.subject))
    if event is None:
        return Drop("there is no such event any more")
    until = event.settings.quiet.next_allowed(now, zone(event.details.zone))
    if until <= now or _cannot_wait(ev, event, send, until, now):
        return None
    if send.kind == "reminder" and until >= event.details.starts_at:
        return Drop("the event will have begun")
    return Hold(until)


def _cannot_wait(ev: RsvpReads, event: Event, send: Send, until: datetime, now: datetime) -> bool:
    starts_at = event.details.starts_at
    match send.kind:
        case "called_off":
            return starts_at <= until
        case "moved":
            was = details_before(ev, event, now).starts_at
            return starts_at <= until or now < was <= until
        case "offer":
            settings = event.settings
            return settings.time_critical and starts_at - until < settings.claim_window
        case _:
            return False


def arm(send: Send) -> Command | None:
    """An offer's window starts when its mail goes out."""
    return ArmOffer(*_offer(send)) if send.kind == "offer" else None


def disarm(send: Send) -> Command | None:
    return DisarmOffer(*_offer(send)) if send.kind == "offer" else None


def undeliverable(send: Send) -> Command | None:
    """Nobody can be told: the seats roll on."""
    return WithdrawOffer(*_offer(send)) if send.kind == "offer" else None


def _offer(send: Send) -> tuple[GuestId, int]:
    return GuestId(send.about), int(send.params["seq"])


def render(office: Office, reads: Reads, send: Send, now: datetime) -> Say | Drop:
    """From the rows as they are now; what is no longer so is not said."""
    said = _said(office, reads, send, now)
    return said if isinstance(said, Drop) else Say(_in_thread(office, reads, send, said))


def _in_thread(office: Office, reads: Reads, send: Send, message: Message) -> Message:
    """With the mail that it answers; some mail programs see that only by the same heading."""
    mail_id = MailId(str(send.params.get("mail_id", "")))
    mail = office.answering(reads, mail_id) if mail_id else None
    if mail is None:
        return message
    return replace(
        message,
        in_reply_to=mail.message_id,
        references=(mail.message_id,),
        subject=words.reply_subject(mail.subject) if mail.subject else message.subject,
    )


def _said(office: Office, reads: Reads, send: Send, now: datetime) -> Message | Drop:
    ev, person = _ev(reads), reads.engine.person(send.person_id)
    event = ev.event(EventId(send.subject))
    if event is None:
        return Drop("there is no such event any more")
    if person is None or person.erased:
        return Drop("this person is not with us any more")
    if _has_begun_meanwhile(event, send, now):
        return Drop("the event has begun")
    if send.kind in TO_HOSTS:
        return _to_host(office, ev, event, person, send, now)
    if send.kind in TO_STRANGERS:
        return _to_stranger(office, event, person, send, now)
    guest = ev.guest(GuestId(send.about))
    if guest is None:
        return Drop("no longer on the list")
    scene = Scene(office, ev, event, guest, as_signed_up(guest, person), send, now)
    saying = TO_GUESTS[send.kind](scene)
    if isinstance(saying, Drop):
        return saying
    return _mail_to_guest(scene, saying)


#: What is said after an event.
_AFTERWARDS: Final = frozenset({"thanks", "thanks_drafted"})


def _has_begun_meanwhile(event: Event, send: Send, now: datetime) -> bool:
    """Between the time when this was to be said and now. One that is called off never begins;
    after its end nobody has to hear of it any more."""
    if send.kind in _AFTERWARDS:
        return False
    details, is_off = event.details, event.state is EventState.CALLED_OFF
    too_late = details.ends_at if is_off else details.starts_at
    return send.queued_at < too_late <= now


def _to_host(
    office: Office, ev: RsvpReads, event: Event, person: Person, send: Send, now: datetime
) -> Message | Drop:
    saying = TO_HOSTS[send.kind](office, ev, event, now)
    if isinstance(saying, Drop):
        return saying
    why = f"You get this mail because you host {event.details.name}."
    return _mail(office, event, person, send, now, saying, why)


def _to_stranger(
    office: Office, event: Event, person: Person, send: Send, now: datetime
) -> Message:
    saying = TO_STRANGERS[send.kind](event, now)
    why = f"You get this mail because you wrote to us about {event.details.name}."
    return _mail(office, event, person, send, now, saying, why)


def _mail_to_guest(scene: Scene, saying: Saying) -> Message:
    office, event, guest, person = scene.office, scene.event, scene.guest, scene.person
    unsubscribe = scene.links.unsubscribe() if saying.unsubscribe else ""
    why = words.because(event, guest, office.business)
    message = _mail(office, event, person, scene.send, scene.now, saying, why, unsubscribe)
    if saying.calendar is None:
        return message
    answers_to = _event_address(office, event) or message.from_email
    organizer = Organizer(message.from_name, answers_to, office.base_url)
    file = calendar_file(organizer, event, guest, person, method=saying.calendar, now=scene.now)
    return replace(message, calendar=file, calendar_method=saying.calendar.value)


def _mail(
    office: Office,
    event: Event,
    person: Person,
    send: Send,
    now: datetime,
    saying: Saying,
    why: str,
    unsubscribe: str = "",
) -> Message:
    filled = voice.fill(
        _wording(office, saying.kind), {**everywhere(office, event, person), **saying.values}
    )
    paper = Paper(
        business=office.business,
        what=words.occasion(event.details),
        why=why,
        tone=saying.tone,
        chip=saying.chip,
        called_off=event.state is EventState.CALLED_OFF,
        unsubscribe=unsubscribe,
        accent=office.accent,
        contact=office.contact,
    )
    return Message(
        message_id=_message_id(send, office.from_email),
        to_email=person.email,
        to_name=plain_name(person.name),
        from_email=office.from_email,
        from_name=office.from_name or office.business,
        reply_to=_reply_to(office, event, saying),
        subject=filled.subject,
        text=text_part(filled, paper),
        html=html_part(filled, paper),
        unsubscribe_url=unsubscribe or None,
        date=now,
    )


def _wording(office: Office, kind: str) -> Wording:
    """What the business wrote, if it did and as long as it can be used."""
    own = office.wording(kind)
    return own if own and voice.is_sound(kind, own) else voice.default(kind)


#: What is answered to these is for people to read; the event's own address reads for sign-ups.
_FOR_PEOPLE: Final = frozenset({"removed", "thanks", *TO_HOSTS})


def _reply_to(office: Office, event: Event, saying: Saying) -> str | None:
    return None if saying.kind in _FOR_PEOPLE else _event_address(office, event)


def _event_address(office: Office, event: Event) -> str | None:
    """Where mail about the event is read; calendars send their answers there."""
    return f"{event.slug}@{office.mail_domain}" if office.mail_domain else None


def _message_id(send: Send, from_email: str) -> str:
    """The same at each attempt, so that a repeat is recognised."""
    return f"<{send.id}@{from_email.rpartition('@')[2]}>"


def _ev(reads: Reads) -> RsvpReads:
    ev: RsvpReads = reads.desk("ev")
    return ev
