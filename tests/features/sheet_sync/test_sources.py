"""One setting names the place of the list."""

from __future__ import annotations

import json

import pytest

from frontdesk.desks.waitlist.sheet import COLUMNS
from frontdesk.errors import SourceFailed
from frontdesk.features.sheet_sync.sources import source_at
from tests.support.google import EMAIL, HERE


def account() -> str:
    pem = (HERE / "test_only_key.pem").read_text()
    said = {"client_email": EMAIL, "private_key": pem, "token_uri": "https://example.org/token"}
    return json.dumps(said)


def no_account() -> str:
    raise AssertionError("nobody needs it")


@pytest.mark.spec("WL-01")
@pytest.mark.parametrize(
    ("where", "name"),
    [
        ("/srv/salon/list.csv", "file:list.csv"),
        ("list.XLSX", "file:list.XLSX"),
        ("https://docs.google.com/spreadsheets/d/1AbC_d-e1234/edit#gid=0", "google:1AbC_d-e1234"),
        ("https://docs.google.com/spreadsheets/d/1AbC_d-e1234", "google:1AbC_d-e1234"),
    ],
)
def test_a_list_is_a_file_or_a_google_sheet(where: str, name: str) -> None:
    source = source_at(where, COLUMNS, account if "google" in where else no_account)
    assert source is not None
    assert source.name == name


def test_without_a_place_it_is_the_built_in_table() -> None:
    assert source_at("", COLUMNS, no_account) is None


@pytest.mark.parametrize(
    "where", ["list.pdf", "https://example.org/list.csv", "https://docs.google.com/document/d/1"]
)
def test_anything_else_is_refused_in_words(where: str) -> None:
    with pytest.raises(SourceFailed, match="The list is kept in a file"):
        source_at(where, COLUMNS, no_account)
