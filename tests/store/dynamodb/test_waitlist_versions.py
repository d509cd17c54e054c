"""Versions of the list in their own bucket, which keeps overwritten objects."""

from __future__ import annotations

import json
import zlib

import pytest

from frontdesk.core.decision import Accepted, Change
from frontdesk.core.people import AddPerson, ErasePerson, PersonId
from frontdesk.features.sheet_sync.model import KeepVersion, Row, Version, VersionHead
from frontdesk.store.dynamodb import admin, waitlist
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.store.dynamodb.table_reader import ContentBucket
from tests.support.dynamodb import Tables, needs_dynamodb
from tests.support.waitlist import NINE


@needs_dynamodb
@pytest.mark.spec("FD-20")
def test_nothing_of_an_erased_person_stays_in_a_versioned_bucket(dynamodb: Tables) -> None:
    s3 = dynamodb.bucket.s3
    bucket = ContentBucket(s3, f"{dynamodb.prefix}sheets")
    where = {"LocationConstraint": s3.meta.region_name}
    s3.create_bucket(Bucket=bucket.name, CreateBucketConfiguration=where)
    s3.put_bucket_versioning(Bucket=bucket.name, VersioningConfiguration={"Status": "Enabled"})
    store = DynamoStore(
        dynamodb.client,
        dynamodb.bucket,
        [admin.ADMIN, waitlist.WAITLIST],
        prefix=dynamodb.prefix,
        sheet_buckets={"wl": bucket},
    )
    rows = (Row(1, ("name", "e-mail")), Row(2, ("Ann", "ann@example.org")))
    changes: tuple[Change, ...] = (
        AddPerson(PersonId("p-ann"), "Ann", "ann@example.org", "ann@example.org"),
        KeepVersion("wl", Version(VersionHead(1, NINE, "sheet", "table"), rows)),
        ErasePerson(PersonId("p-ann")),
    )
    for change in changes:
        store.commit(Accepted((change,)), by="test", at=NINE)

    left = [
        zlib.decompress(
            s3.get_object(Bucket=bucket.name, Key=each["Key"], VersionId=each["VersionId"])[
                "Body"
            ].read()
        )
        for each in s3.list_object_versions(Bucket=bucket.name).get("Versions", ())
    ]
    assert [json.loads(body)["rows"] for body in left] == [
        [{"line": 1, "cells": ["name", "e-mail"]}]
    ]
    for each in s3.list_object_versions(Bucket=bucket.name).get("Versions", ()):
        s3.delete_object(Bucket=bucket.name, Key=each["Key"], VersionId=each["VersionId"])
