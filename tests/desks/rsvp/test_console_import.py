"""A host imports a list: checks how it was read, runs it, and reads the report."""

from __future__ import annotations

import html

import pytest

from frontdesk.connect.tables import write_xlsx
from frontdesk.desks.rsvp.commands import SetCap
from frontdesk.desks.rsvp.model import State
from tests.desks.rsvp.console_desk import (
    ConsoleDesk,
    Host,
    error_at,
    form_fields,
    multipart,
)
from tests.support.browser import Answer

LIST = "Ann Lee <ann@example.org>\nbob@example.org\nCat, cat@example.org\nnobody at all\n"


def preview(con: ConsoleDesk, host: Host, pasted: str = "", file: bytes = b"") -> Answer:
    fields = {"csrf": host.get(f"{con.url}/import").csrf, "pasted": pasted}
    files = {"file": ("list.xlsx", file)} if file else {}
    body, kind = multipart(fields, files)
    return host.ask("POST", f"{con.url}/import", body, {"content-type": kind})


def begin(con: ConsoleDesk, host: Host, page: Answer, how: str) -> Answer:
    fields = form_fields(page.text, f"{con.url}/import/begin")
    sent = {name: html.unescape(value or "") for name, value in fields.items()} | {"how": how}
    body, kind = multipart(sent, {})
    answer = host.ask("POST", f"{con.url}/import/begin", body, {"content-type": kind})
    assert answer.status == 303, answer.says
    con.desk.settle()
    return host.get(answer.location)


def states(con: ConsoleDesk) -> dict[str, State]:
    rows = con.desk.reads.guest_rows(con.desk.event_id)
    return {row.person.email.partition("@")[0]: row.guest.state for row in rows}


@pytest.mark.spec("EV-10")
def test_the_preview_says_what_was_understood_and_changes_nothing(con: ConsoleDesk) -> None:
    con.desk.given(cap=2, confirmed=["ann"])
    host, before = con.owner(), con.dump()

    page = preview(con, host, LIST)

    assert page.status == 200
    for said in (
        "Guests 3 3 people with those they bring",
        "On the list already 1 nothing changes for them",
        "Left out 1",
        "“nobody at all” has no e-mail address.",
        "Ann Lee ann@example.org",
    ):
        assert said in page.says, said
    assert con.dump() == before


def test_the_preview_counts_a_single_person_as_one(con: ConsoleDesk) -> None:
    con.desk.given(cap=2)

    page = preview(con, con.owner(), "bob@example.org")

    assert "Guests 1 1 person with those they bring" in page.says
    assert "The first row" in page.says


@pytest.mark.spec("EV-10")
def test_confirmed_rows_take_seats_in_order_and_the_rest_lines_up_with_a_report_for_each(
    con: ConsoleDesk,
) -> None:
    con.desk.given(cap=2)
    host = con.owner()

    report = begin(con, host, preview(con, host, LIST), "confirm")

    assert states(con) == {
        "ann": State.CONFIRMED,
        "bob": State.CONFIRMED,
        "cat": State.WAITING,
    }
    assert "Done: 2 got a seat, 1 joined the line, 1 was left out." in report.says
    for row in ("Ann Lee Has a seat", "Bob Has a seat", "Cat In line", "has no e-mail address."):
        assert row in report.says, row


@pytest.mark.spec("EV-10")
def test_the_same_list_twice_changes_nothing_and_the_report_says_so(con: ConsoleDesk) -> None:
    con.desk.given(cap=5)
    host = con.owner()
    first, second = preview(con, host, LIST), preview(con, host, LIST)
    begin(con, host, first, "confirm")
    guests, facts = states(con), len(con.desk.facts())

    report = begin(con, host, second, "confirm")

    assert "Done: 3 were on the list already, 1 was left out." in report.says
    assert states(con) == guests
    assert [one.fact.kind for one in con.desk.facts()[facts:]] == ["ev.job_begun"]


def test_a_list_of_people_who_are_all_listed_brings_in_nobody(con: ConsoleDesk) -> None:
    con.desk.given(cap=5, confirmed=["ann"])
    page = preview(con, con.owner(), "ann@example.org")

    assert "Everybody in it is on the list already" in page.says
    assert "Bring in" not in page.says


def test_the_button_counts_only_those_who_are_new(con: ConsoleDesk) -> None:
    con.desk.given(cap=5, confirmed=["ann"])
    host = con.owner()

    assert "Bring in 2 guests" in preview(con, host, LIST).says
    assert "Bring in 1 guest " in preview(con, host, "ann@example.org\nbob@example.org").says


@pytest.mark.spec("EV-10")
def test_imports_so_far_say_what_became_of_every_row(con: ConsoleDesk) -> None:
    con.desk.given(cap=1, confirmed=["ann"])
    host = con.owner()
    begin(con, host, preview(con, host, LIST), "confirm")

    assert (
        "Imports so far 4 rows: 2 joined the line, 1 was on the list already, 1 was left out"
        in host.get(f"{con.url}/import").says
    )


@pytest.mark.spec("EV-10")
def test_a_guest_who_declined_elsewhere_is_left_out_and_the_preview_names_the_column(
    con: ConsoleDesk,
) -> None:
    con.desk.given(cap=5)
    host = con.owner()
    exported = (
        "name,email,approval_status\nAnn,ann@example.org,approved\nBob,bob@example.org,declined\n"
    )

    page = preview(con, host, exported)
    assert "“approval_status” is the answer" in page.says
    assert "Who declined or cancelled according to “approval_status” is left out." in page.says
    assert "Bring in 1 guest " in page.says
    report = begin(con, host, page, "confirm")

    assert states(con) == {"ann": State.CONFIRMED}
    assert "Done: 1 got a seat, 1 was left out." in report.says
    assert (
        "bob@example.org Left out 1 3"
        " Row 3: bob@example.org is not coming: the list says “declined”." in report.says
    )


def test_a_row_without_a_name_is_called_by_its_address_or_its_number(con: ConsoleDesk) -> None:
    con.desk.given(cap=5)
    host = con.owner()
    pasted = "ann@example.org\nann@example.org\nnobody at all"

    report = begin(con, host, preview(con, host, pasted), "confirm")

    assert "Nobody " not in report.says
    assert "ann@example.org Left out 1 2 Row 2: “ann@example.org” is already in" in report.says
    assert "Row 3 Left out 1 3 Row 3: “nobody at all” has no e-mail address." in report.says


@pytest.mark.spec("EV-10")
def test_invited_rows_hold_no_seat(con: ConsoleDesk) -> None:
    con.desk.given(cap=5)
    host = con.owner()
    book = write_xlsx(
        ("Full name", "E-Mail", "Guests", "Shoe size"),
        [("Ann Lee", "ann@example.org", 2, 38), ("Bo", "bo@example.org", 1, 40)],
        sheet="List",
    )

    page = preview(con, host, file=book)
    assert "“E-Mail” is the e-mail" in page.says
    assert "Not read: Shoe size." in page.says
    begin(con, host, page, "invite")

    assert states(con) == {"ann": State.PENDING, "bo": State.PENDING}
    assert con.desk.seats.taken == 0
    assert con.desk.mail_to("ann")[-1].subject == "You're invited: Pottery workshop"


def test_several_people_on_one_line_each_have_their_row(con: ConsoleDesk) -> None:
    con.desk.given(cap=5)
    host = con.owner()
    begin(con, host, preview(con, host, "ann@example.org; bob@example.org\n"), "confirm")
    assert states(con) == {"ann": State.CONFIRMED, "bob": State.CONFIRMED}


def test_pressing_the_button_twice_begins_one_import(con: ConsoleDesk) -> None:
    con.desk.given(cap=5)
    host = con.owner()
    page = preview(con, host, LIST)
    begin(con, host, page, "confirm")
    begin(con, host, page, "confirm")
    assert len(con.desk.reads.jobs(con.desk.event_id)) == 1


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    ("pasted", "file", "says"),
    [
        ("", b"", "Please paste a list or choose a file."),
        ("no address here", b"", "There is nobody in this list to bring in."),
        ("", b"PK\x03\x04 not really", "list.xlsx: "),
        ("", b"\x00\xff\xfe" * 50, "There is nobody in this list to bring in."),
    ],
)
def test_a_list_that_cannot_be_read_is_answered_and_changes_nothing(
    con: ConsoleDesk, pasted: str, file: bytes, says: str
) -> None:
    con.desk.given(cap=5)
    host, before = con.owner(), con.dump()

    page = preview(con, host, pasted, file)

    assert page.status == 422
    assert error_at(page, "pasted").startswith(says)
    assert con.dump() == before


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    "rows",
    [
        "",
        "[]",
        "{",
        "[[1]]",
        '[["x","Ann","ann@example.org",1]]',
        '[[1,"A","a@b.org",1],[1,"B","b@b.org",1]]',
    ],
)
def test_rows_that_were_tampered_with_on_their_way_are_refused(con: ConsoleDesk, rows: str) -> None:
    con.desk.given(cap=5)
    host, before = con.owner(), con.dump()
    answer = host.act(f"{con.url}/import", f"{con.url}/import/begin", rows0=rows, how="confirm")

    assert answer.status == 400
    assert "The list has been lost on its way. Please choose it again." in answer.says
    assert con.dump() == before


def test_a_row_that_became_a_bad_one_on_its_way_is_left_out_with_its_reason(
    con: ConsoleDesk,
) -> None:
    con.desk.given(cap=5)
    host = con.owner()
    rows = '[[1,"Ann","not an address",1],[2,"Bob","bob@example.org",5000]]'
    page = host.act(f"{con.url}/import", f"{con.url}/import/begin", rows0=rows, how="confirm")
    con.desk.settle()

    (job,) = con.desk.reads.jobs(con.desk.event_id)
    says = host.get(f"{con.url}/import/{job.id}").says
    assert "An e-mail address has no spaces in it." in says
    assert "The party is larger than the event" in says
    assert page.status == 200
    assert states(con) == {}


PARTIES = "Name,E-mail,Party\nAnn,ann@example.org,6\nBob,bob@example.org,5\n"


@pytest.mark.spec("EV-10", "EV-11")
def test_a_party_larger_than_the_event_is_left_out_from_the_preview_on(con: ConsoleDesk) -> None:
    con.desk.given(cap=5)
    host = con.owner()

    page = preview(con, host, PARTIES)
    report = begin(con, host, page, "confirm")

    too_large = "Row 2: The party is larger than the event, which has 5 seats."
    assert too_large in page.says
    assert "Bring in 1 guest " in page.says
    assert too_large in report.says
    assert states(con) == {"bob": State.CONFIRMED}


@pytest.mark.spec("EV-10", "EV-11")
def test_a_party_that_the_event_became_too_small_for_is_left_out_and_named_in_the_report(
    con: ConsoleDesk,
) -> None:
    con.desk.given(cap=6)
    host = con.owner()
    page = preview(con, host, PARTIES)
    con.desk.do(SetCap(con.desk.event_id, 5))

    report = begin(con, host, page, "confirm")

    assert "The party is larger than the event" in report.says
    assert states(con) == {"bob": State.CONFIRMED}
    assert con.desk.seats.waiting == 0
