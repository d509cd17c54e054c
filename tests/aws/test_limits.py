"""Rate limits that many functions share: a counter for each address and purpose."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from frontdesk.store.dynamodb.limits import DynamoLimits
from frontdesk.store.dynamodb.schema import FD_RATELIMIT
from frontdesk.web.limits import Limits, Rate, RateLimits, network
from tests.aws.payloads import Recorder, refusal
from tests.support.dynamodb import Tables, needs_dynamodb

RATE = Rate(burst=3, per_minute=60)


class Now:
    def __init__(self) -> None:
        self.seconds = 1_794_790_800.0

    def __call__(self) -> float:
        return self.seconds


def shared(dynamodb: Tables, now: Now) -> DynamoLimits:
    return DynamoLimits(dynamodb.client, dynamodb.prefix, network=network, clock=now)


@needs_dynamodb
@pytest.mark.spec("FD-28")
def test_the_table_allows_exactly_what_the_limits_in_memory_allow(dynamodb: Tables) -> None:
    now = Now()
    here, there = Limits(now), shared(dynamodb, now)
    limits: tuple[RateLimits, ...] = (here, there)

    answers = []
    for waited in (0, 0, 0, 0, 0.5, 0.5, 0, 1, 10, 0, 0, 0, 0):
        now.seconds += waited
        answers.append(tuple(each.take("sign up", "192.0.2.7", RATE) for each in limits))

    assert [there for _, there in answers] == [here for here, _ in answers]
    assert [there for _, there in answers].count(False) > 2


@needs_dynamodb
def test_purposes_and_addresses_have_buckets_of_their_own_and_a_household_has_one(
    dynamodb: Tables,
) -> None:
    limits, once = shared(dynamodb, Now()), Rate(burst=1, per_minute=1)

    assert limits.take("sign up", "2001:db8::1", once)
    assert not limits.take("sign up", "2001:db8::2", once)
    assert limits.take("sign up", "192.0.2.8", once)
    assert limits.take("links", "2001:db8::1", once)
    assert "192.0.2.8" not in str(dynamodb.rows(FD_RATELIMIT))
    assert all(int(row["expires_at"]["N"]) > 1_794_790_800 for row in dynamodb.rows(FD_RATELIMIT))


@needs_dynamodb
def test_of_many_at_once_exactly_the_burst_gets_in(dynamodb: Tables) -> None:
    limits = shared(dynamodb, Now())

    with ThreadPoolExecutor(8) as pool:
        allowed = list(pool.map(lambda _: limits.take("x", "192.0.2.7", RATE), range(24)))

    assert allowed.count(True) == RATE.burst


def test_without_the_table_every_request_is_allowed(
    capfd: pytest.CaptureFixture[str],
) -> None:
    broken = Recorder("dynamodb", [refusal("AccessDeniedException")])
    broken.__dict__["exceptions"] = type(
        "Exceptions", (), {"ConditionalCheckFailedException": KeyError}
    )

    assert DynamoLimits(broken).take("x", "192.0.2.7", RATE)
    assert '"event": "limits.failed"' in capfd.readouterr().err
