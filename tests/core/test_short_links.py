"""Short tokens for SMS are as strict as long ones, and neither is accepted as the other."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.core.links import (
    SHORT_CHARACTERS,
    BadLink,
    ExpiredLink,
    Keys,
    Link,
    LinkKey,
    purpose_in,
    read,
    sign,
    sign_short,
)

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
MIDNIGHT = datetime(2026, 12, 21, tzinfo=UTC)
OLD, NEW = LinkKey(7, b"o" * 32), LinkKey(8, b"n" * 32)
KEYS = Keys(NEW, (OLD,))
LINK = Link(50, bytes(range(16)), 3 << 16 | 2, NOW + timedelta(days=30))
TOKEN = sign_short(LINK, KEYS)

small = st.integers(0, 255)
links = st.builds(
    Link,
    purpose=small,
    subject=st.binary(min_size=16, max_size=16),
    thing=st.builds(lambda high, low: high << 16 | low, small, small),
    expires_at=st.integers(1, 49_000).map(lambda days: datetime.fromtimestamp(days * 86_400, UTC)),
)


@pytest.mark.spec("FD-08")
@given(links)
def test_a_signed_link_is_read_back_from_44_characters(link: Link) -> None:
    token = sign_short(link, KEYS)

    assert read(token, KEYS, link.expires_at - timedelta(seconds=1)) == link
    assert len(token) == SHORT_CHARACTERS
    assert purpose_in(token) == link.purpose


@pytest.mark.spec("FD-08")
def test_a_short_link_lives_until_the_end_of_its_last_day() -> None:
    assert read(TOKEN, KEYS, MIDNIGHT - timedelta(seconds=1)).expires_at == MIDNIGHT
    with pytest.raises(ExpiredLink):
        read(TOKEN, KEYS, MIDNIGHT)


def test_the_form_of_a_short_token_stays_the_same_so_that_links_in_old_texts_work() -> None:
    assert TOKEN == "CDIAAQIDBAUGBwgJCgsMDQ4PAwJRSIc8jFayu0MdyhNE"
    assert read(sign(LINK, KEYS), KEYS, NOW) == LINK
    assert read(sign_short(LINK, Keys(OLD)), KEYS, NOW).thing == LINK.thing


def test_a_thing_that_is_too_large_gets_the_usual_token() -> None:
    large = Link(50, bytes(16), 256, LINK.expires_at)

    assert sign_short(large, KEYS) == sign(large, KEYS)


@pytest.mark.spec("FD-08")
def test_every_single_flipped_bit_and_every_cut_of_a_long_token_is_refused() -> None:
    signed, usual = urlsafe_b64decode(TOKEN), urlsafe_b64decode(sign(LINK, KEYS))
    flipped = []
    for bit in range(8 * len(signed)):
        changed = bytearray(signed)
        changed[bit // 8] ^= 1 << bit % 8
        flipped.append(bytes(changed))
    forged = [*flipped, usual[: len(signed)], usual[-len(signed) :], usual[:22] + usual[26:37]]

    for each in forged:
        with pytest.raises(BadLink):
            read(urlsafe_b64encode(each).decode(), KEYS, NOW)
