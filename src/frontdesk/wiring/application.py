"""All of the product but its pages: the desks on their engine, with what follows from commits."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime
from functools import cache, partial
from typing import TYPE_CHECKING, Final, Protocol

from frontdesk.connect.models.port import LanguageModel
from frontdesk.connect.models.writer import Writer
from frontdesk.core.links import Keys
from frontdesk.core.messages import Channels
from frontdesk.core.sends import Via
from frontdesk.core.text_rules import text_rules
from frontdesk.desks.admin import delivery as admin_delivery
from frontdesk.desks.admin.commands import SettleProblem
from frontdesk.desks.admin.desk import admin_desk
from frontdesk.desks.admin.facts import PersonCorrected, PersonErased
from frontdesk.desks.admin.messages import messages as house_messages
from frontdesk.desks.admin.model import Keep, Part
from frontdesk.desks.admin.reads import AdminReads
from frontdesk.desks.admin.trouble_words import WORDS
from frontdesk.desks.rsvp import delivery as rsvp_delivery
from frontdesk.desks.rsvp import thanks
from frontdesk.desks.rsvp.desk import rsvp_desk
from frontdesk.desks.rsvp.load import rsvp
from frontdesk.desks.rsvp.messages import messages as rsvp_messages
from frontdesk.desks.rsvp.messages.context import EventMail
from frontdesk.desks.rsvp.model import EventId
from frontdesk.desks.rsvp.react import follow_correction, give_up_places
from frontdesk.engine.clock import Clock
from frontdesk.engine.desk import Desk
from frontdesk.engine.engine import Engine
from frontdesk.engine.follow import Binding
from frontdesk.engine.health import Accounts, Health, HourlyCount, health
from frontdesk.engine.ports import Reads, Store
from frontdesk.engine.replay import Replay, replay
from frontdesk.engine.runtime import Runtime
from frontdesk.settings import Settings
from frontdesk.values import Frozen
from frontdesk.wiring import slack, waitlist
from frontdesk.wiring.ids import fresh_id
from frontdesk.wiring.model import WatchedModel, reader_with
from frontdesk.wiring.senders import render_as_business, sender_profile
from frontdesk.wiring.troubles import Troubles
from frontdesk.wiring.waitlist import Reading

if TYPE_CHECKING:
    from frontdesk.desks.rsvp.mailroom import Mailroom
    from frontdesk.reading.model import PictureReader

#: What one desk does about another's facts.
BINDINGS: Final = (
    Binding("ev.from_house", {PersonErased: give_up_places, PersonCorrected: follow_correction}),
    waitlist.FROM_HOUSE,
)


class HomeStore(Store, Protocol):
    """A store that can also say how it is doing."""

    def accounts(self, settled: Callable[[int, datetime], None]) -> Accounts: ...


class Application(Frozen):
    """Ready to be driven: commands run, facts are followed, timers fire, messages go out."""

    settings: Settings
    clock: Clock
    store: HomeStore
    engine: Engine
    runtime: Runtime
    bad_signatures: HourlyCount
    broken_pages: HourlyCount
    writer: Writer | None
    """What a language model writes and chooses, where there is one."""
    troubles: Troubles
    model: WatchedModel | None

    def replay(self, letter_id: int, by: str) -> Replay:
        """A dead letter is tried once more, because somebody asks."""

        def settled(letter_id: int, at: datetime) -> None:
            self.engine.run(SettleProblem(letter_id, replayed=True), by=by, now=at)

        accounts = self.store.accounts(settled)
        return replay(self.runtime, accounts, letter_id, by=by, now=self.clock.now())

    def health(self) -> Health:
        accounts = self.store.accounts(lambda _letter_id, _at: None)
        fd: AdminReads = self.engine.reads().desk("fd")
        troubles = [WORDS[each.part].what for each in fd.troubles() if each.is_shown]
        now = self.clock.now()
        return health(
            accounts, self.runtime.followers, self.bad_signatures, self.broken_pages, now, troubles
        )

    def try_part(self, part: Part) -> bool:
        """Tries something outside that has failed, because staff ask; whether it works."""
        return part is Part.MODEL and self.model is not None and self.model.runtime()

    def close(self) -> None:
        self.store.close()


def build_application(
    settings: Settings,
    store: HomeStore,
    channels: Channels,
    keys: Callable[[], Keys],
    clock: Clock,
    *,
    claim_keys: Callable[[], Keys] | None = None,
    ids: Callable[[], str] = fresh_id,
    chance: Callable[[], float] = random.random,
    model: LanguageModel | None = None,
    pictures: Callable[[], PictureReader | None] = lambda: None,
) -> Application:
    """`keys` gives those that sign links now: they are exchanged while it runs. `claim_keys` does
    so for links about the waitlist, where those have keys of their own.

    `model` helps where there is one: it reads requests beside our rules, drafts thank-you notes,
    and writes a paragraph about the waitlist's month.
    """
    troubles = Troubles(clock)
    watched = WatchedModel(model, troubles) if model else None
    reader = partial(reader_with, watched) if watched else None
    requests = waitlist.request_reader(settings, store.reads, clock, Reading(reader, pictures))
    writer = Writer(watched) if watched else None
    texts = channels.get(Via.TEXT)
    signing = claim_keys or keys
    paragraphs = waitlist.paragraphs(store.reads, writer.month) if writer else None
    listed = waitlist.desk(settings, signing, texts=texts, reader=requests, paragraphs=paragraphs)
    desks = (
        _rsvp(settings, keys, ids, _drafts(store.reads, clock, writer) if writer else None),
        slack.told_in_slack(listed, settings, store.reads, clock),
        _house(settings, keys),
    )
    engine = troubles.engine = Engine(store, desks, ids)
    bindings = (*BINDINGS, waitlist.reading(requests), *slack.following(settings, clock))
    runtime = Runtime(
        engine, channels, chance=chance, bindings=bindings, text_rules=text_rules(settings)
    )
    return Application(
        settings,
        clock,
        store,
        engine,
        runtime,
        HourlyCount(),
        HourlyCount(),
        writer,
        troubles,
        watched,
    )


def _drafts(reads: Callable[[], Reads], clock: Clock, writer: Writer) -> Callable[[EventId], str]:
    """The thank-you note by a model, where one is wanted now and what it wrote can be used."""

    def draft(event_id: EventId) -> str:
        ev = rsvp(reads())
        event = ev.event(event_id)
        if event is None or not thanks.wants_draft(event, clock.now()):
            return ""
        return thanks.usable(writer.thank(thanks.evening_of(event, ev.counts(event_id))))

    return draft


def _rsvp(
    settings: Settings,
    keys: Callable[[], Keys],
    ids: Callable[[], str],
    drafts: Callable[[EventId], str] | None,
) -> Desk:
    mailroom = _mailroom(settings, ids)
    mail = EventMail(
        settings.mail_domain if settings.takes_mail else "",
        lambda reads, mail_id: mailroom().answering(reads, mail_id),
    )
    render = render_as_business(rsvp_messages(mail), sender_profile(settings, keys))
    return rsvp_desk(
        rsvp_delivery.delivery_rules(render),
        lambda reads, recorded: mailroom().read(reads, recorded),
        ids,
        drafts,
    )


def _mailroom(settings: Settings, ids: Callable[[], str]) -> Callable[[], Mailroom]:
    """Loaded with the first mail: most functions never read one."""

    @cache
    def mailroom() -> Mailroom:
        from frontdesk.desks.rsvp.mailroom import Mailroom

        ours = (settings.from_email,)
        return Mailroom(ids, settings.mail_domain, settings.trusted_authserv, ours)

    return mailroom


def _house(settings: Settings, keys: Callable[[], Keys]) -> Desk:
    render = render_as_business(house_messages(), sender_profile(settings, keys))
    keep = Keep(mail_days=settings.keep_mail_days, messages_days=settings.keep_messages_days)
    return admin_desk(admin_delivery.delivery_rules(render), keep)
