"""The admin desk in SQLite: members, sessions, dead letters, and lists for staff."""

from __future__ import annotations

from frontdesk.desks.admin import facts
from frontdesk.store.fact_json import facts_in
from frontdesk.store.sqlite.admin.dead_letters import LETTER_WRITES
from frontdesk.store.sqlite.admin.members import MEMBER_WRITES
from frontdesk.store.sqlite.admin.old_rows import TIDY_WRITES
from frontdesk.store.sqlite.admin.reads import SqliteAdminReads
from frontdesk.store.sqlite.admin.sessions import SESSION_WRITES
from frontdesk.store.sqlite.tables import DeskTables

ADMIN = DeskTables(
    code="fd",
    writes={**MEMBER_WRITES, **SESSION_WRITES, **LETTER_WRITES, **TIDY_WRITES},
    reads=SqliteAdminReads,
    facts=facts_in(facts),
)
