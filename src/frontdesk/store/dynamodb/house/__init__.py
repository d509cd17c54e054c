"""The house in DynamoDB: members, sessions, the business, and what staff look at."""

from __future__ import annotations

from frontdesk.desks.house import facts
from frontdesk.store.dynamodb.house.dead_letters import LETTER_WRITES
from frontdesk.store.dynamodb.house.members import MEMBER_WRITES
from frontdesk.store.dynamodb.house.reads import DynamoHouseReads
from frontdesk.store.dynamodb.house.sessions import SESSION_WRITES
from frontdesk.store.dynamodb.house.tidying import TIDY_WRITES
from frontdesk.store.dynamodb.tables import DeskItems
from frontdesk.store.fact_json import facts_in

HOUSE = DeskItems(
    code="fd",
    writes={**MEMBER_WRITES, **SESSION_WRITES, **LETTER_WRITES, **TIDY_WRITES},
    reads=DynamoHouseReads,
    facts=facts_in(facts),
)
