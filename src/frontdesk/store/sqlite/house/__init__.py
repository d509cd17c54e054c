"""The house in SQLite: members, sessions, the business, and what staff look at."""

from __future__ import annotations

from frontdesk.desks.house import facts
from frontdesk.store.fact_json import facts_in
from frontdesk.store.sqlite.house.dead_letters import LETTER_WRITES
from frontdesk.store.sqlite.house.members import MEMBER_WRITES
from frontdesk.store.sqlite.house.reads import SqliteHouseReads
from frontdesk.store.sqlite.house.sessions import SESSION_WRITES
from frontdesk.store.sqlite.house.tidying import TIDY_WRITES
from frontdesk.store.sqlite.tables import DeskTables

HOUSE = DeskTables(
    code="fd",
    writes={**MEMBER_WRITES, **SESSION_WRITES, **LETTER_WRITES, **TIDY_WRITES},
    reads=SqliteHouseReads,
    facts=facts_in(facts),
)
