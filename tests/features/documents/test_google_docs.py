"""Rules and words in Google Docs, on a stand-in that exports as Google does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from frontdesk.core.decision import Refused
from frontdesk.core.sends import Via
from frontdesk.desks.waitlist import rules_doc
from frontdesk.desks.waitlist.document_facts import DocumentTaken, DocumentUnclear
from frontdesk.desks.waitlist.messages.staff import DOCUMENT
from frontdesk.desks.waitlist.model import DocumentName
from frontdesk.desks.waitlist.slot_intake import slot_intake_in
from frontdesk.errors import BadSettings
from frontdesk.features.documents.bucket_files import BucketFiles
from frontdesk.features.documents.console import NOTHING_NEW
from frontdesk.features.documents.files import LocalFiles
from frontdesk.features.documents.google_docs import GoogleDocs, MirroredDocs, plain
from frontdesk.features.documents.model import DocumentUnavailable, Reason
from frontdesk.settings import Settings, load
from frontdesk.wiring.google_documents import google_docs
from frontdesk.wiring.one_machine import build
from frontdesk.wiring.waitlist import documents
from frontdesk.wiring.waitlist.one_machine import DOCUMENT_FOLDER
from tests.desks.waitlist.console.counter import owner
from tests.support.google import (
    EMAIL,
    RULES_DOC,
    RULES_FILE,
    VOICE_DOC,
    Google,
    google,
)
from tests.support.salon import MINUTE, Salon, salon

RULES, VOICE = DocumentName.RULES, DocumentName.VOICE
#: An export of Google: a byte order mark, CRLF, '*' for bullets, round quotes, non-breaking spaces,
#: and the comments below the text.
EXPORTED = (
    "\ufeffRules of the salon\r\n\r\n"
    "* Claim window: 5\u00a0minutes.\r\n"
    "* Offer a slot to at most 3 people.[a]\r\n\r\n"
    "(That\u2019s what we agreed on in \u201cMay\u201d.)\r\n"
    "\r\n[a]Really three?\r\n"
).encode()
UNCLEAR = b"\xef\xbb\xbfOur rules\r\n\r\nClaim window: a while.\r\n"


def text_of(minutes: int) -> bytes:
    return f"\ufeffClaim window: {minutes} minutes.\r\n".encode()


@pytest.fixture
def stand_in() -> Iterator[Google]:
    with google() as found:
        found.writes(RULES_FILE, text_of(5))
        yield found


def key_file(folder: Path, stand_in: Google) -> str:
    path = folder / "account.json"
    path.write_text(stand_in.key)
    return str(path)


def settings_of(folder: Path, stand_in: Google) -> dict[str, Any]:
    return {
        "rules_doc": RULES_DOC,
        "google_account": key_file(folder, stand_in),
        "google_api": stand_in.address,
    }


def docs_at(folder: Path, stand_in: Google) -> GoogleDocs:
    settings = Settings(rules_doc=RULES_DOC, google_api=stand_in.address)
    return docs_with(settings, LocalFiles(folder), lambda: stand_in.key)


def docs_with(settings: Settings, others: LocalFiles, key: Callable[[], str]) -> GoogleDocs:
    return google_docs(settings, documents.addresses(settings), documents.MARKUP, others, key)


def minutes(one: Salon) -> float:
    return one.wl.rules().claim_window.total_seconds() / 60


# --- the text -----------------------------------------------------------------------------------


@pytest.mark.spec("WL-23")
def test_googles_changes_to_a_text_are_undone() -> None:
    text = plain(EXPORTED, rules_doc.with_title)

    assert text == (
        "# Rules of the salon\n\n"
        "* Claim window: 5 minutes.\n* Offer a slot to at most 3 people.\n\n"
        '(That\'s what we agreed on in "May".)\n'
    )
    parsed = rules_doc.parse(text)
    assert parsed.problems == ()
    assert (parsed.rules.claim_window, parsed.rules.tries) == (5 * MINUTE, 3)


@pytest.mark.spec("WL-23")
def test_lines_keep_the_numbers_that_staff_see() -> None:
    [problem] = rules_doc.parse(
        plain(b"\xef\xbb\xbf\r\n" + UNCLEAR[3:], rules_doc.with_title)
    ).problems

    assert problem.line == 4


def test_brackets_that_are_no_comments_stay() -> None:
    text = b"[a] is for Ann.\r\nSo is [b].\r\n"

    assert plain(text, DOCUMENT.with_headings) == "[a] is for Ann.\nSo is [b].\n"


def test_an_export_that_is_not_utf_8_is_read_as_far_as_possible() -> None:
    assert (
        plain(b"Claim \xff window\x0bnext\r", rules_doc.with_title) == "Claim \ufffd window\nnext\n"
    )


@pytest.mark.spec("WL-23")
def test_headings_of_a_document_begin_the_parts_of_the_words() -> None:
    exported = (
        "\ufeffText: offer\r\n"
        "Hello {{ name }}, it\u2019s free: {{ service }} {{ with_staff }}, {{ when }}, until"
        " {{ claim_by }}:\x0b{{ offer_link }}\r\n"
    ).encode()
    parsed = DOCUMENT.parse(plain(exported, DOCUMENT.with_headings))

    assert parsed.problems == ()
    assert "it's free" in str(parsed.wordings[Via.TEXT, "offer"])


# --- reading --------------------------------------------------------------------------------------


@pytest.mark.spec("WL-23")
def test_a_document_is_exported_only_when_it_has_changed(tmp_path: Path, stand_in: Google) -> None:
    docs = docs_at(tmp_path, stand_in)

    assert [docs.read(RULES) for _ in range(3)] == ["Claim window: 5 minutes.\n"] * 3
    assert stand_in.asked == ["drive.files.get", "drive.files.export", *["drive.files.get"] * 2]
    stand_in.writes(RULES_FILE, text_of(7))
    assert docs.read(RULES) == "Claim window: 7 minutes.\n"
    assert stand_in.scopes == ["https://www.googleapis.com/auth/drive.readonly"]


def test_a_document_that_is_not_in_google_docs_is_where_it_was(
    tmp_path: Path, stand_in: Google
) -> None:
    docs = docs_at(tmp_path, stand_in)
    docs.write(VOICE, "words")

    assert (docs.read(VOICE), docs.edited_at(VOICE)) == ("words", "")
    assert docs.edited_at(RULES) == RULES_DOC
    with pytest.raises(DocumentUnavailable):
        docs.write(RULES, "rules")


@pytest.mark.parametrize(
    ("status", "is_lasting", "says"),
    [
        (403, True, f"Share it with {EMAIL} so that it may view it"),
        (404, True, f"Share it with {EMAIL} so that it may view it"),
        (401, True, "does not know the service account"),
        (429, False, "We will try again"),
        (500, False, "We will try again"),
    ],
)
def test_a_document_that_cannot_be_read_says_why(
    tmp_path: Path, stand_in: Google, status: int, is_lasting: bool, says: str
) -> None:
    stand_in.status = status

    with pytest.raises(DocumentUnavailable, match=says) as bad:
        docs_at(tmp_path, stand_in).read(RULES)

    assert bad.value.is_lasting is is_lasting


def test_a_deleted_document_and_an_invalid_key_are_lasting_problems(
    tmp_path: Path, stand_in: Google
) -> None:
    stand_in.trashed = True
    with pytest.raises(DocumentUnavailable, match="bin") as bad:
        docs_at(tmp_path, stand_in).read(RULES)
    assert bad.value.is_lasting
    no_key = docs_with(Settings(rules_doc=RULES_DOC), LocalFiles(tmp_path), str)
    with pytest.raises(DocumentUnavailable, match="service account") as bad:
        no_key.read(RULES)
    assert bad.value.is_lasting


class FakeBucket:
    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self.puts = 0

    def get(self, key: str) -> bytes | None:
        return self.kept.get(key)

    def put(self, key: str, body: bytes) -> None:
        self.kept[key], self.puts = body, self.puts + 1


@pytest.mark.spec("WL-23")
def test_a_copy_is_written_only_when_the_text_has_changed(tmp_path: Path, stand_in: Google) -> None:
    """On AWS other functions read the copy in the bucket, which stores every version."""
    shelf = FakeBucket()

    def look() -> str | None:
        """Looks once with a new object, like a function that has just started."""
        return MirroredDocs(docs_at(tmp_path, stand_in), BucketFiles(shelf)).read(RULES)

    assert (look(), look()) == ("Claim window: 5 minutes.\n", "Claim window: 5 minutes.\n")
    stand_in.writes(RULES_FILE, text_of(5))
    look()
    assert (shelf.kept, shelf.puts) == ({"rules.md": b"Claim window: 5 minutes.\n"}, 1)
    stand_in.writes(RULES_FILE, text_of(7))
    assert (look(), shelf.puts) == ("Claim window: 7 minutes.\n", 2)


# --- the whole product ----------------------------------------------------------------------------


@pytest.mark.spec("WL-23")
def test_rules_in_a_google_doc_are_read_fresh_for_every_slot(
    tmp_path: Path, stand_in: Google
) -> None:
    with salon(tmp_path / "data", **settings_of(tmp_path, stand_in)) as one:
        assert minutes(one) == 5
        one.joins("Ann")
        stand_in.writes(RULES_FILE, text_of(7))
        slot = one.frees()

        assert slot.rules.claim_window == 7 * MINUTE
        assert not (tmp_path / "data" / DOCUMENT_FOLDER / "rules.md").exists()


@pytest.mark.spec("WL-23")
def test_a_line_that_is_not_understood_reaches_staff_and_the_last_good_rules_stay(
    tmp_path: Path, stand_in: Google
) -> None:
    with salon(tmp_path / "data", **settings_of(tmp_path, stand_in)) as one:
        one.with_staff("mia@example.org")
        [task] = [each for each in one.product.periodic_tasks if each.name == "documents"]
        stand_in.writes(RULES_FILE, UNCLEAR)

        assert (task.turn(), task.turn()) == (True, False)
        one.settle()
        [mail] = [each for each in one.messages("mia@example.org") if "rules" in each["subject"]]
        assert "We could not understand 1 line (line 3) of the rules" in mail["text"]
        assert "/console/waitlist/rules" in mail["text"]
        assert minutes(one) == 5
        facts = [each.fact for each in one.wl.newest_facts("waitlist", DocumentUnclear.kind)]
        assert [(fact.name, fact.problems) for fact in facts] == [(RULES, 1)]  # type: ignore[attr-defined]

        stand_in.writes(RULES_FILE, text_of(9))
        assert task.turn()
        assert minutes(one) == 9
        versions = [each.fact for each in one.wl.newest_facts("waitlist", DocumentTaken.kind)]
        assert [each.text for each in versions if each.name is RULES] == [  # type: ignore[attr-defined]
            "Claim window: 9 minutes.\n",
            "Claim window: 5 minutes.\n",
        ]


@pytest.mark.spec("WL-23", "FD-30")
def test_a_document_that_is_no_longer_shared_reaches_staff_once_and_holds_up_no_slot(
    tmp_path: Path, stand_in: Google
) -> None:
    with salon(tmp_path / "data", **settings_of(tmp_path, stand_in)) as one:
        one.with_staff("mia@example.org")
        one.joins("Ann")
        stand_in.status = 403
        slot = one.frees()
        slot_intake_in(one.product.site).documents.take_edits()
        one.settle()

        assert slot.rules.claim_window == 5 * MINUTE
        what = "The rules of the waitlist cannot be read."
        [mail] = [each for each in one.messages("mia@example.org") if each["subject"] == what]
        assert f"Share it with {EMAIL} so that it may view it" in mail["text"]
        assert one.product.health().alarms == (what,)
        stand_in.status = 0
        slot_intake_in(one.product.site).documents.take_edits()
        assert one.product.health().alarms == ()


@pytest.mark.spec("FD-19")
def test_settings_about_documents_are_checked(tmp_path: Path) -> None:
    for wrong in ("https://docs.google.com/spreadsheets/d/1AbC_d-e1234", "rules.md", "http://x"):
        with pytest.raises(BadSettings, match="FRONTDESK_RULES_DOC should be an address like"):
            load({"FRONTDESK_RULES_DOC": wrong}, data_dir=tmp_path)
    with pytest.raises(BadSettings, match="google_account"):
        build(Settings(data_dir=tmp_path, voice_doc=VOICE_DOC))


@pytest.mark.spec("WL-23")
def test_the_console_shows_a_google_doc_and_leads_to_it(tmp_path: Path, stand_in: Google) -> None:
    with salon(tmp_path / "data", **settings_of(tmp_path, stand_in)) as one:
        host, page = owner(one), "/console/waitlist/rules"
        shown = host.get(page)
        assert f'href="{RULES_DOC}"' in shown.text
        assert "Claim window: 5 minutes." in shown.says
        assert 'name="text"' not in shown.text
        written = slot_intake_in(one.product.site).documents.write(
            RULES, "Claim window: 9 minutes.\n", by="member:1"
        )
        assert written == Refused(Reason.EDITED_ELSEWHERE)
        assert minutes(one) == 5

        stand_in.writes(RULES_FILE, text_of(7))
        assert "The document was changed outside the console." in host.get(page).says
        assert host.submit(page, f"{page}/look").flash == "What is new counts from now on."
        assert minutes(one) == 7
        assert host.submit(page, f"{page}/look").flash == NOTHING_NEW
        assert "Use it again" not in host.get(page).text
        stand_in.status = 403
        assert (
            "Google does not give us access to the document"
            in host.submit(page, f"{page}/look").flash
        )
        assert "Claim window: 7 minutes." in host.get(page).says
