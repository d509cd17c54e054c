"""Lists that somebody pasted."""

import pytest

from frontdesk.connect.tables import PeopleTable, PersonRow, RowProblem, read_people

ANN = PersonRow(1, "Ann Lee", "ann@example.org", 1)


@pytest.mark.spec("EV-10")
@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("Ann Lee <ann@example.org>", ANN),
        ("ann.lee@example.org", PersonRow(1, "Ann Lee", "ann.lee@example.org", 1)),
        ("Ann Lee, ann@example.org", ANN),
        ("Ann, Lee, ann@example.org", ANN),
        ("Ann Lee; ann@example.org; 2", PersonRow(1, "Ann Lee", "ann@example.org", 2)),
        ("Ann Lee\tann@example.org\t3", PersonRow(1, "Ann Lee", "ann@example.org", 3)),
        ("Ann Lee\t4\tann@example.org", PersonRow(1, "Ann Lee", "ann@example.org", 4)),
        ("ann@example.org, Ann Lee", ANN),
        ("Ann Lee ann@example.org", ANN),
        ("Ann Lee (ann@example.org)", ANN),
        ("Ann Lee <mailto:ann@example.org>", ANN),
        ("'Ann Lee' <ann@example.org>", ANN),
        ("1. Ann Lee <ann@example.org>", ANN),
        ("• Ann Lee <ann@example.org> +1", PersonRow(1, "Ann Lee", "ann@example.org", 2)),
        ("7, Ann Lee, ann@example.org", ANN),
        ('"Lee, Ann" <ann@example.org>', PersonRow(1, "Lee, Ann", "ann@example.org", 1)),
        ("Lee, Ann <ann@example.org>", PersonRow(1, "Lee, Ann", "ann@example.org", 1)),
        ("ann.lee@example.org <ann@example.org>", PersonRow(1, "Ann", "ann@example.org", 1)),
        (
            "Ann Lee, ann@example.org, 2, vegan",
            PersonRow(1, *("Ann Lee", "ann@example.org", 2, "vegan")),
        ),
    ],
)
def test_a_line_is_a_person_in_any_usual_form(text: str, person: PersonRow) -> None:
    assert read_people(text, filename=None) == PeopleTable((person,), (), ())


@pytest.mark.parametrize(
    "text",
    [
        "Ann <ann@example.org>; Bob Ray <bob@example.org>",
        "Ann <ann@example.org>, Bob Ray <bob@example.org>;",
        "Ann <ann@example.org> Bob Ray <bob@example.org>",
        "Ann, ann@example.org; Bob Ray, bob@example.org",
        "Ann, ann@example.org, Bob Ray, bob@example.org",
    ],
)
def test_one_line_may_name_several_people(text: str) -> None:
    assert read_people(text, filename=None).rows == (
        PersonRow(1, "Ann", "ann@example.org", 1),
        PersonRow(1, "Bob Ray", "bob@example.org", 1),
    )


def test_bare_addresses_on_one_line_are_one_person_each() -> None:
    table = read_people("ann@example.org bob@example.org,cat@example.org", filename=None)

    assert [row.name for row in table.rows] == ["Ann", "Bob", "Cat"]


@pytest.mark.spec("EV-10")
def test_a_bad_line_is_reported_by_its_number_and_stops_nothing() -> None:
    text = (
        "Ann <ann@example.org>\n\nBob\nCat, cat@\n12\n"
        "Dan <dan@example.org> x\nEve, eve@example.org, 0"
    )

    assert read_people(text, filename=None) == PeopleTable(
        rows=(
            PersonRow(1, "Ann", "ann@example.org", 1),
            PersonRow(6, "Dan", "dan@example.org", 1, "x"),
        ),
        columns=(),
        problems=(
            RowProblem(3, "", "Row 3: “Bob” has no e-mail address."),
            RowProblem(4, "", "Row 4: “cat@” is not an e-mail address."),
            RowProblem(5, "", "Row 5: there is no e-mail address."),
            RowProblem(7, "", "Row 7: “0” is not a number of people from 1 to 1,000."),
        ),
    )


@pytest.mark.spec("EV-10")
def test_the_first_of_two_equal_addresses_wins_and_the_later_is_reported() -> None:
    table = read_people(
        "Ann <ann@example.org>\nBob <bob@example.org>; A <ANN@example.org>", filename=None
    )

    assert [row.name for row in table.rows] == ["Ann", "Bob"]
    assert table.problems == (RowProblem(2, "", "Row 2: “ann@example.org” is already in row 1."),)


def test_a_row_that_was_left_out_does_not_keep_its_address() -> None:
    table = read_people("Ann, ann@example.org, 5000\nAnn, ann@example.org, 2", filename=None)

    assert table.rows == (PersonRow(2, "Ann", "ann@example.org", 2),)


def test_a_name_with_a_link_in_it_is_not_taken() -> None:
    table = read_people("www.win.example, ann@example.org", filename=None)

    assert table.rows == ()
    assert table.problems[0].text == (
        "Row 1: “www.win.example” cannot be used as a name."
        " Please give a name without a link or an address in it."
    )


def test_empty_text_is_an_empty_list() -> None:
    assert read_people("", filename=None) == read_people(b" \r\n ", filename=None)
    assert read_people("", filename=None) == PeopleTable((), (), ())
