"""Any input gives a table or a sentence about the error."""

import io
import zipfile

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from frontdesk.connect.tables import BadTable, ListLimits, PeopleTable, read_people, write_xlsx
from frontdesk.connect.tables.xlsx import xlsx_rows

XLSX = write_xlsx(
    ["Name", "E-Mail", "Party", "Note"],
    [["Ann Lee", "ann@example.org", 2, "x"], ["Bob", "bob@example.org", 1, "=y"]],
    sheet="Guests",
)
CSV = 'Name;"E-Mail";Party\r\n"Ann ""A"" Lee";ann@example.org;2\r\nBob;bob@example.org;\r\n'
PARTS = zipfile.ZipFile(io.BytesIO(XLSX)).namelist()
SCRAPS = st.sampled_from(
    ["@", "a@b.cd", ",", ";", "\t", "\n", "\r", '"', "<", ">", "+1", "Name", "Email", "=", "'", "é"]
)

Splice = tuple[int, int, bytes]
splices = st.lists(
    st.tuples(st.integers(0, 10_000), st.integers(0, 8), st.binary(max_size=6)),
    min_size=1,
    max_size=4,
)


def spliced(data: bytes, changes: list[Splice]) -> bytes:
    for place, length, new in changes:
        at = place % (len(data) + 1)
        data = data[:at] + new + data[at + length :]
    return data


def answered(source: bytes | str) -> PeopleTable | None:
    try:
        return read_people(source, filename="x")
    except BadTable:
        return None


@pytest.mark.spec("FD-27")
@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400) | st.text(max_size=400))
@example(b"PK\x03\x04")
@example(b"\xff\xfe\x00")
@example('"')
@example("\ud800@\ud800")
def test_any_bytes_and_any_text_are_answered(source: bytes | str) -> None:
    answered(source)


@pytest.mark.spec("FD-27")
@settings(max_examples=150, deadline=None)
@given(splices)
def test_a_broken_csv_is_answered(changes: list[Splice]) -> None:
    answered(spliced(CSV.encode(), changes))


@pytest.mark.spec("FD-27")
@settings(max_examples=100, deadline=None)
@given(splices)
def test_a_broken_excel_file_is_answered(changes: list[Splice]) -> None:
    answered(spliced(XLSX, changes))


@pytest.mark.spec("FD-27")
@settings(max_examples=150, deadline=None)
@given(st.sampled_from(PARTS), splices)
def test_an_excel_file_with_broken_parts_is_answered(part: str, changes: list[Splice]) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(XLSX)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, spliced(data, changes) if name == part else data)
    answered(out.getvalue())


@pytest.mark.spec("EV-10")
@settings(max_examples=200, deadline=None)
@given(st.lists(SCRAPS, max_size=25).map("".join))
def test_every_line_that_says_something_is_a_person_or_a_problem(text: str) -> None:
    table = answered(text)

    assert table is not None
    if not table.columns:
        said = {
            number
            for number, line in enumerate(io.StringIO(text, newline=""), start=1)
            if line.strip(' \t\r\n,;"')
        }
        lines = [row.line for row in table.rows] + [problem.line for problem in table.problems]
        assert said <= set(lines)
    addresses = [row.email for row in table.rows]
    assert len(addresses) == len(set(addresses))


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    ("source", "said"),
    [
        (b"%PDF-1.7 ...", "This is a PDF; save the list as .xlsx or CSV first."),
        (b"\x89PNG\r\n\x1a\n", "This is a picture."),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
            "This is an old or protected Excel file; save it as .xlsx or CSV first.",
        ),
        (b"<html><body>", "This is a web page; copy the list and paste it instead."),
        (
            bytes(range(32)) * 3,
            "This is not a list of people: it is neither text nor an Excel file (.xlsx).",
        ),
    ],
)
def test_a_file_of_another_kind_is_named(source: bytes, said: str) -> None:
    with pytest.raises(BadTable) as refused:
        read_people(source, filename=None)
    assert str(refused.value) == said


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    ("source", "limits", "said"),
    [
        (b"a" * 11, ListLimits(size_bytes=10), "This list is larger than 1e-05 MB."),
        ("a@b.cd\n" * 21, ListLimits(rows=10), "This list has more than 10 rows."),
        (
            "; ".join(f"a{n}@b.cd" for n in range(11)),
            ListLimits(rows=10),
            "This list has more than 10 rows.",
        ),
        ("Email,b,c\na@b.cd", ListLimits(columns=2), "This list has more than 2 columns."),
    ],
)
def test_a_list_past_its_bounds_is_refused(
    source: bytes | str, limits: ListLimits, said: str
) -> None:
    with pytest.raises(BadTable) as refused:
        read_people(source, filename=None, limits=limits)
    assert str(refused.value) == said


@pytest.mark.spec("FD-27")
def test_ten_megabytes_are_the_most_by_default() -> None:
    with pytest.raises(BadTable, match=r"^big: This list is larger than 10 MB\.$"):
        read_people(b"a" * 10_000_001, filename="big")


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    "source",
    [
        '"a,"",' * 200_000,
        "Email\n" + '"' + "\n'" * 500_000,
        "<" * 500_000 + "@",
        "a@b " * 40_000,
        "\n".join(['"' + "'\t" * 4_000] * 100),
        "Email" + "," * 1_000_000,
        "\n" * 1_000_000,
    ],
)
def test_text_made_to_be_slow_is_answered_like_any_other(source: str) -> None:
    answered(source)


def book(sheets: dict[str, str], named: list[str]) -> bytes:
    """Builds an Excel file of these parts, whose list of sheets names some of them, perhaps
    often."""
    kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    spaces = f'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="{kinds}"'

    def links(targets: dict[str, tuple[str, str]]) -> str:
        found = "".join(
            f'<Relationship Id="{link}" Type="{kinds}/{kind}" Target="{target}"/>'
            for link, (kind, target) in targets.items()
        )
        space = "http://schemas.openxmlformats.org/package/2006/relationships"
        return f'<Relationships xmlns="{space}">{found}</Relationships>'

    listed = "".join(
        f'<sheet name="{number}" sheetId="{number}" r:id="{link}"/>'
        for number, link in enumerate(named, start=1)
    )
    parts = {
        "_rels/.rels": links({"x": ("officeDocument", "xl/workbook.xml")}),
        "xl/workbook.xml": f"<workbook {spaces}><sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": links(
            {link: ("worksheet", f"sheets/{link}.xml") for link in sheets}
        ),
        **{
            f"xl/sheets/{link}.xml": (
                f"<worksheet {spaces}><sheetData>{rows}</sheetData></worksheet>"
            )
            for link, rows in sheets.items()
        },
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()


FILLED = '<row r="1"><c r="A1" t="str"><v>Email</v></c></row>'


@pytest.mark.spec("FD-29")
def test_a_sheet_that_is_named_many_times_is_parsed_once() -> None:
    many = book({"a": "<row/>" * 1_000, "b": FILLED}, ["a"] * 800 + ["b"])

    assert [row.cells for row in xlsx_rows(many, ListLimits(xml_elements=5_000))] == [("Email",)]


@pytest.mark.spec("FD-29")
def test_only_so_many_sheets_are_looked_at() -> None:
    sheets = {f"s{number}": "<row/>" for number in range(ListLimits().sheets)}
    names = list(sheets)

    assert xlsx_rows(book({**sheets, "last": FILLED}, [*names, "last"]), ListLimits()) == []
    found = xlsx_rows(book({**sheets, "last": FILLED}, ["last", *names]), ListLimits())
    assert [row.cells for row in found] == [("Email",)]
