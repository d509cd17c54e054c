"""The list is a file that staff edit; changes by customers appear in it."""

from pathlib import Path

import pytest

from frontdesk.desks.waitlist.commands import ClaimOffer
from frontdesk.desks.waitlist.model import Lane
from frontdesk.errors import BadSettings
from frontdesk.settings import Settings
from frontdesk.wiring.one_machine import build
from tests.support.salon import MINUTE, Salon, salon
from tests.support.sheets import save_file

HEAD = "Name,Mobile,E-mail,Service,Party,From,Until,Staff,Priority,Joined,Id,Status\n"


def turn(shop: Salon) -> None:
    shop.later(MINUTE)
    for task in shop.product.periodic_tasks:
        task.turn()
    shop.settle()


@pytest.mark.spec("WL-01")
@pytest.mark.spec("WL-02")
def test_a_row_in_the_file_is_on_the_list_and_a_booking_stands_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "waitlist.csv"
    save_file(file, HEAD + "Ann,,ann@example.org,Cut,1,2026-11-16,2026-11-30,,,,,\n")
    with salon(tmp_path / "data", waitlist_sheet=str(file)) as shop:
        turn(shop)
        [entry] = shop.wl.entries()
        assert f",{entry.id},waiting" in file.read_text()

        slot = shop.frees()
        shop.run(ClaimOffer(slot.id, 1))
        turn(shop)
        assert f",{entry.id},booked" in file.read_text()
        assert len(shop.wl.sheet.heads(10)) == 2


@pytest.mark.spec("WL-01")
def test_an_entry_by_the_form_is_added_to_the_file_below_the_rows_of_staff(tmp_path: Path) -> None:
    file = tmp_path / "waitlist.csv"
    save_file(file, HEAD + "Ann,,ann@example.org,Cut,1,2026-11-16,2026-11-30,,,,,\n")
    with salon(tmp_path / "data", waitlist_sheet=str(file)) as shop:
        turn(shop)
        shop.joins("Bob", lane=Lane.FORM)
        turn(shop)

        assert [line.split(",")[0] for line in file.read_text().splitlines()] == [
            "Name",
            "Ann",
            "Bob",
        ]


@pytest.mark.spec("WL-02")
def test_many_rows_that_vanish_at_once_take_nobody_off_and_staff_are_asked(tmp_path: Path) -> None:
    file = tmp_path / "waitlist.csv"
    rows = [
        f"Guest {n},,guest{n}@example.org,Cut,1,2026-11-16,2026-11-30,,,,,\n" for n in range(12)
    ]
    save_file(file, HEAD + "".join(rows))
    with salon(tmp_path / "data", waitlist_sheet=str(file)) as shop:
        shop.with_staff("mia@example.org")
        turn(shop)
        whole = file.read_text()
        save_file(file, HEAD)
        turn(shop)
        save_file(file, HEAD + "\n")
        turn(shop)

        assert {entry.status.value for entry in shop.wl.entries()} == {"waiting"}
        assert [one["subject"] for one in shop.messages("mia@example.org")] == [
            "12 rows are gone from the waitlist's sheet"
        ]
        save_file(file, whole)
        turn(shop)
        assert shop.wl.sheet.state().missing == ()


TROUBLE = "The waitlist's sheet cannot be used just now"


@pytest.mark.spec("WL-02")
@pytest.mark.parametrize("how", ["is gone", "makes no sense"])
def test_of_trouble_that_lasts_staff_hear_once_and_again_after_it_was_well(
    tmp_path: Path, how: str
) -> None:
    file = tmp_path / "waitlist.csv"
    good = HEAD + "Ann,,ann@example.org,Cut,1,2026-11-16,2026-11-30,,,,,\n"
    save_file(file, good)

    def breaks() -> None:
        save_file(file, "Shopping list\n") if how == "makes no sense" else file.unlink()

    with salon(tmp_path / "data", waitlist_sheet=str(file)) as shop:
        shop.with_staff("mia@example.org")

        def mails(minutes: int) -> list[str]:
            """Runs turns for these minutes; returns the subjects of mails to staff."""
            for _ in range(minutes):
                turn(shop)
            return [one["subject"] for one in shop.messages("mia@example.org")]

        mails(1)
        breaks()
        assert mails(15) == []
        save_file(file, good)
        assert mails(15) == []

        breaks()
        assert mails(30) == [TROUBLE]
        assert mails(90) == [TROUBLE]
        save_file(file, good)
        assert mails(15) == [TROUBLE]

        breaks()
        assert mails(30) == [TROUBLE, TROUBLE]
        assert shop.wl.sheet.state().trouble in shop.messages("mia@example.org")[-1]["text"]
        assert [entry.status.value for entry in shop.wl.entries()] == ["waiting"]


def test_an_invalid_sheet_setting_is_named_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match=r"waitlist_sheet: .*\.csv or \.xlsx"):
        build(Settings(data_dir=tmp_path, waitlist_sheet="list.doc"))
    url = "https://docs.google.com/spreadsheets/d/1abcDEF_-x/edit"
    with pytest.raises(BadSettings, match="google_account"):
        build(Settings(data_dir=tmp_path, waitlist_sheet=url))
    key = tmp_path / "account.json"
    with pytest.raises(BadSettings, match=f"google_account: {key} cannot be read: No such file"):
        build(Settings(data_dir=tmp_path, waitlist_sheet=url, google_account=str(key)))


@pytest.mark.spec("WL-01", "WL-02")
def test_another_person_in_the_row_of_a_booking_changes_nothing_and_staff_are_told(
    tmp_path: Path,
) -> None:
    file = tmp_path / "waitlist.csv"
    save_file(file, HEAD + "Ann,,ann@example.org,Cut,1,2026-11-16,2026-11-30,,,,,\n")
    with salon(tmp_path / "data", waitlist_sheet=str(file)) as shop:
        turn(shop)
        slot = shop.frees()
        shop.run(ClaimOffer(slot.id, 1))
        turn(shop)
        as_booked = file.read_text()

        save_file(file, as_booked.replace("Ann,,ann@", "Zoe Tan,,zoe@"))
        found = [problems_of(shop) for _ in range(2)]
        save_file(file, as_booked)

        [[problem], still] = found
        assert still == [problem]
        assert problem.startswith("They have taken a slot, so nothing was changed.")
        assert [row.name for row in shop.wl.list_rows()] == ["Ann"]
        assert shop.messages("zoe@example.org") == []
        assert problems_of(shop) == []


def problems_of(shop: Salon) -> list[str]:
    turn(shop)
    return [each.text for each in shop.wl.sheet.state().problems]
