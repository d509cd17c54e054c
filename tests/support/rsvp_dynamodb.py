"""Drives the RSVP desk on DynamoDB in virtual time, with the same methods as on a data file."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from frontdesk.channels.mailbox import MailboxChannel
from frontdesk.core.ids import new_id
from frontdesk.core.messages import Message, Text
from frontdesk.core.sends import SentMessage, Via
from frontdesk.desks.rsvp.model import EventId
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.keys import link_keys
from frontdesk.settings import Settings as ServerSettings
from frontdesk.store.dynamodb.admin import ADMIN
from frontdesk.store.dynamodb.rsvp import RSVP
from frontdesk.store.dynamodb.schema import FD_MESSAGES
from frontdesk.store.dynamodb.sends import read_kept
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.store.dynamodb.values import row_of
from frontdesk.store.dynamodb.waitlist import WAITLIST
from frontdesk.wiring.application import build_application
from frontdesk.wiring.one_machine import Frontdesk
from tests.support.dynamodb import Tables
from tests.support.rsvp import NINE, RsvpDesk

FAR_AWAY = datetime.max.replace(tzinfo=NINE.tzinfo, year=2999)
ALL = 1_000_000


class InOrder(MailboxChannel):
    """Records the order in which messages went out."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    def send(self, message: Message | Text) -> None:
        self.sent.append(message.message_id)


class DynamoRsvpDesk(RsvpDesk):
    tables: Tables
    channel: InOrder

    def mail_to(self, who: str) -> list[SentMessage]:
        kept = [read_kept(row_of(wire)) for wire in self.tables.rows(FD_MESSAGES)]
        mine = [each for each in kept if each.to_email == f"{who}@example.org"]
        return sorted(mine, key=lambda each: self.channel.sent.index(each.message_id))

    def timers(self) -> dict[str, datetime]:
        return dict(sorted(self.product.store.due_timers(FAR_AWAY, ALL)))

    def dead_letters(self) -> list[str]:
        return [each.why for each in self.product.engine.reads().engine.dead_letters(ALL)]


def dynamo_rsvp_desk(
    tables: Tables, folder: Path, client: Any = None, **how: Any
) -> DynamoRsvpDesk:
    """`client` wraps the client of the tables; `how` has options of the store."""
    clock = VirtualClock(NINE)
    store = DynamoStore(
        client or tables.client, tables.bucket, [RSVP, WAITLIST, ADMIN], prefix=tables.prefix, **how
    )
    channel = InOrder()
    keys = link_keys(folder)
    product = build_application(
        ServerSettings(data_dir=folder), store, {Via.MAIL: channel}, lambda: keys, clock
    )
    desk = DynamoRsvpDesk(cast(Frontdesk, product), clock, EventId(new_id(os.urandom(16))), {})
    desk.tables, desk.channel = tables, channel
    return desk
