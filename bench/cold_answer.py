"""Measures the CPU time of a function's first response after a cold start, and of its second.

Tables, settings and keys come from the emulator, so only the function's own CPU time counts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import boto3

from bench.cold import clean, fresh_code
from tests.aws.payloads import request
from tests.support.dynamodb import Tables, new_tables
from tests.support.emulator import REGION

ROUNDS: Final = 5
KEYS: Final = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
SETTINGS: Final = {
    "base-url": "https://events.example",
    "links-url": "https://links.example",
    "console-url": "https://desk.example",
    "from-email": "events@frontdesk.example",
    "mail-domain": "frontdesk.example",
}

#: An event with one guest, their link, and a host who has signed in.
_PREPARE: Final = """
import json
from datetime import timedelta
from frontdesk.aws.console import fd_console
from frontdesk.aws.container import deployment
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.desk import first_link
from frontdesk.desks.rsvp.commands import CreateEvent, SignUp
from frontdesk.desks.rsvp.links import GuestLinks
from frontdesk.desks.rsvp.model import Details, EventId, GuestId, Lane, Settings

back, keys = deployment().back, deployment().keys()
now = back.clock.now()
starts = now + timedelta(days=30)
details = Details("Pottery workshop", starts, starts + timedelta(hours=2), "UTC", "12 Kiln Lane")
event, guest, person = (back.engine.new_id() for _ in range(3))
create = CreateEvent(EventId(event), "pottery", details, Settings(), 5)
who = (GuestId(guest), PersonId(person), "Ann", "ann@example.org")
for command in (create, SignUp(EventId(event), *who, 1, Lane.FORM)):
    back.engine.run(command, by="bench", now=now)
ann = back.engine.reads().engine.person(PersonId(person))
links = GuestLinks(back.settings.links_at, keys, GuestId(guest), ann.contact_version, details)
sign_in = first_link(back.engine, keys, back.settings.console_at, now)
sign_in = sign_in.removeprefix(back.settings.console_at)
press = dict(GIVEN, rawPath=sign_in)
press["requestContext"]["http"].update(method="POST", path=sign_in)
press["headers"]["origin"] = "https://desk.example"
press["headers"]["host"] = "desk.example"
press["headers"]["content-type"] = "application/x-www-form-urlencoded"
answer = fd_console(press, None)
cookie = answer["cookies"][0].partition(";")[0]
print(json.dumps({"event": event, "link": links.manage(), "cookie": cookie}))
"""

#: CPU milliseconds for the import, the first response and the second.
_MEASURE: Final = """
import time
began = time.process_time()
from frontdesk.aws.{module} import {function} as handler
imported = time.process_time()
first = handler(GIVEN, None)
answered = time.process_time()
second = handler(GIVEN, None)
done = time.process_time()
assert (first["statusCode"], second["statusCode"]) == (200, 200), first
print(*((b - a) * 1000 for a, b in ((began, imported), (imported, answered), (answered, done))))
"""


def report(rounds: int = ROUNDS) -> None:
    with fresh_code() as build, new_tables() as tables:
        environment = _deployment(tables)
        prepared = json.loads(_run(build, environment, _PREPARE, request()).splitlines()[-1])
        for (module, function), payload in _requests(prepared).items():
            code = _MEASURE.format(module=module, function=function)
            measured = [
                tuple(map(float, _run(build, environment, code, payload).split()))
                for _ in range(rounds)
            ]
            imported, first, second = (min(each) for each in zip(*measured, strict=True))
            whole = min(sum(each[:2]) for each in measured)
            print(
                f"cold answer {function}: import {imported:.0f} ms, first {first:.0f} ms,"
                f" both {whole:.0f} ms; the next {second:.1f} ms"
            )


def _requests(prepared: Mapping[str, str]) -> dict[tuple[str, str], Any]:
    link = prepared["link"].removeprefix(SETTINGS["links-url"])
    return {
        ("rsvp.pages", "register"): request(path="/e/pottery"),
        ("rsvp.pages", "link_handler"): request(path=link),
        ("console", "fd_console"): request(
            path=f"/console/events/{prepared['event']}", cookies=[prepared["cookie"]]
        ),
    }


def _deployment(tables: Tables) -> dict[str, str]:
    """Creates settings and a key; returns the environment of the functions."""
    url, prefix = tables.client.meta.endpoint_url, tables.prefix
    ssm, secrets = (
        boto3.client(name, endpoint_url=url, region_name=REGION, **KEYS)
        for name in ("ssm", "secretsmanager")
    )
    for name, value in SETTINGS.items():
        ssm.put_parameter(Name=f"/{prefix}config/{name}", Value=value, Type="String")
    secrets.create_secret(Name=f"{prefix}key", SecretString="0123456789abcdef" * 4)
    return {
        "AWS_ENDPOINT_URL": url,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_ACCESS_KEY_ID": KEYS["aws_access_key_id"],
        "AWS_SECRET_ACCESS_KEY": KEYS["aws_secret_access_key"],
        "FRONTDESK_MAIL_BUCKET": tables.bucket.name,
        "FRONTDESK_TABLE_PREFIX": prefix,
        "FRONTDESK_CONFIG_PATH": f"/{prefix}config/",
        "FRONTDESK_LINKS_SECRET": f"{prefix}key",
    }


def _run(build: Path, environment: Mapping[str, str], code: str, payload: object) -> str:
    return clean(build, f"GIVEN = {payload!r}\n{code}", environment)


if __name__ == "__main__":
    report()
