"""CSV files as spreadsheets and other event tools write them."""

import pytest

from frontdesk.connect.tables import (
    Meaning,
    PeopleTable,
    PersonRow,
    RowProblem,
    TableColumn,
    read_people,
)

ZOE = PersonRow(2, "Zoë Müller", "zoe@example.org", 2)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "latin-1"]
)
def test_separator_and_encoding_are_detected_by_content(separator: str, encoding: str) -> None:
    lines = ["Name,E-Mail,Party", "Zoë Müller,zoe@example.org,2", ""]
    data = "\r\n".join(lines).replace(",", separator).encode(encoding)

    assert read_people(data, filename="picture.png").rows == (ZOE,)


def test_a_file_without_headings_is_read_by_its_cells() -> None:
    table = read_people('"Müller, Zoë",zoe@example.org,2\nAnn,ann@example.org,', filename="a.csv")

    assert table == PeopleTable(
        rows=(
            PersonRow(1, "Müller, Zoë", "zoe@example.org", 2),
            PersonRow(2, "Ann", "ann@example.org", 1),
        ),
        columns=(),
        problems=(),
    )


def test_the_columns_that_were_found_are_named() -> None:
    table = read_people("Phone;E-Mail;Gast;Begleitung\n1;ann@example.org;Ann;3", filename=None)

    assert table == PeopleTable(
        rows=(PersonRow(2, "Ann", "ann@example.org", 4),),
        columns=(
            TableColumn(0, "Phone", None),
            TableColumn(1, "E-Mail", Meaning.EMAIL),
            TableColumn(2, "Gast", Meaning.NAME),
            TableColumn(3, "Begleitung", Meaning.EXTRA),
        ),
        problems=(),
    )


@pytest.mark.parametrize(
    ("headings", "row"),
    [
        ("full name,email address,party size", "Ann Lee,ann@example.org,3"),
        ("First Name,Last Name,Email,Seats", "Ann,Lee,ann@example.org,3"),
        ("firstName,lastName,emailAddress,plusOnes", "Ann,Lee,ann@example.org,2"),
        ("Guest,Mail,+1", "Ann Lee,ann@example.org,2"),
        ("Guest,E-mail,Number of additional guests", "Ann Lee,ann@example.org,2"),
        ("Vorname,Name,E-Mail-Adresse,Anzahl Personen", "Ann,Lee,ann@example.org,3"),
        ("Nachname,Vorname,Mail,Begleitpersonen", "Lee,Ann,ann@example.org,2"),
        ("Prénom,Nom,Courriel,Nombre de personnes", "Ann,Lee,ann@example.org,3 personnes"),
        ("Nombre,Apellidos,Correo electrónico,Acompañantes", "Ann,Lee,ann@example.org,2"),
        ("Nome,Cognome,Indirizzo e-mail,Posti", "Ann,Lee,ann@example.org,3.0"),
        ("Naam,E-mailadres,Aantal personen", "Ann Lee,ann@example.org,3"),
        ("氏名,メールアドレス,人数", "Ann Lee,ann@example.org,3"),
        ("ФИО,Электронная почта,Party", "Ann Lee,ann@example.org,+2"),
        ("Name,Username,Guests", "Ann Lee,ann@example.org,3"),
        (
            "E-mail status,Partner's full name,What is your full name?,Mail,Pax",
            "sent,Bob,Ann Lee,ann@example.org,3",
        ),
        ("Buyer Email,Email,Name,Qty", "bob@example.org,ann@example.org,Ann Lee,3"),
    ],
)
def test_headings_are_known_in_many_words(headings: str, row: str) -> None:
    table = read_people(f"{headings}\n{row}", filename=None)

    assert table.rows == (PersonRow(2, "Ann Lee", "ann@example.org", 3),)


def test_an_export_from_luma_is_understood() -> None:
    text = (
        "api_id,name,first_name,last_name,email,phone_number,created_at,approval_status,"
        "custom_source,checked_in_at,amount,currency,coupon_code,eth_address,ticket_type_id,"
        "ticket_name,Any dietary restrictions?\n"
        "gst-1,Ann Lee,Ann,Lee,ann@example.org,,2026-05-01T10:00:00Z,approved,,,0,usd,,0x1,t,"
        "Standard,vegan\n"
        "gst-2,,Bob,Ray,bob@example.org,,2026-05-01T10:00:00Z,approved,,,0,usd,,,t,Standard,\n"
    )

    assert read_people(text, filename="Guests.csv").rows == (
        PersonRow(2, "Ann Lee", "ann@example.org", 1, "vegan"),
        PersonRow(3, "Bob Ray", "bob@example.org", 1),
    )


def test_an_export_from_eventbrite_is_understood() -> None:
    text = (
        "Order #,Order Date,First Name,Last Name,Email,Quantity,Price Tier,Ticket Type,Attendee #,"
        "Group,Order Type,Currency,Total Paid,Attendee Status,Buyer First Name,Buyer Last Name,"
        "Buyer Email\n"
        "991,2026-05-01,Ann,Lee,ann@example.org,2,,General,17,,Free,USD,0.00,Attending,Bob,Ray,"
        "bob@example.org\n"
    )

    assert read_people(text, filename="report.csv").rows == (
        PersonRow(2, "Ann Lee", "ann@example.org", 2),
    )


def test_an_export_in_the_manner_of_partiful_is_understood() -> None:
    text = (
        "Name,Status,Plus Ones,Plus One Names,Email,Comment\n"
        "Ann Lee,Going,1,Bob,ann@example.org,Yay\n"
    )

    assert read_people(text, filename="guests.csv").rows == (
        PersonRow(2, "Ann Lee", "ann@example.org", 2, "Yay"),
    )


def test_the_answers_to_a_google_form_are_understood() -> None:
    text = (
        "Timestamp,Email Address,What is your full name?,Will you attend?,"
        '"How many people will come, including yourself?",Any comments?\n'
        "5/1/2026 10:00:00,ann@example.org,Ann Lee,Yes,3,See you\n"
    )

    assert read_people(text, filename="Form Responses 1.csv").rows == (
        PersonRow(2, "Ann Lee", "ann@example.org", 3, "See you"),
    )


def test_guests_counts_everybody_unless_somebody_has_none() -> None:
    total = read_people("Name,Email,Guests\nAnn,ann@example.org,2", filename=None)
    others = read_people(
        "Name,Email,Guests\nAnn,ann@example.org,2\nBob,bob@example.org,0", filename=None
    )

    assert [row.party for row in total.rows] == [2]
    assert [row.party for row in others.rows] == [3, 1]


def test_yes_and_no_answer_whether_somebody_is_brought_along() -> None:
    rows = (
        "Ann,a@example.org,yes\nBob,b@example.org,no\nCat,c@example.org,\nDan,d@example.org,maybe"
    )
    table = read_people(f"Name,Email,Plus one\n{rows}", filename=None)

    assert [row.party for row in table.rows] == [2, 1, 1]
    assert table.problems == (
        RowProblem(5, "Plus one", "Row 5: “maybe” is not a number of people from 1 to 1,000."),
    )


@pytest.mark.spec("EV-10")
def test_a_row_keeps_the_number_that_its_sheet_shows() -> None:
    text = 'Summer party\n\nName,Email,Note\n"Ann",ann@example.org,"two\nlines"\n,,\nBob,bob@,\n'

    assert read_people(text, filename=None) == PeopleTable(
        rows=(PersonRow(4, "Ann", "ann@example.org", 1, "two\nlines"),),
        columns=(
            TableColumn(0, "Name", Meaning.NAME),
            TableColumn(1, "Email", Meaning.EMAIL),
            TableColumn(2, "Note", Meaning.NOTE),
        ),
        problems=(RowProblem(6, "Email", "Row 6: “bob@” is not an e-mail address."),),
    )


@pytest.mark.spec("EV-10")
@pytest.mark.parametrize(
    "text",
    [
        'Name,Email\n"Ann,ann@example.org\nBob,bob@example.org\nCat,cat@example.org',
        'Name,Email\n"Ann,ann@example.org\nBob,bob@example.org\n"Cat,cat@example.org\nDan,d@example.org',
    ],
)
def test_a_quotation_mark_left_open_does_not_swallow_the_rows_after_it(text: str) -> None:
    table = read_people(text, filename=None)

    assert "bob@example.org" in [row.email for row in table.rows]
    assert len(table.rows) + len(table.problems) == text.count("\n")
    assert table.problems[0].line == 2


def test_a_line_that_names_the_separator_is_obeyed_and_not_counted() -> None:
    table = read_people("sep=;\r\nEmail;Name\r\nann@example.org;Ann, really", filename=None)

    assert table.rows == (PersonRow(2, "Ann, really", "ann@example.org", 1),)


def test_an_address_in_the_column_of_names_is_found_where_the_other_is_empty() -> None:
    text = "Name,Email\nAnn Lee <ann@example.org>,\nBob,bob@example.org"

    assert read_people(text, filename=None).rows == (
        PersonRow(2, "Ann Lee", "ann@example.org", 1),
        PersonRow(3, "Bob", "bob@example.org", 1),
    )


@pytest.mark.parametrize("heading", ["E-Mail", "Guest", "People who wrote an e-mail"])
def test_under_a_single_heading_stands_a_list_like_a_pasted_one(heading: str) -> None:
    rows = "Ann Lee, ann@example.org\nBob <bob@example.org>, cat@example.org"

    assert read_people(f"{heading}\n{rows}", filename=None).rows == (
        PersonRow(2, "Ann Lee", "ann@example.org", 1),
        PersonRow(3, "Bob", "bob@example.org", 1),
        PersonRow(3, "Cat", "cat@example.org", 1),
    )


@pytest.mark.spec("EV-10")
@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("approval_status", "declined"),
        ("Attendee Status", "Not Attending"),
        ("Attendee Status", "Deleted"),
        ("RSVP", "No"),
        ("Status", "Can’t Go"),
        ("Status", "Can't Go"),
        ("RSVP Status", "CANCELLED"),
        ("Will you be joining us?", "no"),
        ("Zusage", "Nein"),
        ("Réponse", "Décliné"),
    ],
)
def test_a_guest_who_declined_elsewhere_is_left_out_with_the_reason(
    heading: str, said: str
) -> None:
    table = read_people(
        f"Name,Email,{heading}\nAnn,ann@example.org,going\nBob,Bob@example.org,{said}\n"
    )

    assert table == PeopleTable(
        rows=(PersonRow(2, "Ann", "ann@example.org", 1),),
        columns=(
            TableColumn(0, "Name", Meaning.NAME),
            TableColumn(1, "Email", Meaning.EMAIL),
            TableColumn(2, heading, Meaning.ANSWER),
        ),
        problems=(
            RowProblem(
                3, heading, f"Row 3: bob@example.org is not coming: the list says “{said}”."
            ),
        ),
    )


@pytest.mark.spec("EV-10")
@pytest.mark.parametrize(
    "said", ["approved", "invited", "waitlist", "pending_approval", "maybe", "Checked In", "", "?"]
)
def test_a_guest_who_did_not_decline_elsewhere_is_imported(said: str) -> None:
    table = read_people(
        f"Name,Email,approval_status\nAnn,ann@example.org,{said}\nBob,bob@example.org,declined\n"
    )

    assert table.rows == (PersonRow(2, "Ann", "ann@example.org", 1),)


def test_a_guest_who_declined_and_later_accepted_is_imported() -> None:
    table = read_people("Email,RSVP\nann@example.org,No\nann@example.org,Yes\n")

    assert table.rows == (PersonRow(3, "Ann", "ann@example.org", 1),)


@pytest.mark.parametrize(
    ("heading", "cells"),
    [
        ("Status", ("VIP", "Member")),
        ("Attending", ("2", "3")),
        ("E-mail status", ("declined", "sent")),
        ("Newsletter consent", ("no", "yes")),
        ("Payment status", ("refused", "paid")),
    ],
)
def test_a_column_about_something_else_leaves_nobody_out(
    heading: str, cells: tuple[str, str]
) -> None:
    table = read_people(f"Email,{heading}\na@b.org,{cells[0]}\nc@d.org,{cells[1]}\n")

    assert (len(table.rows), table.columns[1]) == (2, TableColumn(1, heading, None))
