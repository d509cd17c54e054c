"""The admin desk in DynamoDB: members, sessions, dead letters, and lists for staff."""

from __future__ import annotations

from frontdesk.desks.admin import facts
from frontdesk.store.dynamodb.admin.audit import LETTER_WRITES
from frontdesk.store.dynamodb.admin.members import MEMBER_WRITES
from frontdesk.store.dynamodb.admin.old_rows import TIDY_WRITES
from frontdesk.store.dynamodb.admin.reads import DynamoAdminReads
from frontdesk.store.dynamodb.admin.sessions import SESSION_WRITES
from frontdesk.store.dynamodb.tables import DeskItems
from frontdesk.store.fact_json import facts_in

ADMIN = DeskItems(
    code="fd",
    writes={**MEMBER_WRITES, **SESSION_WRITES, **LETTER_WRITES, **TIDY_WRITES},
    reads=DynamoAdminReads,
    facts=facts_in(facts),
)
