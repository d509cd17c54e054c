"""The desk in SQLite. Its table is made by the migration in this folder."""

from sqlite3 import Connection

from frontdesk.store.fact_json import FactJson
from frontdesk.store.rows import SqliteRows
from frontdesk.store.sqlite.tables import Db, DeskTables, Write, add_row, statement
from tests.examples.desk_callbacks.model import CODE, AddCall, Call, CallAsked, CallComing, MoveCall

CALL = SqliteRows(Call, {"id": "call_id"})


class SqliteCallReads:
    def __init__(self, db: Db, _codec: FactJson) -> None:
        self._db = db

    def call(self, call_id: str) -> Call | None:
        sql = f"SELECT {CALL.columns} FROM cb_call WHERE call_id = ?"
        return CALL.read_or_none(self._db().execute(sql, (call_id,)).fetchone())

    def calls(self) -> list[Call]:
        sql = f"SELECT {CALL.columns} FROM cb_call ORDER BY call_at, call_id"
        return [CALL.read(row) for row in self._db().execute(sql)]


def add(db: Connection, change: AddCall) -> bool:
    return add_row(db, "cb_call", CALL, change.call)


MOVE = "UPDATE cb_call SET state = :after WHERE call_id = :call_id AND state = :before"


def forget_person(db: Connection, person_id: str) -> None:
    db.execute("UPDATE cb_call SET question = '' WHERE person_id = ?", (person_id,))


TABLES = DeskTables(
    code=CODE,
    writes={
        AddCall: Write("cb_call", lambda change: change.call.id, add),
        MoveCall: Write("cb_call", lambda change: change.call_id, statement(MOVE)),
    },
    reads=SqliteCallReads,
    facts=(CallAsked, CallComing),
    forget_person=forget_person,
)
