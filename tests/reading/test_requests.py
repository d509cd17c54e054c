"""A whole mail with its attachments becomes text and one proposal."""

from datetime import date
from email.message import EmailMessage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.reading.documents import DOCX
from frontdesk.reading.model import Confidence, Field, ReadFields, Words
from frontdesk.reading.requests import (
    MOST_ATTACHMENTS,
    MOST_PICTURES,
    Request,
    read_passages,
    read_request,
)
from frontdesk.reading.rules import RulesReader
from tests.reading.corpus import context
from tests.reading.files import LETTER, docx, mail, paragraph, png, text_pdf

CONFIDENT, LIKELY, _ = Confidence
OURS = frozenset({"desk@salon.example"})
HEAD = (
    "From: Ann Lee <ann@lee.example>\n"
    "Date: Sun, 15 Nov 2026 10:00:00 +0100\n"
    "To: desk@salon.example\n\n"
)
STAFF = "Desk <desk@salon.example>"
NO_SIGHT = "This picture could not be read: no text recognition is installed."


class Sight:
    """Reads the same words in every picture."""

    def text_of(self, picture: bytes) -> str:
        return "A massage for 2 people"


def read(raw: bytes) -> Request:
    return read_request(raw, own_addresses=OURS)


@pytest.mark.spec("WL-03")
def test_a_mail_is_read_with_its_head_and_its_subject() -> None:
    raw = mail("On 4 December, please.\n", subject="Fwd: Massage")

    assert read(raw) == Request((HEAD + "Massage\n\nOn 4 December, please.",))


@pytest.mark.spec("WL-03")
def test_an_html_mail_is_read() -> None:
    made = EmailMessage()
    made["From"], made["Subject"] = STAFF, "x"
    made.set_content("<p>A <b>massage</b><br>on 4 December</p>", subtype="html")

    assert read(bytes(made)) == Request(("x\n\nA massage\non 4 December",))


@pytest.mark.spec("WL-03")
def test_a_forwarded_mail_is_read_without_the_forwarders_header() -> None:
    raw = mail("See below.\n", sender=STAFF, subject="Fwd: hi")

    assert read(raw) == Request(("hi\n\nSee below.",))


@pytest.mark.spec("WL-03", "AR-03")
def test_a_mail_that_outlook_forwards_is_marked_as_forwarded() -> None:
    head = "From: Bob <bob@example.org>\nSent: Sunday\nTo: Ann Lee\nSubject: Massage\n"
    mark = "---------- Forwarded message ---------\n"
    body = f"{head}\nOn 4 December, please."

    [forwarded] = read(mail(f"Please see below.\n\n{body}\n", subject="FW: Massage")).passages
    assert forwarded == f"{HEAD}Massage\n\nPlease see below.\n\n{mark}{body}"
    [answered] = read(mail(f"Thanks!\n\n{body}\n", subject="Re: Massage")).passages
    assert mark not in answered
    [marked] = read(mail(f"{mark}{body}\n", subject="Fwd: Massage")).passages
    assert marked.count(mark) == 1


@pytest.mark.spec("WL-03")
def test_every_document_is_a_passage_of_its_own() -> None:
    raw = mail(
        "See attached.",
        ("a.pdf", "application/pdf", text_pdf("A massage on 4 December 2026")),
        ("b.docx", DOCX, docx(paragraph("With Anna"))),
        ("c.txt", "text/plain", b"For 2 people"),
        ("d.jpg", "image/jpeg", LETTER),
    )  # fmt: skip

    found = read_request(raw, own_addresses=OURS, pictures=Sight())

    assert found == Request(
        (
            HEAD + "Request\n\nSee attached.",
            "A massage on 4 December 2026",
            "With Anna",
            "For 2 people",
            "A massage for 2 people",
        )
    )


@pytest.mark.spec("WL-03", "FD-27")
def test_an_unreadable_part_is_named_and_the_rest_is_read() -> None:
    raw = mail(
        "See attached.",
        ("photo.jpg", "image/jpeg", LETTER),
        ("broken.docx", DOCX, b"PK\x03\x04"),
        ("blank.txt", "text/plain", b"  \n"),
        ("logo.png", "image/png", png(60, 60)),
        ("list.txt", "text/plain", b"For 2 people"),
        sender=STAFF,
    )

    assert read(raw) == Request(
        ("Request\n\nSee attached.", "For 2 people"),
        (
            f"photo.jpg: {NO_SIGHT}",
            "broken.docx: This Word document is damaged and cannot be read.",
            "blank.txt: There are no words in it.",
        ),
    )


def test_an_attached_mail_is_read_as_a_forwarded_one() -> None:
    made = EmailMessage()
    made["From"], made["Subject"] = STAFF, ""
    made.set_content("For you.")
    inner = EmailMessage()
    inner["From"], inner["Subject"] = "Ann Lee <ann@lee.example>", "Massage"
    inner["Date"] = "Sun, 15 Nov 2026 10:00:00 +0100"
    inner.set_content("Tomorrow?")
    inner.add_attachment(b"For 2 people", maintype="text", subtype="plain", filename="a.txt")
    made.add_attachment(inner)

    found = read(bytes(made))
    proposal = read_passages(RulesReader(), found, context(own=tuple(OURS)))

    assert found.passages[1:] == ("For 2 people",)
    assert proposal.email
    assert proposal.email.value == "ann@lee.example"
    assert proposal.earliest_on
    assert proposal.earliest_on.value == date(2026, 11, 16)
    assert proposal.party
    assert proposal.party.value == 2


@pytest.mark.spec("FD-27")
def test_only_so_many_documents_and_pictures_are_read() -> None:
    many = [(f"{at}.txt", "text/plain", b"word") for at in range(MOST_ATTACHMENTS + 1)]
    photos = [(f"{at}.jpg", "image/jpeg", LETTER) for at in range(MOST_ATTACHMENTS)]

    texts = read(mail("x", *many))
    seen = read_request(mail("x", *photos), pictures=Sight())

    assert texts.unread == (f"{MOST_ATTACHMENTS}.txt: There are too many.",)
    assert len(texts.passages) == 1 + MOST_ATTACHMENTS
    assert len(seen.passages) == 1 + MOST_PICTURES
    assert seen.unread == ("4.jpg: There are too many pictures in this mail to be read.",)


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("raw", [b"", b"no mail at all", b"\n\n", b"x" * 6_000_000])
def test_text_that_is_no_mail_gives_no_fields(raw: bytes) -> None:
    assert read(raw) == Request((), ("This mail could not be read.",))


def test_a_document_alone_is_read_too() -> None:
    assert read_request(b"For 2 people", "text/plain") == Request(("For 2 people",))
    assert read_request(LETTER, "image/jpeg") == Request((), (f"An attachment: {NO_SIGHT}",))


@pytest.mark.spec("WL-03")
def test_passages_that_differ_are_left_to_staff_and_words_stand_in_the_whole_text() -> None:
    request = Request(("A massage for 2 people please.", "A massage for 3 people please."))

    found = read_passages(RulesReader(), request, context())

    assert found == ReadFields(
        service=Field("Massage", CONFIDENT, Words("massage", 2)),
        party=Field(2, LIKELY, Words("2 people", 14)),
    )


def test_a_field_of_a_later_passage_is_found_where_it_stands() -> None:
    request = Request(("See attached.", "In the evening on 4 December please."))

    found = read_passages(RulesReader(), request, context())

    assert found == ReadFields(
        earliest_on=Field(date(2026, 12, 4), CONFIDENT, Words("4 December", 33)),
        latest_on=Field(date(2026, 12, 4), CONFIDENT, Words("4 December", 33)),
        asides=(Words("evening", 22),),
    )
    assert request.text[33:43] == "4 December"


@pytest.mark.spec("FD-27")
@given(
    st.sampled_from([DOCX, "image/png", "image/tiff", "text/html", "application/zip", "x/y"]),
    st.sampled_from([b"", b"PK\x03\x04", png(900, 900), b"II*\0", LETTER[:40], b"<p>"]),
    st.binary(max_size=60),
)
@settings(max_examples=60, deadline=None)
def test_every_attachment_is_read_or_named(kind: str, head: bytes, noise: bytes) -> None:
    found = read_request(mail("Hello", ("a", kind, head + noise)), pictures=Sight())

    assert found.passages[0] == HEAD + "Request\n\nHello"
    assert all(each.startswith("a: ") for each in found.unread)
