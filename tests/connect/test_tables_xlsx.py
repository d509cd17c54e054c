"""Excel files, good and hostile."""

import io
import zipfile
from collections.abc import Callable

import openpyxl  # type: ignore[import-untyped]
import pytest

from frontdesk.connect.tables import (
    BadTable,
    Cell,
    ListLimits,
    PersonRow,
    RowProblem,
    read_people,
    write_xlsx,
)

ROWS: list[list[Cell]] = [["Ann Lee", "ann@example.org", 2], ["Bob", "bob@example.org", 1]]
PEOPLE = (PersonRow(2, "Ann Lee", "ann@example.org", 2), PersonRow(3, "Bob", "bob@example.org", 1))


def a_file() -> bytes:
    return write_xlsx(["Name", "E-Mail", "Party"], ROWS, sheet="Guests")


def as_excel_writes(*, strings: str, rows: str) -> bytes:
    """Builds a workbook like Excel, with shared strings, prefixes and absolute targets."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    links = "http://schemas.openxmlformats.org/package/2006/relationships"
    parts = {
        "_rels/.rels": f'<Relationships xmlns="{links}"><Relationship Id="r1"'
        f' Type="{office}/officeDocument" Target="xl/workbook2.xml"/></Relationships>',
        "xl/workbook2.xml": f'<x:workbook xmlns:x="{main}" xmlns:r="{office}"><x:sheets>'
        '<x:sheet name="People" sheetId="1" r:id="r7"/></x:sheets></x:workbook>',
        "xl/_rels/workbook2.xml.rels": f'<Relationships xmlns="{links}">'
        f'<Relationship Id="r8" Type="{office}/sharedStrings" Target="sharedStrings.xml"/>'
        f'<Relationship Id="r7" Type="{office}/worksheet" Target="/xl/worksheets/sheet1.xml"/>'
        "</Relationships>",
        "xl/sharedStrings.xml": f'<sst xmlns="{main}">{strings}</sst>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData>'
        "</worksheet>",
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, xml in parts.items():
            archive.writestr(name, xml)
    return out.getvalue()


def changed(data: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, change(old.read(name)) if name == part else old.read(name))
    return out.getvalue()


def test_the_first_sheet_with_something_in_it_is_read_with_the_sheets_row_numbers() -> None:
    book = openpyxl.Workbook()
    secret = book.create_sheet("secret", 0)
    secret.sheet_state = "hidden"
    secret["A1"] = "eve@example.org"
    sheet = book.create_sheet("people")
    sheet["B3"], sheet["C3"], sheet["D3"] = "Name", "E-Mail", "Plätze"
    sheet["B7"], sheet["C7"], sheet["D7"] = "Ann Lee", "ann@example.org", 2.0
    sheet["B8"], sheet["C8"] = "Bob", "bob@"
    out = io.BytesIO()
    book.save(out)

    table = read_people(out.getvalue(), filename="people.csv")

    assert table.rows == (PersonRow(7, "Ann Lee", "ann@example.org", 2),)
    assert table.problems == (RowProblem(8, "E-Mail", "Row 8: “bob@” is not an e-mail address."),)


def test_a_sheet_without_headings_is_read_by_its_cells() -> None:
    book = openpyxl.Workbook()
    book.active.append(["Ann Lee", "ann@example.org", 2])
    book.active.append([None, "bob@example.org"])
    out = io.BytesIO()
    book.save(out)

    assert read_people(out.getvalue(), filename=None).rows == (
        PersonRow(1, "Ann Lee", "ann@example.org", 2),
        PersonRow(2, "Bob", "bob@example.org", 1),
    )


def test_shared_strings_rich_text_reading_aids_and_escapes_are_read_as_excel_shows_them() -> None:
    data = as_excel_writes(
        strings=(
            "<si><t>E-Mail</t></si><si><t>Name</t></si><si><t>ann@example.org</t></si>"
            "<si><r><rPr><b/></rPr><t>An</t></r><r><t>n_x0020_Lee</t></r>"
            "<rPh sb='0' eb='1'><t>aid</t></rPh></si>"
        ),
        rows=(
            '<row r="1"><c r="B1" t="s"><v>0</v></c><c r="D1" t="s"><v>1</v></c></row>'
            '<row r="5"><c r="B5" t="s"><v>2</v></c><c r="C5"/><c r="D5" t="s"><v>3</v></c></row>'
        ),
    )

    assert read_people(data, filename=None).rows == (PersonRow(5, "Ann Lee", "ann@example.org", 1),)


def test_a_formula_counts_with_the_value_it_had_and_an_error_as_nothing() -> None:
    cell = b'<c r="C2" t="n"><f>1+2</f><v>3</v></c><c r="D2" t="e"><v>#REF!</v></c>'
    data = changed(
        a_file(),
        "xl/worksheets/sheet1.xml",
        lambda xml: xml.replace(b'<c r="C2" t="n"><v>2</v></c>', cell),
    )

    assert read_people(data, filename=None).rows[0].party == 3


@pytest.mark.spec("FD-29")
def test_a_document_type_is_refused_before_any_entity_is_made() -> None:
    laughs = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    for part in ("xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "_rels/.rels"):
        data = changed(as_excel_writes(strings="", rows=""), part, lambda xml: laughs + xml)
        with pytest.raises(BadTable, match="document type"):
            read_people(data, filename=None)


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize(
    ("bomb", "limits", "said"),
    [
        ([("a.xml", b" " * 3_000_000)], ListLimits(), "compressed too strongly"),
        ([("a.xml", b" " * 3_000_000)], ListLimits(unpacked_bytes=2_000_000), "too large once"),
        ([(f"{n}.xml", b"") for n in range(1_001)], ListLimits(), "too large once"),
    ],
)
def test_a_zip_bomb_is_refused_by_its_directory(
    bomb: list[tuple[str, bytes]], limits: ListLimits, said: str
) -> None:
    out = io.BytesIO(a_file())
    with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as archive:
        for name, content in bomb:
            archive.writestr(name, content)

    with pytest.raises(BadTable, match=said):
        read_people(out.getvalue(), filename=None, limits=limits)


@pytest.mark.spec("FD-29")
def test_one_text_shown_in_many_cells_cannot_grow_past_the_bound() -> None:
    cells = "".join(f'<row r="{n}"><c r="A{n}" t="s"><v>0</v></c></row>' for n in range(1, 301))
    data = as_excel_writes(strings=f"<si><t>{'x' * 1_000}</t></si>", rows=cells)

    assert len(read_people(data, filename=None).problems) == 300
    with pytest.raises(BadTable, match="too large once"):
        read_people(data, filename=None, limits=ListLimits(unpacked_bytes=100_000))


@pytest.mark.spec("FD-29")
def test_the_elements_of_all_parts_are_counted() -> None:
    with pytest.raises(BadTable, match="too large once"):
        read_people(a_file(), filename=None, limits=ListLimits(xml_elements=40))
    assert read_people(a_file(), filename=None, limits=ListLimits(xml_elements=100)).rows == PEOPLE


@pytest.mark.spec("FD-27")
def test_rows_columns_and_cells_are_bounded() -> None:
    many = write_xlsx(["Email"], [[f"a{n}@example.org"] for n in range(4)], sheet="x")
    with pytest.raises(BadTable, match="more than 3 rows"):
        read_people(many, filename=None, limits=ListLimits(rows=3))
    wide = write_xlsx(["Email", "b", "c"], [], sheet="x")
    with pytest.raises(BadTable, match="more than 2 columns"):
        read_people(wide, filename=None, limits=ListLimits(columns=2))
    rows = [["ann@example.org", "n" * 41], ["bob@example.org", "ok", "wide"]]
    table = read_people(
        write_xlsx(["Email", "Note"], rows, sheet="x"),
        filename=None,
        limits=ListLimits(columns=2, cell_chars=40),
    )
    assert [problem.text for problem in table.problems] == [
        "Row 2: a cell holds more than 40 characters.",
        "Row 3: there are more than 2 columns.",
    ]


def test_a_row_and_a_column_far_away_cost_nothing() -> None:
    far = (
        b'<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>x@y.zz</t></is></c></row>'
        b"</sheetData>"
    )
    data = changed(
        a_file(), "xl/worksheets/sheet1.xml", lambda xml: xml.replace(b"</sheetData>", far)
    )
    table = read_people(data, filename=None)

    assert table.rows == PEOPLE
    assert [problem.line for problem in table.problems] == [1_048_576]


@pytest.mark.spec("FD-27")
def test_a_packed_file_that_is_no_excel_file_is_named_as_such() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("hello.txt", "hello")

    with pytest.raises(BadTable, match=r"^notes\.zip: This is a compressed file, but not"):
        read_people(out.getvalue(), filename="notes.zip")
    with pytest.raises(BadTable, match="damaged"):
        read_people(a_file()[:-400], filename=None)
