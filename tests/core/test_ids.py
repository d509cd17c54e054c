import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.core.ids import BadId, id_bytes, is_id, new_id

SIXTEEN_BYTES = st.binary(min_size=16, max_size=16)


def test_an_id_has_26_characters_that_are_easy_to_read_aloud() -> None:
    assert new_id(bytes(16)) == "00000000000000000000000000"
    last = [new_id(bytes(15) + bytes([value]))[-1] for value in range(32)]

    assert "".join(last) == "0123456789abcdefghjkmnpqrstvwxyz"
    assert new_id(bytes(15) + b"\x21") == "00000000000000000000000011"
    assert new_id(b"\xff" * 16) == "7zzzzzzzzzzzzzzzzzzzzzzzzz"


@given(SIXTEEN_BYTES)
def test_an_id_leads_back_to_its_bytes(random: bytes) -> None:
    assert id_bytes(new_id(random)) == random


@given(SIXTEEN_BYTES, SIXTEEN_BYTES)
def test_ids_sort_like_their_bytes(one: bytes, other: bytes) -> None:
    assert (new_id(one) < new_id(other)) == (one < other)


@given(st.text(max_size=30) | st.text("0123456789abcdefghjkmnpqrstvwxyz", min_size=25, max_size=27))
def test_every_accepted_id_has_only_one_spelling(text: str) -> None:
    if is_id(text):
        assert new_id(id_bytes(text)) == text
    else:
        with pytest.raises(BadId):
            id_bytes(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7zzzzzzzzzzzzzzzzzzzzzzzz",
        "7zzzzzzzzzzzzzzzzzzzzzzzzzz",
        "80000000000000000000000000",
        "7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
        "0000000000000000000000000o",
        "0000000000000000000000000l",
        "0000000000000000000000000\n",
        "0000000000000000000000000٣",
        "00000000000000000000000000\n",
    ],
)
def test_other_spellings_are_refused(text: str) -> None:
    assert not is_id(text)
    with pytest.raises(BadId):
        id_bytes(text)


@pytest.mark.parametrize("random", [b"", bytes(15), bytes(17)])
def test_an_id_is_made_of_sixteen_bytes(random: bytes) -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        new_id(random)
