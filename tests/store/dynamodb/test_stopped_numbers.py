"""Numbers that want no texts are stored under a key that is in another table."""

from __future__ import annotations

import pytest

from frontdesk.core.contacts import keyed, number_digest
from frontdesk.core.people import ResumeNumber, StopNumber
from frontdesk.store.dynamodb.engine_reads import KEY, StoppedNumbers
from frontdesk.store.dynamodb.schema import FD_PEOPLE, FD_SETTINGS
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.store.dynamodb.table_reader import TableReader
from tests.store.samples import commit
from tests.support.dynamodb import Tables, needs_dynamodb

pytestmark = needs_dynamodb

MOBILE, OTHER = "+6591234567", "+6591234568"


def opened(dynamodb: Tables) -> DynamoStore:
    return DynamoStore(dynamodb.client, dynamodb.bucket, [], prefix=dynamodb.prefix)


@pytest.mark.spec("FD-15", "FD-20")
def test_the_people_table_alone_does_not_reveal_numbers(dynamodb: Tables) -> None:
    reader = TableReader(dynamodb.client, dynamodb.bucket, dynamodb.prefix)
    commit(opened(dynamodb), StopNumber(MOBILE))

    [setting] = reader.scan(FD_SETTINGS)
    key = bytes.fromhex(setting["value"])
    assert (setting["key"], len(key)) == (KEY, 32)
    assert list(reader.scan(FD_PEOPLE)) == [
        {"person_id": f"stopped#{keyed(number_digest(MOBILE), key)}"}
    ]


@pytest.mark.spec("FD-15")
def test_everybody_uses_the_key_that_was_made_first(dynamodb: Tables) -> None:
    reader = TableReader(dynamodb.client, dynamodb.bucket, dynamodb.prefix)
    first, second = opened(dynamodb), opened(dynamodb)
    late = StoppedNumbers(reader)
    commit(first, StopNumber(MOBILE))
    commit(second, StopNumber(OTHER))

    for store in (first, second, opened(dynamodb)):
        assert store.reads().engine.number_stopped(MOBILE)
        assert store.reads().engine.number_stopped(OTHER)
    assert late._new_key() == late._known_key()
    assert len(list(reader.scan(FD_SETTINGS))) == 1


def test_a_number_that_never_stopped_can_be_resumed(dynamodb: Tables) -> None:
    commit(opened(dynamodb), ResumeNumber(MOBILE))

    assert not opened(dynamodb).reads().engine.number_stopped(MOBILE)
