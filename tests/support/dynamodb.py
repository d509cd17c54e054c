"""Creates all tables under unique names and empties them after each test, on the emulator or
elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from uuid import uuid4

import boto3
import pytest
from botocore.config import Config

from frontdesk.store.dynamodb.schema import TABLES, Table, create_request
from frontdesk.store.dynamodb.table_reader import ContentBucket
from frontdesk.values import Frozen, field
from tests.support import expressions
from tests.support.emulator import REGION, emulator

#: The address of another DynamoDB, or 'aws' for the account that the environment names.
ELSEWHERE = os.environ.get("FRONTDESK_TEST_DYNAMODB", "")
#: The most rows that one request may delete.
AT_ONCE = 25
#: For tests on DynamoDB.
needs_dynamodb = pytest.mark.needs(*(() if ELSEWHERE == "aws" else ("ministack",)))


class Tables(Frozen):
    client: Any
    bucket: ContentBucket
    waitlist_mail: ContentBucket
    prefix: str
    touched: set[str] = field(default_factory=set)
    """The names of those that somebody may have written to."""

    def create(self) -> None:
        for table in TABLES:
            self.client.create_table(**create_request(table, self.prefix))
        for table in TABLES:
            self.client.get_waiter("table_exists").wait(TableName=self.prefix + table.name)
        for hook in (self._called, expressions.check):
            self.client.meta.events.register("provide-client-params.dynamodb", hook)

    def empty(self) -> None:
        for table in TABLES:
            if self.prefix + table.name in self.touched:
                self._empty(table)
        self.touched.clear()

    def rows(self, table: Table) -> list[dict[str, Any]]:
        pages = self.client.get_paginator("scan").paginate(
            TableName=self.prefix + table.name, ConsistentRead=True
        )
        return [item for page in pages for item in page["Items"]]

    def drop(self) -> None:
        for table in TABLES:
            self.client.delete_table(TableName=self.prefix + table.name)
        for bucket in (self.bucket, self.waitlist_mail):
            for key in keys_in(bucket):
                bucket.delete(key)
            bucket.s3.delete_bucket(Bucket=bucket.name)

    def _empty(self, table: Table) -> None:
        name = self.prefix + table.name
        keys = [{part: item[part] for part in table.key.names} for item in self.rows(table)]
        requests = [{"DeleteRequest": {"Key": key}} for key in keys]
        while requests:
            part, requests = requests[:AT_ONCE], requests[AT_ONCE:]
            answer = self.client.batch_write_item(RequestItems={name: part})
            requests += answer.get("UnprocessedItems", {}).get(name, [])

    def _called(self, params: dict[str, Any], **_more: Any) -> None:
        for item in params.get("TransactItems", ()):
            self.touched.update(part["TableName"] for part in item.values())
        if "TableName" in params:
            self.touched.add(params["TableName"])


def keys_in(bucket: ContentBucket) -> list[str]:
    pages = bucket.s3.get_paginator("list_objects_v2").paginate(Bucket=bucket.name)
    return [each["Key"] for page in pages for each in page.get("Contents", ())]


@contextmanager
def new_tables() -> Iterator[Tables]:
    with ExitStack() as stack:
        prefix = f"fd-test-{uuid4().hex[:12]}-"
        if ELSEWHERE == "aws":
            dynamodb, s3 = _at(None, "dynamodb"), _at(None, "s3")
        else:
            local = stack.enter_context(emulator())
            dynamodb = _at(ELSEWHERE, "dynamodb") if ELSEWHERE else local.fast_client()
            s3 = local.client("s3")
        mail, waitlist_mail = (
            ContentBucket(s3, f"{prefix}mail"),
            ContentBucket(s3, f"{prefix}waitlist-mail"),
        )
        for each in (mail, waitlist_mail):
            s3.create_bucket(
                Bucket=each.name,
                CreateBucketConfiguration={"LocationConstraint": s3.meta.region_name},
            )
        tables = Tables(dynamodb, mail, waitlist_mail, prefix)
        tables.create()
        stack.callback(tables.drop)
        yield tables


def _at(url: str | None, service: str) -> Any:
    keys = {"aws_access_key_id": "test", "aws_secret_access_key": "test"} if url else {}
    region = os.environ.get("AWS_REGION", REGION)
    config = Config(max_pool_connections=320)
    return boto3.client(service, endpoint_url=url, region_name=region, config=config, **keys)


@pytest.fixture(scope="session")
def _tables() -> Iterator[Tables]:
    """Creates the tables once for each process, when its first test needs them."""
    with new_tables() as tables:
        yield tables


@pytest.fixture
def dynamodb(_tables: Tables) -> Iterator[Tables]:
    """Yields empty tables."""
    yield _tables
    _tables.empty()
