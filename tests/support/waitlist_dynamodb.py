"""Drives the waitlist desk on DynamoDB in virtual time, with the same methods as on a data file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from frontdesk.core.messages import Channel
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.ports import Store
from frontdesk.store.dynamodb.schema import FD_MESSAGES, FD_TIMERS
from frontdesk.store.dynamodb.sends import read_kept
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.store.dynamodb.values import row_of
from frontdesk.store.dynamodb.waitlist import WAITLIST
from tests.support.dynamodb import Tables
from tests.support.rsvp_dynamodb import ALL, FAR_AWAY, InOrder
from tests.support.waitlist import NINE, WaitlistDesk


@dataclass(kw_only=True)
class DynamoWaitlistDesk(WaitlistDesk):
    tables: Tables
    client: Any = None
    """Wraps the client of the tables."""

    def new_store(self) -> Store:
        """Opens the store. Its retries do not pause."""
        return DynamoStore(
            self.client or self.tables.client,
            self.tables.bucket,
            [WAITLIST],
            prefix=self.tables.prefix,
            pause=lambda _seconds: None,
        )

    def mail(self) -> list[tuple[str, str]]:
        assert isinstance(self.channel, InOrder)
        kept = [read_kept(row_of(wire)) for wire in self.tables.rows(FD_MESSAGES)]
        kept.sort(key=lambda each: self.channel.sent.index(each.message_id))  # type: ignore[attr-defined]
        return [(each.to_email.partition("@")[0], each.subject) for each in kept]

    def timers(self) -> dict[str, datetime]:
        return dict(sorted(self.store.due_timers(FAR_AWAY, ALL)))

    def dead_letters(self) -> list[str]:
        return [each.why for each in self.engine.reads().engine.dead_letters(ALL)]

    def lose_timers(self) -> None:
        for wire in self.tables.rows(FD_TIMERS):
            self.tables.client.delete_item(
                TableName=self.tables.prefix + FD_TIMERS.name, Key={"name": wire["name"]}
            )


def dynamo_waitlist_desk(
    tables: Tables, channel: Channel | None = None, client: Any = None
) -> DynamoWaitlistDesk:
    return DynamoWaitlistDesk(
        Path("nowhere"), VirtualClock(NINE), channel or InOrder(), tables=tables, client=client
    )
