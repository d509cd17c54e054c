"""The texts of all messages in one document, with second wordings to compare."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from frontdesk.core.sends import Via
from frontdesk.core.wording import Wording, wording_setting
from frontdesk.desks.reminders.commands import ConfirmVoiceFile, SetWording, TakeVoice
from frontdesk.desks.reminders.documents import VOICE, VOICE_NAME
from frontdesk.desks.reminders.messages import DOCUMENT
from frontdesk.features.documents.model import Document, digest, saved_document
from frontdesk.features.wordings.document import second_of, title_of
from tests.desks.reminders.test_connections import Shop, owner
from tests.desks.reminders.test_wording_trial import WITH_FIRST, WITH_SECOND, visit
from tests.support.reminders import DAY, FRIDAY, HOUR, RemindersDesk

SECOND = """
## Mail: first reminder, second wording
Subject: We look forward to {{ service }}

# See you {{ how_soon }}!

{{ service }} on {{ when }}.

Please answer:
{{ answer_link }}
"""
ANSWER = "Please answer:\n{{ answer_link }}"
WORDING = Wording(
    "We look forward to {{ service }}",
    f"# See you {{{{ how_soon }}}}!\n\n{{{{ service }}}} on {{{{ when }}}}.\n\n{ANSWER}",
)
KIND = second_of("first_reminder")
PAGE = "/console/reminders/voice"


def own(desk: RemindersDesk, name: str) -> Wording | None:
    return desk.engine.reads().engine.setting(wording_setting("ar", name))


def document(desk: RemindersDesk) -> Document:
    return desk.engine.reads().engine.setting(saved_document("ar", VOICE_NAME))


# --- the text -------------------------------------------------------------------------------


def test_the_built_in_text_is_the_default_of_every_message_and_has_no_second_wording() -> None:
    parsed = DOCUMENT.parse(DOCUMENT.default_text)

    assert parsed.problems == ()
    assert parsed.wordings == DOCUMENT.defaults
    assert not any(kind == KIND for _, kind in parsed.wordings)
    assert "## Mail: first_reminder\n" in DOCUMENT.default_text


@pytest.mark.spec("AR-25")
def test_a_second_wording_has_a_heading_of_its_own() -> None:
    parsed = DOCUMENT.parse(SECOND)

    assert parsed.problems == ()
    assert parsed.wordings[Via.MAIL, KIND] == WORDING
    assert title_of((Via.MAIL, KIND)) == "Mail: first_reminder, second wording"
    assert DOCUMENT.parse(DOCUMENT.write(parsed.wordings)) == parsed


@pytest.mark.spec("AR-01")
@pytest.mark.parametrize(
    "heading",
    ["Mail: first reminder", "Text: first_reminder", "Mail: first reminder, second wording"],
)
def test_a_google_doc_loses_the_marks_of_headings_and_gets_them_back(heading: str) -> None:
    lines = [heading, "Mail: we send one the day before"]

    assert DOCUMENT.with_headings(lines) == [f"## {heading}", lines[1]]


@pytest.mark.parametrize("heading", ["Mail: cancelled, second wording", "Mail: moved, third one"])
def test_other_messages_have_one_wording(heading: str) -> None:
    (problem,) = DOCUMENT.parse(f"## {heading}\nSubject: x\n\n{{{{ service }}}}").problems

    assert problem.why.startswith("There is no such message.")


@pytest.mark.spec("AR-25", "AR-09")
def test_a_reminder_without_a_link_by_which_people_answer_is_refused() -> None:
    """Otherwise half of the customers could not answer, and staff would get an alert about each."""
    (problem,) = DOCUMENT.parse(SECOND.replace("{{ answer_link }}", "by phone")).problems

    names = "{{ answer_link }} or {{ confirm_link }}"
    assert problem.why == f"{names} is missing: without it nobody can answer."
    assert DOCUMENT.parse(SECOND.replace("answer_link", "confirm_link")).problems == ()


def test_a_part_is_replaced_removed_or_added_and_the_rest_stays() -> None:
    text = f"// ours\n\n{DOCUMENT.write(DOCUMENT.defaults)}"
    key = (Via.MAIL, KIND)

    added = DOCUMENT.with_part(text, key, WORDING)
    assert DOCUMENT.parse(added).wordings == {**DOCUMENT.defaults, key: WORDING}
    other = Wording("Other: {{ service }}", f"{{{{ service }}}}\n\n{ANSWER}")
    first = (Via.MAIL, "first_reminder")
    changed = DOCUMENT.with_part(added, first, other)
    assert DOCUMENT.parse(changed).wordings == {**DOCUMENT.defaults, key: WORDING, first: other}
    assert changed.startswith("// ours\n")
    removed = DOCUMENT.with_part(DOCUMENT.with_part(changed, key, None), first, None)
    assert DOCUMENT.parse(removed).wordings == DOCUMENT.defaults
    assert DOCUMENT.with_part(removed, key, None) == removed


# --- on both stores -----------------------------------------------------------------------------


@pytest.mark.spec("AR-25")
def test_a_document_sets_wordings_and_leaving_a_part_out_restores_the_default(
    desk: RemindersDesk,
) -> None:
    desk.do(TakeVoice(SECOND))
    assert own(desk, KIND) == WORDING
    assert own(desk, "first_reminder") is None
    assert document(desk).good == SECOND
    assert VOICE.text(desk.engine.reads()).count("second wording\n") == 1

    desk.do(TakeVoice("// nothing\n"))
    assert own(desk, KIND) is None
    assert desk.refused(TakeVoice("// nothing\n")) == "unchanged"


@pytest.mark.spec("AR-25")
def test_a_document_with_a_mistake_changes_no_wording(desk: RemindersDesk) -> None:
    desk.do(TakeVoice(SECOND)).do(TakeVoice(SECOND.replace("{{ service }}", "{{ servise }}")))

    assert own(desk, KIND) == WORDING
    assert document(desk).good == SECOND
    assert not document(desk).is_good


@pytest.mark.spec("AR-25")
def test_a_wording_that_is_changed_by_itself_changes_the_document(desk: RemindersDesk) -> None:
    desk.do(TakeVoice(SECOND))
    other = Wording("Hello: {{ service }}", f"{{{{ service }}}}\n\n{ANSWER}")
    desk.do(SetWording(KIND, other)).do(
        SetWording("moved", Wording("x", "{{ service }} {{ when }}"))
    )

    after = document(desk)
    parsed = DOCUMENT.parse(after.good)
    assert parsed.wordings[Via.MAIL, KIND] == other
    assert parsed.wordings[Via.MAIL, "moved"].subject == "x"
    assert after.replaces == digest(SECOND)
    assert desk.refused(SetWording(KIND, other)) == "unchanged"
    desk.do(ConfirmVoiceFile(after.text))
    assert document(desk).replaces == ""
    desk.do(SetWording(KIND, None))
    assert (Via.MAIL, KIND) not in DOCUMENT.parse(document(desk).good).wordings


# --- one machine --------------------------------------------------------------------------------


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with closing(Shop(tmp_path)) as one:
        yield one


@pytest.mark.spec("AR-25")
def test_half_of_the_visits_get_the_second_wording_of_the_file(shop: Shop, tmp_path: Path) -> None:
    file = tmp_path / "reminders" / f"{VOICE_NAME}.md"
    assert file.read_text() == DOCUMENT.default_text
    shop.do(TakeVoice(SECOND))
    for ref in (*WITH_FIRST, *WITH_SECOND):
        visit(shop, ref)
    shop.wait_until(FRIDAY - 3 * DAY)

    assert {ref: shop.subjects(f"p{ref}@")[0] for ref in (*WITH_FIRST, *WITH_SECOND)} == {
        **dict.fromkeys(WITH_FIRST, "Your appointment in 3 days: cut"),
        **dict.fromkeys(WITH_SECOND, "We look forward to cut"),
    }


@pytest.mark.spec("AR-25")
def test_a_reminder_without_a_second_wording_on_its_channel_has_the_first(shop: Shop) -> None:
    """The second wording is only a text; mails have the first wording of the business."""
    text = f"See you: {{{{ service }}}}\n{ANSWER}\n"
    shop.do(TakeVoice(f"## Text: first_reminder, second wording\n{text}"))
    ours = Wording("Ours: {{ service }}", f"{{{{ service }}}}\n\n{ANSWER}")
    shop.do(SetWording("first_reminder", ours))
    visit(shop, WITH_SECOND[0])
    shop.wait_until(FRIDAY - 3 * DAY)

    assert shop.subjects(f"p{WITH_SECOND[0]}@") == ["Ours: cut"]


@pytest.mark.spec("AR-25")
def test_staff_write_the_second_wording_and_see_the_comparison_among_the_figures(
    shop: Shop,
) -> None:
    host = owner(shop)
    assert "Two wordings" not in host.get("/console/reminders/weeks").says
    saved = host.send(PAGE, text=SECOND, do="save")
    assert "Saved. These words are in force." in saved.says
    assert "The first reminder of a visit, second wording" in saved.says
    for ref in (*WITH_FIRST, *WITH_SECOND):
        visit(shop, ref)
    shop.wait_until(FRIDAY + 2 * HOUR)

    page = host.get("/console/reminders/weeks").says
    assert "Two wordings Too early to tell: each wording needs at least 20 visits." in page
    assert "Second wording Visits 2 Came 2 Share 100% Likely between 34% to 100%" in page

    wrong = host.send(PAGE, text=SECOND.replace("service", "servise"), do="save")
    assert wrong.status == 422
