"""The desk in DynamoDB."""

from frontdesk.store.dynamodb.items import TransactItem, apply, put_new, update
from frontdesk.store.dynamodb.schema import FD_AUDIT, Table, TableKey
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import DeskItems, one
from frontdesk.store.fact_json import FactJson
from frontdesk.store.rows import DynamoRows
from frontdesk.values import replace
from tests.examples.desk_callbacks.model import CODE, AddCall, Call, CallAsked, CallComing, MoveCall

CALL = DynamoRows(Call, {"id": "call_id"})
CB_CALLS = Table("cb-calls", TableKey(("call_id", "S")))
CB_AUDIT = replace(FD_AUDIT, name="cb-audit")


class DynamoCallReads:
    def __init__(self, reader: TableReader, _codec: FactJson) -> None:
        self._reader = reader

    def call(self, call_id: str) -> Call | None:
        return CALL.read_or_none(self._reader.get(CB_CALLS, call_id))

    def calls(self) -> list[Call]:
        found = [CALL.read(row) for row in self._reader.scan(CB_CALLS)]
        return sorted(found, key=lambda call: (call.call_at, call.id))


def add(change: AddCall) -> TransactItem:
    return put_new(CB_CALLS.name, CB_CALLS.key.names, CALL.row(change.call))


def move(change: MoveCall) -> TransactItem:
    key = {"call_id": change.call_id}
    return apply(CB_CALLS.name, key, change, "SET #state = :after", when="#state = :before")


def forget_person(reader: TableReader, person_id: str) -> None:
    for row in reader.scan(CB_CALLS, only="person_id = :person", person=person_id):
        key = {"call_id": row["call_id"]}
        reader.write(update(CB_CALLS.name, key, "SET question = :nothing", nothing=""))


ITEMS = DeskItems(
    code=CODE,
    writes={AddCall: one(add), MoveCall: one(move)},
    reads=DynamoCallReads,
    facts=(CallAsked, CallComing),
    forget_person=forget_person,
)
