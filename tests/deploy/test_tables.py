"""The tables of the template are those that the store expects."""

from typing import Any

import pytest

from frontdesk.store.dynamodb.schema import TABLES, Table, create_request
from tests.deploy.templates import properties, resources

DEPLOYED = {each["TableName"]: each for each in properties("AWS::DynamoDB::Table").values()}
CARE = {
    each["Properties"]["TableName"]: (each["DeletionPolicy"], each["UpdateReplacePolicy"])
    for each in resources("AWS::DynamoDB::Table").values()
}
each_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)


def expected(table: Table) -> dict[str, Any]:
    wanted = create_request(table)
    if table.stream:
        del wanted["StreamSpecification"]["StreamEnabled"]
    if table.expires:
        wanted["TimeToLiveSpecification"] = {"AttributeName": "expires_at", "Enabled": True}
    else:
        wanted["PointInTimeRecoverySpecification"] = {"PointInTimeRecoveryEnabled": True}
    return wanted


def test_the_template_has_the_tables_of_the_store_and_no_others() -> None:
    assert sorted(DEPLOYED) == sorted(table.name for table in TABLES)


@each_table
def test_a_table_is_laid_out_as_the_store_writes_it(table: Table) -> None:
    assert DEPLOYED[table.name] == expected(table)


@each_table
def test_only_tables_of_temporary_rows_are_deleted_with_the_stack(table: Table) -> None:
    kept = ("RetainExceptOnCreate", "Retain")
    assert CARE[table.name] == (("Delete", "Delete") if table.expires else kept)
