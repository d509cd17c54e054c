"""A stand-in for Google Drive that the deployed functions read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.aws.cloud import Cloud
from tests.support.google import RULES_DOC, Google, google


@contextmanager
def drive_with_rules(
    cloud: Cloud,
    monkeypatch: pytest.MonkeyPatch,
    *,
    bucket: str,
    setting: str,
    document: str = RULES_DOC,
) -> Iterator[Google]:
    """`setting` names the document; the variable `bucket` names the bucket of its copies."""
    prefix, ssm = cloud.tables.prefix, cloud.clients["ssm"]
    secrets = cloud.clients["secretsmanager"]
    monkeypatch.setenv(bucket, cloud.tables.bucket.name)
    monkeypatch.setenv("FRONTDESK_DRIVE_SECRET", f"{prefix}drive")
    with google() as found:
        settings = {setting: document, "google-api": found.address}
        names = [f"/{prefix}config/{name}" for name in settings]
        for name, value in zip(names, settings.values(), strict=True):
            ssm.put_parameter(Name=name, Value=value, Type="String", Overwrite=True)
        secrets.create_secret(Name=f"{prefix}drive", SecretString=found.key)
        yield found
        ssm.delete_parameters(Names=names)
        secrets.delete_secret(SecretId=f"{prefix}drive", ForceDeleteWithoutRecovery=True)
