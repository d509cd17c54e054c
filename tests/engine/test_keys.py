"""Link keys are made once and kept private; old keys stay until their links have expired."""

import json
import stat
from datetime import timedelta
from pathlib import Path

import pytest

from frontdesk.core.links import ExpiredLink, Link, read, sign
from frontdesk.engine.keys import (
    FILE_NAME,
    LONGEST_LINK,
    NUMBER_FILE,
    link_keys,
    number_key,
    number_key_in,
    rotate,
)
from frontdesk.errors import BadSettings
from tests.engine.driver import NINE

LINK = Link(1, bytes(16), 7, NINE + LONGEST_LINK)


def test_keys_are_made_at_the_first_start_and_stay_the_same(tmp_path: Path) -> None:
    first = link_keys(tmp_path)

    assert link_keys(tmp_path) == first
    assert len(first.current.secret) == 32
    assert stat.S_IMODE((tmp_path / FILE_NAME).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


@pytest.mark.spec("FD-08")
def test_links_signed_before_a_rotation_work_until_they_expire(tmp_path: Path) -> None:
    old = sign(LINK, link_keys(tmp_path))

    keys = rotate(tmp_path, NINE)

    assert keys == link_keys(tmp_path)
    assert sign(LINK, keys) != old
    assert read(old, keys, NINE) == LINK
    with pytest.raises(ExpiredLink):
        read(old, keys, LINK.expires_at)


@pytest.mark.spec("FD-08")
def test_a_key_is_deleted_once_every_link_that_it_signed_has_expired(tmp_path: Path) -> None:
    first = link_keys(tmp_path).current
    second = rotate(tmp_path, NINE).current

    third = rotate(tmp_path, NINE + LONGEST_LINK)

    assert (third.find(first.id), third.find(second.id)) == (None, second)


@pytest.mark.spec("FD-08")
@pytest.mark.parametrize("later", [timedelta(days=31), LONGEST_LINK - timedelta(seconds=1)])
def test_a_key_stays_through_rotations_as_long_as_a_link_may_live(
    tmp_path: Path, later: timedelta
) -> None:
    """The last link of a key is signed just before the next rotation."""
    old = sign(LINK, link_keys(tmp_path))
    rotate(tmp_path, NINE)

    keys = rotate(tmp_path, NINE + later)

    assert read(old, keys, NINE + later) == LINK


def test_new_keys_get_free_ids_and_running_out_is_a_clear_error(
    tmp_path: Path,
) -> None:
    ids = [*range(9, -1, -1), *range(255, 10, -1)]
    rows = [{"id": each, "secret": "ab" * 32, "retired_at": NINE.isoformat()} for each in ids]
    (tmp_path / FILE_NAME).write_text(json.dumps(rows))

    assert rotate(tmp_path, NINE + timedelta(days=1)).current.id == 10
    with pytest.raises(BadSettings, match="every key id is in use"):
        rotate(tmp_path, NINE + timedelta(days=1))
    assert len(link_keys(tmp_path).old) == 255


@pytest.mark.parametrize("text", ["", "{}", '[{"id": 1}]', '[{"id": 1, "secret": "00"}]', "[1]"])
def test_a_file_that_holds_no_keys_is_named_and_left_alone(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE_NAME).write_text(text)

    with pytest.raises(BadSettings, match="is not a file of link keys"):
        link_keys(tmp_path)
    assert (tmp_path / FILE_NAME).read_text() == text


def test_the_key_for_numbers_is_made_once_and_outlives_rotations(tmp_path: Path) -> None:
    assert number_key_in(tmp_path) is None
    key = number_key(tmp_path)
    rotate(tmp_path, NINE)

    assert number_key(tmp_path) == number_key_in(tmp_path) == key
    assert len(key) == 32
    assert stat.S_IMODE((tmp_path / NUMBER_FILE).stat().st_mode) == 0o600


def test_a_broken_key_for_numbers_is_named_and_not_replaced(tmp_path: Path) -> None:
    (tmp_path / NUMBER_FILE).write_text("half of a k")

    with pytest.raises(BadSettings, match=NUMBER_FILE):
        number_key(tmp_path)
    assert (tmp_path / NUMBER_FILE).read_text() == "half of a k"
