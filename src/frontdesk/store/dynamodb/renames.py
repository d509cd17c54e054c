"""Renames old attributes of a row before the first write that uses their new names.

Reads accept both names. A condition can use one name only, so a row of an earlier version is
renamed first, in a separate write that changes no value.
"""

from __future__ import annotations

from typing import Final

from botocore.exceptions import ClientError

from frontdesk.store.dynamodb.items import TransactItem, update
from frontdesk.store.dynamodb.schema import TABLES
from frontdesk.store.dynamodb.table_reader import TableReader

_RENAMED: Final = {table.name: table.renamed for table in TABLES if table.renamed}


def rename_first(reader: TableReader, item: TransactItem) -> None:
    """Renames the attributes of a row that was read with old names. Else does nothing."""
    if item.row not in reader.outdated or not _uses_new_names(item):
        return
    names = _RENAMED[item.table]
    sets = ", ".join(f"#{now} = #{then}" for then, now in names)
    gone = ", ".join(f"#{then}" for then, _ in names)
    there = " AND ".join(f"attribute_exists(#{then})" for then, _ in names)
    try:
        reader.write(update(item.table, item.key, f"SET {sets} REMOVE {gone}", when=there))
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise
    reader.outdated.discard(item.row)


def _uses_new_names(item: TransactItem) -> bool:
    expressions = ("UpdateExpression", "ConditionExpression")
    text = " ".join(str(item.request.get(each, "")) for each in expressions)
    return any(now in text for _, now in _RENAMED[item.table])
