"""A container reads settings and keys from AWS."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from frontdesk.aws.clients import Clients
from frontdesk.aws.container import Container
from frontdesk.aws.timers import LONGEST_SECONDS, TooEarly, wait_until
from frontdesk.core.links import Keys, LinkKey
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.keys import keys_in
from frontdesk.errors import BadSettings
from frontdesk.settings import Settings, from_parameters
from tests.aws.payloads import Recorder, refusal

ONE, TWO = "01" * 32, "ab" * 32
CHANCE = "a long string that was made by chance"
NINE = datetime(2026, 11, 16, 1, tzinfo=UTC)


@pytest.mark.spec("FD-08")
@pytest.mark.parametrize(
    ("secret", "keys"),
    [
        (ONE, Keys(LinkKey(1, bytes.fromhex(ONE)))),
        ("7" * 64, Keys(LinkKey(1, bytes.fromhex("7" * 64)))),
        (CHANCE, Keys(LinkKey(1, CHANCE.encode()))),
        (
            json.dumps(
                [
                    {"id": 2, "secret": TWO, "retired_at": None},
                    {"id": 1, "secret": ONE, "retired_at": "2026-11-16T01:00:00+00:00"},
                ]
            ),
            Keys(LinkKey(2, bytes.fromhex(TWO)), (LinkKey(1, bytes.fromhex(ONE)),)),
        ),
    ],
)
def test_keys_are_read_from_a_secret_first_made_by_chance_and_later_rotated(
    secret: str, keys: Keys
) -> None:
    assert keys_in(secret) == keys
    assert keys_in(f"{secret}\n") == keys


@pytest.mark.spec("FD-08", "FD-19")
@pytest.mark.parametrize(
    ("ring", "secret"),
    [("keys", "ev/links/signing-key"), ("claim_keys", "wl/claim/signing-key")],
)
def test_keys_are_read_from_their_own_secret_when_needed_and_again_after_five_minutes(
    ring: str, secret: str
) -> None:
    seconds = [0.0]
    secrets = Recorder("secretsmanager", [text(ONE), refusal("ThrottlingException"), text(TWO)])
    container = Container({}, lambda _service: secrets, lambda: seconds[0])
    keys = getattr(container, ring)
    old, new = keys_in(ONE), keys_in(TWO)

    found = []
    for now in (0.0, 300.0, 301.0, 302.0, 602.0):
        seconds[0] = now
        found.append(keys())

    assert found == [old, old, old, old, new], "what was good stays while the new cannot be read"
    assert secrets.calls == [("get_secret_value", {"SecretId": secret})] * 3


def text(secret: str) -> dict[str, str]:
    return {"SecretString": secret}


@pytest.mark.parametrize("secret", ["", "not long", "[]", "[1]", '[{"id": 1}]', "["])
def test_an_invalid_key_is_refused_without_being_quoted(secret: str) -> None:
    with pytest.raises(BadSettings) as raised:
        keys_in(secret)

    assert not secret or secret not in str(raised.value)


@pytest.mark.spec("FD-19")
def test_settings_are_read_from_parameters_by_their_names_with_dashes() -> None:
    found = from_parameters(
        {"base-url": "https://events.example/", "mail-in-port": "25", "somebody-elses": "x"}
    )

    assert found == Settings(base_url="https://events.example", mail_in_port=25)
    assert found.takes_mail


def test_every_wrong_parameter_is_named_and_a_secret_is_not_shown() -> None:
    with pytest.raises(BadSettings) as raised:
        from_parameters({"base-url": "nowhere", "smtp-port": "many"})

    assert str(raised.value) == (
        "the parameter base-url should be an address with http:// or https://, not 'nowhere'; "
        "the parameter smtp-port should be a port, not 'many'"
    )


@pytest.mark.parametrize(("early", "paused"), [(0, []), (3, [3.0]), (LONGEST_SECONDS, [8.0])])
def test_a_call_that_is_seconds_early_waits(early: float, paused: list[float]) -> None:
    found: list[float] = []

    wait_until(VirtualClock(NINE), NINE + timedelta(seconds=early), found.append)

    assert found == paused


def test_a_call_that_is_much_too_early_is_retried() -> None:
    with pytest.raises(TooEarly, match="due in 60 seconds"):
        wait_until(VirtualClock(NINE), NINE + timedelta(minutes=1))


@pytest.mark.spec("FD-19")
@pytest.mark.parametrize(
    ("service", "seconds"), [("bedrock-runtime", 40), ("bedrock-runtime/quick", 8)]
)
def test_a_model_is_asked_once_and_has_the_time_that_it_needs(
    monkeypatch: pytest.MonkeyPatch, service: str, seconds: float
) -> None:
    """The first use of a schema compiles it, which takes longer than an answer."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "ap-southeast-1")

    config = Clients()(service).meta.config

    assert (config.read_timeout, config.retries["total_max_attempts"]) == (seconds, 1)
