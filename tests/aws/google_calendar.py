"""A stand-in for Google Calendar that the deployed functions use."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.aws.cloud import Cloud
from tests.support.google import service_key
from tests.support.google_calendar import GoogleCalendarServer
from tests.support.vendor_server import serve


@contextmanager
def google_calendars(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, calendars: str, **config: str
) -> Iterator[GoogleCalendarServer]:
    """Connects these calendars, and saves more settings by their names."""
    prefix, ssm = cloud.tables.prefix, cloud.clients["ssm"]
    secrets = cloud.clients["secretsmanager"]
    monkeypatch.setenv("FRONTDESK_SECRET_SETTINGS", f" /{prefix}calendars")
    monkeypatch.setenv("FRONTDESK_GOOGLE_SECRET", f"{prefix}calendar-key")
    server = GoogleCalendarServer()
    with serve(server):
        config = {**config, "google_api": server.address}
        settings = {
            f"/{prefix}calendars": json.dumps({"calendars": calendars}),
            **{f"/{prefix}config/{name.replace('_', '-')}": each for name, each in config.items()},
        }
        for name, value in settings.items():
            ssm.put_parameter(Name=name, Value=value, Type="String", Overwrite=True)
        key = service_key(f"{server.address}/token")
        secrets.create_secret(Name=f"{prefix}calendar-key", SecretString=key)
        yield server
        ssm.delete_parameters(Names=list(settings))
        secrets.delete_secret(SecretId=f"{prefix}calendar-key", ForceDeleteWithoutRecovery=True)
