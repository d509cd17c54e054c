"""A Google Sheet that staff edit, on a stand-in that checks the shapes of requests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from frontdesk.connect.google_api import BadKey, read_account, read_key
from frontdesk.desks.waitlist.commands import ChangeWish
from frontdesk.desks.waitlist.model import Lane, Wish
from frontdesk.desks.waitlist.sheet import COLUMNS, list_table
from frontdesk.errors import SourceFailed
from frontdesk.features.sheet_sync.google_source import GoogleSource, misplaced
from frontdesk.features.sheet_sync.model import Counts, Row, SheetWrite, SyncReport
from frontdesk.features.sheet_sync.sync import SheetSync
from tests.support.google import EMAIL, FILE, HERE, KEY, Google, api, google
from tests.support.waitlist import WaitlistDesk, waitlist_desk_at

HEADINGS = ["Name", "Phone", "Email", "Service", "Pax", "Until", "VIP", "Notes"]
ANN = ["Ann", 91234567, "", "cut", 2, 46356, True, "tea"]
BOB = ["Bob", "", "bob@example.org", "cut"]


@pytest.fixture
def stand_in() -> Iterator[Google]:
    with google() as found:
        found.rows = [[*HEADINGS], [*ANN], [*BOB]]
        yield found


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[WaitlistDesk]:
    desk = waitlist_desk_at(tmp_path).given()
    yield desk
    desk.close()


def keeper(desk: WaitlistDesk, stand_in: Google) -> SheetSync:
    return SheetSync(
        desk.engine, desk.clock, list_table("SG"), GoogleSource(api(stand_in), FILE, COLUMNS)
    )


@pytest.mark.spec("WL-01", "WL-02")
def test_a_list_in_a_google_sheet_is_kept_in_step(desk: WaitlistDesk, stand_in: Google) -> None:
    keep = keeper(desk, stand_in)
    assert keep.sync() == SyncReport(Counts(joined=2, written=8), version=1)
    assert keep.sync() == SyncReport()

    ids = {one.name: one.entry.id for one in desk.reads.list_rows()}
    assert stand_in.rows == [
        [*HEADINGS, "id", "status"],
        [*ANN, ids["Ann"], "waiting"],
        [*BOB, 1, 46707, "", "", ids["Bob"], "waiting"],
    ]
    desk.join("cat", lane=Lane.FORM)
    bob = desk.entry(ids["Bob"])
    desk.run(ChangeWish(bob.id, Wish("cut", 4, bob.earliest_on, bob.latest_on)))
    assert keep.sync() == SyncReport(Counts(written=2), version=2)
    assert stand_in.rows[2][4] == 4
    assert stand_in.rows[3] == [
        *("Cat", "", "cat@example.org", "cut", 1, 46372, "", "", "cat", "waiting")
    ]
    stand_in.rows[1][4] = 3
    stand_in.edited()
    assert keep.sync().counts == Counts(edited=1)
    assert keep.go_back(1, by="member:1").counts == Counts(edited=2)
    assert (stand_in.rows[1][4], desk.entry(ids["Ann"]).party) == (2, 2)


@pytest.mark.spec("WL-02")
def test_a_sheet_that_has_not_changed_is_not_read(desk: WaitlistDesk, stand_in: Google) -> None:
    keeper(desk, stand_in).sync()
    keeper(desk, stand_in).sync()
    stand_in.asked.clear()
    keep = SheetSync(
        desk.engine,
        desk.clock,
        list_table("SG"),
        GoogleSource(api(stand_in), FILE, COLUMNS),
        changed=False,
    )

    assert [keep.turn(), keep.turn()] == [False, False]
    assert stand_in.asked == ["drive.files.get"]
    stand_in.edited()
    desk.wait(minutes=3)
    assert keep.turn() is True
    assert stand_in.rows[0][-2:] == ["id", "status"]


def test_a_write_to_a_row_that_moved_meanwhile_is_taken_back(
    desk: WaitlistDesk, stand_in: Google
) -> None:
    inserted = iter([["Dan", "", "dan@example.org", "cut"]])

    def insert() -> None:
        stand_in.rows[1:1] = list(inserted)

    stand_in.before_change = insert
    report = keeper(desk, stand_in).sync()

    ids = {one.name: one.entry.id for one in desk.reads.list_rows()}
    assert (report.counts.joined, report.problems) == (3, ())
    assert [(row[0], row[8]) for row in stand_in.rows[1:]] == [
        (name, ids[name]) for name in ("Dan", "Ann", "Bob")
    ]


def test_a_sheet_that_has_changed_since_it_was_read_is_not_written(stand_in: Google) -> None:
    source = GoogleSource(api(stand_in), FILE, COLUMNS)
    token = source.read().token
    stand_in.rows[2][0] = "Rob"
    assert not source.write(token, [SheetWrite(2, 0, "Anna")], ())
    assert [row[0] for row in stand_in.rows] == ["Name", "Ann", "Rob"]


def test_a_sheet_without_room_gets_new_columns(desk: WaitlistDesk, stand_in: Google) -> None:
    stand_in.columns = len(HEADINGS)
    keeper(desk, stand_in).sync()
    assert (stand_in.columns, stand_in.rows[0][8:]) == (10, ["id", "status"])


def test_a_token_is_asked_for_once_an_hour(stand_in: Google) -> None:
    now = [1_000.0]
    source = GoogleSource(api(stand_in, lambda: now[0]), FILE, COLUMNS)
    source.read()
    source.glance()
    assert stand_in.tokens == 1
    now[0] += 3_500
    source.glance()
    assert stand_in.tokens == 2


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (403, f"Share it with {EMAIL}"),
        (404, f"Share it with {EMAIL}"),
        (401, "does not know the service account"),
        (429, "cannot be reached just now"),
        (500, "cannot be reached just now"),
        (302, "cannot be reached just now"),
    ],
)
def test_a_refusal_by_google_is_a_sentence_and_changes_nothing(
    desk: WaitlistDesk, stand_in: Google, status: int, words: str
) -> None:
    keep = keeper(desk, stand_in)
    keep.sync()
    stand_in.status = status
    assert words in keep.sync().trouble
    assert words in desk.reads.sheet.state().trouble
    stand_in.status = 0
    assert keep.sync() == SyncReport()
    assert desk.reads.sheet.state().trouble == ""


def test_a_sheet_in_the_bin_is_not_an_empty_list(desk: WaitlistDesk, stand_in: Google) -> None:
    keep = keeper(desk, stand_in)
    keep.sync()
    stand_in.trashed = True
    assert keep.sync() == SyncReport(trouble="The sheet is in Google's bin.")
    assert [one.entry.status.value for one in desk.reads.list_rows()] == ["waiting"] * 2


def test_a_signature_is_the_one_that_openssl_makes() -> None:
    assert hashlib.sha256(KEY.sign(b"frontdesk")).hexdigest() == (
        "15b04a9058dd78e25d4b3e5401cff340a43fb524e5897922adbc32b421853d9f"
    )
    assert "d=" not in repr(KEY)


@pytest.mark.parametrize("pem", ["", "no key", "-----BEGIN PRIVATE KEY-----\nMAA=\n"])
def test_an_invalid_service_account_key_is_refused(pem: str) -> None:
    for text in (pem, f"{pem}-----END PRIVATE KEY-----"):
        with pytest.raises(BadKey):
            read_key(text)


@pytest.mark.spec("FD-19")
def test_the_account_is_read_from_its_file_and_never_quoted() -> None:
    pem = (HERE / "test_only_key.pem").read_text()
    said = {"client_email": EMAIL, "private_key": pem, "token_uri": "https://example.org/token"}
    account = read_account(json.dumps(said))
    assert (account.email, account.key, account.token_uri) == (
        EMAIL,
        KEY,
        "https://example.org/token",
    )
    assert "key=" not in repr(account)
    for text in ("", "[]", "{}", json.dumps(said | {"private_key": "secret words"})):
        with pytest.raises(SourceFailed) as refused:
            read_account(text)
        assert "secret words" not in str(refused.value)


def test_a_row_is_known_again_after_the_writing() -> None:
    ann, bob = Row(2, ("Ann", "1", "cut")), Row(3, ("Bob", "2", "cut"))
    ours = [SheetWrite(2, 3, "id-ann"), SheetWrite(3, 3, "id-bob"), SheetWrite(3, 1, "9")]
    landed = [Row(2, ("Ann", "1", "cut", "id-ann")), Row(3, ("Bob!", "9", "cut", "id-bob"))]
    assert misplaced([ann, bob], ours, landed) == ()

    moved = [Row(2, ("", "", "", "id-ann")), Row(3, ("Ann", "9", "cut", "id-bob"))]
    assert misplaced([ann, bob], ours, [*moved, Row(4, ("Bob", "2", "cut"))]) == (
        SheetWrite(2, 3, ""),
        SheetWrite(3, 3, ""),
        SheetWrite(3, 1, "1"),
    )
