from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.core.links import BadLink, ExpiredLink, Keys, Link, LinkKey, read, sign
from frontdesk.values import replace

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
SECOND = timedelta(seconds=1)
OLD, NEW = LinkKey(7, b"o" * 32), LinkKey(8, b"n" * 32)
KEYS = Keys(NEW, (OLD,))
LINK = Link(purpose=3, subject=bytes(range(16)), thing=41, expires_at=NOW + timedelta(days=30))
TOKEN = sign(LINK, KEYS)

links = st.builds(
    Link,
    purpose=st.integers(0, 255),
    subject=st.binary(min_size=16, max_size=16),
    thing=st.integers(0, 2**32 - 1),
    expires_at=st.integers(1, 2**32 - 1).map(lambda s: datetime.fromtimestamp(s, UTC)),
)


@pytest.mark.spec("FD-08")
@given(links)
def test_a_signed_link_is_read_back_from_a_short_token(link: Link) -> None:
    token = sign(link, KEYS)

    assert read(token, KEYS, link.expires_at - SECOND) == link
    assert len(token) <= 60
    assert token.replace("-", "").replace("_", "").isalnum()
    assert token.isascii()


def test_the_form_of_a_token_stays_the_same_so_that_links_in_old_mails_work() -> None:
    token = "CAMAAQIDBAUGBwgJCgsMDQ4PAAAAKWsnmRCNmalDU16iUVFIvS5VCmMT"

    assert sign(LINK, KEYS) == token
    assert read(token, KEYS, NOW) == LINK


@pytest.mark.spec("FD-08")
def test_a_link_is_dead_from_its_expiry_on_and_still_says_what_it_was() -> None:
    assert read(TOKEN, KEYS, LINK.expires_at - SECOND) == LINK
    for late in (LINK.expires_at, LINK.expires_at + timedelta(days=999)):
        with pytest.raises(ExpiredLink) as refused:
            read(TOKEN, KEYS, late)
        assert refused.value.link == LINK


@pytest.mark.spec("FD-08")
def test_every_single_flipped_bit_is_refused() -> None:
    signed = urlsafe_b64decode(TOKEN)
    for bit in range(8 * len(signed)):
        flipped = bytearray(signed)
        flipped[bit // 8] ^= 1 << bit % 8
        assert_forged(urlsafe_b64encode(flipped).decode())


@pytest.mark.spec("FD-08")
def test_every_changed_dropped_or_added_character_is_refused() -> None:
    for place in range(len(TOKEN)):
        assert_forged(TOKEN[:place] + TOKEN[place + 1 :])
        assert_forged(TOKEN[:place])
        for other in "Aa0-_ =.\n+/é":
            if other != TOKEN[place]:
                assert_forged(TOKEN[:place] + other + TOKEN[place + 1 :])
            assert_forged(TOKEN[:place] + other + TOKEN[place:])


@pytest.mark.spec("FD-08")
@pytest.mark.parametrize(
    "alike", [TOKEN + "=", TOKEN + "\n", " " + TOKEN, TOKEN.lower(), TOKEN.upper(), TOKEN * 2]
)
def test_a_token_has_only_one_spelling(alike: str) -> None:
    assert_forged(alike)


@pytest.mark.spec("FD-08")
@given(links, links)
def test_a_signature_is_valid_for_its_own_link_only(one: Link, other: Link) -> None:
    """A signature does not fit any part of another link."""
    signed = urlsafe_b64decode(sign(one, KEYS))
    wanted = urlsafe_b64decode(sign(other, KEYS))
    for start, end in ((0, 1), (1, 2), (2, 18), (18, 22), (22, 26), (0, 26)):
        swapped = signed[:start] + wanted[start:end] + signed[end:]
        if swapped != signed:
            assert_forged(urlsafe_b64encode(swapped).decode())


@pytest.mark.spec("FD-08")
def test_keys_rotate_and_old_links_work_until_their_key_is_gone() -> None:
    from_before = sign(LINK, Keys(OLD))

    assert read(from_before, KEYS, NOW) == LINK
    with pytest.raises(BadLink, match="not one of ours"):
        read(from_before, Keys(NEW), NOW)


def test_another_secret_under_the_same_key_id_opens_nothing() -> None:
    with pytest.raises(BadLink, match="not one of ours"):
        read(TOKEN, Keys(replace(NEW, secret=b"x" * 32)), NOW)


def test_an_expired_forgery_is_a_forgery() -> None:
    with pytest.raises(BadLink) as refused:
        read("B" + TOKEN[1:], KEYS, LINK.expires_at + SECOND)
    assert not isinstance(refused.value, ExpiredLink)


@given(st.text(max_size=80) | st.text("AZaz09-_=", min_size=50, max_size=60))
def test_any_other_text_is_a_bad_link(text: str) -> None:
    assert_forged(text)


@pytest.mark.parametrize(
    ("part", "wrong"),
    [
        ("purpose", 256),
        ("purpose", -1),
        ("subject", bytes(15)),
        ("thing", 2**32),
        ("thing", -1),
        ("expires_at", NOW.replace(microsecond=1)),
        ("expires_at", NOW.replace(tzinfo=None)),
        ("expires_at", NOW.replace(year=2107)),
        ("expires_at", NOW.replace(year=1969)),
    ],
)
def test_a_link_that_does_not_fit_is_not_made(part: str, wrong: object) -> None:
    parts: dict[str, object] = {
        "purpose": LINK.purpose,
        "subject": LINK.subject,
        "thing": LINK.thing,
        "expires_at": LINK.expires_at,
    }
    with pytest.raises(ValueError, match=r"not|whole seconds"):
        Link(**{**parts, part: wrong})  # type: ignore[arg-type]


def test_weak_or_ambiguous_keys_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 32 bytes"):
        LinkKey(1, b"short")
    with pytest.raises(ValueError, match="0 to 255"):
        LinkKey(256, b"x" * 32)
    with pytest.raises(ValueError, match="an id of its own"):
        Keys(NEW, (OLD, replace(OLD, secret=b"z" * 32)))


def test_a_key_does_not_show_its_secret() -> None:
    assert repr(KEYS) == "Keys(current=Key(id=8), old=(Key(id=7),))"


def assert_forged(token: str) -> None:
    with pytest.raises(BadLink) as refused:
        read(token, KEYS, NOW)
    assert not isinstance(refused.value, ExpiredLink)
