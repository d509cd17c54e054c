"""Builds the RSVP desk."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Final

from frontdesk.connect.models.port import LanguageModel
from frontdesk.desks.admin.facts import PersonCorrected, PersonErased
from frontdesk.desks.rsvp import thanks
from frontdesk.desks.rsvp.delivery import delivery_rules
from frontdesk.desks.rsvp.desk import rsvp_desk
from frontdesk.desks.rsvp.links import event_addressed
from frontdesk.desks.rsvp.load import rsvp
from frontdesk.desks.rsvp.messages import messages
from frontdesk.desks.rsvp.messages.context import EventMail
from frontdesk.desks.rsvp.model import EventId
from frontdesk.desks.rsvp.react import follow_correction, give_up_places
from frontdesk.engine.clock import Clock
from frontdesk.engine.follow import Binding
from frontdesk.engine.ports import Reads
from frontdesk.settings import Settings
from frontdesk.values import replace
from frontdesk.wiring.between_desks.waitlist_facts import FOR_SIGN_UPS
from frontdesk.wiring.context import BuiltDesk, DeskContext
from frontdesk.wiring.desk_parts import DeskOnAws
from frontdesk.wiring.senders import render_as_business, sender_profile

if TYPE_CHECKING:
    from frontdesk.desks.rsvp.mailroom import Mailroom
    from frontdesk.web.site import Site
    from frontdesk.wiring.application import Application
    from frontdesk.wiring.aws import AwsResources, RemoteWork


def build(context: DeskContext) -> BuiltDesk:
    settings, model = context.settings, context.model
    mailroom = _mailroom(settings, context.ids)
    mail = EventMail(
        settings.mail_domain if settings.takes_mail else "",
        lambda reads, mail_id: mailroom().answering(reads, mail_id),
    )
    desk = rsvp_desk(
        delivery_rules(render_as_business(messages(mail), sender_profile(settings, context.keys))),
        lambda reads, recorded: mailroom().read(reads, recorded),
        context.ids,
        _drafts(context.reads, context.clock, model) if model else None,
    )
    takes_mail = replace(desk, mail_about=partial(_event_with_address, settings.mail_domain))
    return BuiltDesk(takes_mail, (FROM_ADMIN,))


def _event_with_address(mail_domain: str, reads: Reads, address: str) -> str:
    event = event_addressed(rsvp(reads), address, mail_domain)
    return event.id if event else ""


FROM_ADMIN: Final = Binding(
    "ev.from_house",
    {
        PersonErased: give_up_places,
        PersonCorrected: follow_correction,
        **FOR_SIGN_UPS,
    },
)


def _mailroom(settings: Settings, ids: Callable[[], str]) -> Callable[[], Mailroom]:
    """Imports lazily: most functions never read a mail."""

    @cache
    def mailroom() -> Mailroom:
        from frontdesk.desks.rsvp.mailroom import Mailroom

        ours = (settings.from_email,)
        return Mailroom(
            ids,
            settings.mail_domain,
            settings.trusted_authserv,
            ours,
            takes_sign_ups=settings.has_desk("rsvp"),
        )

    return mailroom


def _drafts(
    reads: Callable[[], Reads], clock: Clock, model: LanguageModel
) -> Callable[[EventId], str]:
    """Returns a function that drafts the thank-you note; empty if none is wanted or usable."""

    def draft(event_id: EventId) -> str:
        ev = rsvp(reads())
        event = ev.event(event_id)
        if event is None or not thanks.wants_draft(event, clock.now()):
            return ""
        from frontdesk.desks.rsvp.prompts import HostAssistant

        return thanks.usable_draft(
            HostAssistant(model).thank(thanks.evening_of(event, ev.counts(event_id)))
        )

    return draft


def install(back: Application, site: Site) -> None:
    """Gives the pages a cache of events in memory, on one machine only."""
    from frontdesk.desks.rsvp.pages.event_page import EVENT_CACHE, EventCache

    cache = site.shared[EVENT_CACHE] = EventCache()
    back.store.on_commit(cache.on_commit)
    install_assistant(back, site)


def install_assistant(back: Application, site: Site) -> None:
    """Gives the console a language model that helps the host, if there is one."""
    from frontdesk.desks.rsvp.console.overview import ASSISTANT
    from frontdesk.desks.rsvp.prompts import HostAssistant

    if back.model is not None:
        site.shared[ASSISTANT] = HostAssistant(back.model)


class RsvpOnAws(DeskOnAws):
    def install(
        self, back: Application, site: Site, _account: AwsResources, _remote: RemoteWork
    ) -> None:
        install_assistant(back, site)
