"""Rules and words are documents: each line is checked, and a document is used as a whole or not at
all."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.sms import size
from frontdesk.desks.admin.commands import SetBusiness
from frontdesk.desks.admin.model import Business
from frontdesk.desks.waitlist.document_facts import DocumentTaken
from frontdesk.desks.waitlist.model import DocumentName, Opening, Wish
from frontdesk.desks.waitlist.slot_intake import slot_intake_in
from frontdesk.features.documents.console import MOST_EARLIER
from frontdesk.web.colours import DEFAULT_ACCENT
from frontdesk.web.renderer import Branding
from tests.desks.rsvp.console_desk import Host
from tests.desks.waitlist.console.counter import owner
from tests.support.browser import Answer
from tests.support.salon import HOUR, NINE, TODAY, Salon

RULES = "/console/waitlist/rules"
VOICE = "/console/waitlist/voice"
QUICK = "# Ours\nClaim window: 5 minutes.\n"
ODD = "Claim window: 5 minutes.\nThe claim window is for ever.\n"
TEXT = "## Text: booked\n{{ business }}: yours! {{ service }} {{ when }}\n"
WRONG_TEXT = "## Text: booked\n{{ business }}: yours! {{ servis }}\n"


def paper(salon: Salon, name: DocumentName) -> str:
    text = slot_intake_in(salon.product.site).documents.files.read(name)
    assert text is not None
    return text


def window(salon: Salon) -> timedelta:
    return salon.wl.rules().claim_window


def save(host: Host, page: str, text: str, do: str = "save") -> Answer:
    return host.send(page, text=text, do=do)


@pytest.mark.spec("WL-23")
def test_rules_are_saved_echoed_line_by_line_and_in_force(salon: Salon) -> None:
    host = owner(salon)

    answer = save(host, RULES, QUICK)

    assert answer.flash == "Saved. These rules are in force."
    assert "Each person has 5 minutes to say yes." in answer.says
    assert (window(salon), paper(salon, DocumentName.RULES)) == (timedelta(minutes=5), QUICK)


@pytest.mark.spec("WL-23")
def test_a_preview_changes_nothing(salon: Salon) -> None:
    host, before = owner(salon), paper(salon, DocumentName.RULES)

    answer = save(host, RULES, QUICK, "preview")

    assert "This is not saved yet. It would be in force at once if you save it." in answer.says
    assert "Each person has 5 minutes to say yes." in answer.says
    assert (window(salon), paper(salon, DocumentName.RULES)) == (timedelta(minutes=10), before)


@pytest.mark.spec("WL-23")
def test_a_line_that_is_not_understood_is_marked_and_the_earlier_rules_stay_in_force(
    salon: Salon,
) -> None:
    host = owner(salon)
    save(host, RULES, QUICK)

    asked = save(host, RULES, ODD)
    assert (asked.status, salon.wl.document(DocumentName.RULES).text) == (422, QUICK)
    assert "Not saved yet: 1 thing needs a look." in asked.says
    assert "Line 2: The claim window is for ever." in asked.says
    assert "Did you mean: “" in asked.says

    kept = save(host, RULES, ODD, "anyway")
    assert kept.flash == (
        "Saved as it is. 1 thing needs a look: until then the rules before stay in force."
    )
    assert "The last rules that could be understood stay in force." in kept.says
    assert "What is in force" in kept.says
    assert (window(salon), paper(salon, DocumentName.RULES)) == (timedelta(minutes=5), ODD)


@pytest.mark.spec("WL-23")
def test_an_earlier_document_is_looked_at_and_used_again(salon: Salon) -> None:
    host = owner(salon)
    save(host, RULES, QUICK)
    salon.later(timedelta(minutes=1))
    save(host, RULES, QUICK.replace("5", "7"))
    page = host.get(RULES).text
    seq = page.partition("?look=")[2].partition('"')[0]

    look = host.get(f"{RULES}?look={seq}")
    assert "Each person has 5 minutes to say yes." in look.says
    assert window(salon) == timedelta(minutes=7)

    answer = host.act(RULES, f"{RULES}/again", seq=seq)
    assert (answer.flash, window(salon)) == (
        "Saved. These rules are in force.",
        timedelta(minutes=5),
    )
    assert host.act(RULES, f"{RULES}/again", seq="999999").status == 404


def test_the_second_of_two_editors_sees_the_text_of_the_first(salon: Salon) -> None:
    host = owner(salon)
    stamp = host.get(RULES).text.partition('name="stamp" value="')[2].partition('"')[0]
    save(host, RULES, QUICK)

    answer = host.act(RULES, RULES, text="Claim window: 9 minutes.", do="save", stamp=stamp)

    assert answer.status == 409
    assert "Somebody else has saved these rules meanwhile." in answer.says
    assert "Claim window: 5 minutes." in answer.says
    assert window(salon) == timedelta(minutes=5)


def test_an_edit_in_the_file_is_shown_and_viewing_it_does_not_take_it(
    salon: Salon,
) -> None:
    slot_intake_in(salon.product.site).documents.files.write(DocumentName.RULES, QUICK)

    page = owner(salon).get(RULES)

    assert "The document was changed outside the console." in page.says
    assert "Each person has 5 minutes to say yes." in page.says
    assert window(salon) == timedelta(minutes=10)


def test_an_empty_document_that_was_saved_here_was_not_changed_elsewhere(salon: Salon) -> None:
    host = owner(salon)
    save(host, VOICE, TEXT)

    assert save(host, VOICE, "").flash == "Saved. These words are in force."
    assert "changed outside" not in host.get(VOICE).says


@pytest.mark.spec("WL-23", "FD-13")
def test_words_are_saved_and_each_message_is_shown_as_it_reads(salon: Salon) -> None:
    answer = save(owner(salon), VOICE, TEXT)

    assert answer.flash == "Saved. These words are in force."
    said = "Frontdesk: yours! Cut and colour Wednesday 18 November, 15:00 (SGT)"
    assert said in answer.says
    assert f"{len(said)} characters, 1 segment" in answer.says
    assert salon.wl.document(DocumentName.VOICE).good == TEXT


@pytest.mark.spec("WL-23", "FD-13")
def test_a_preview_has_the_names_and_links_of_the_business_and_the_length_of_the_real_text(
    salon: Salon,
) -> None:
    """The business has the longest names of its services, on a Wednesday, as the preview
    assumes."""
    name = "Clay and Fire, the pottery in the old brewery by the river"
    salon.run(SetBusiness(Business(name=name, zone="Asia/Singapore")))
    salon.product.site.renderer.set_branding(Branding(name, DEFAULT_ACCENT))
    wish = Wish("Cut and colour", 1, TODAY, TODAY + timedelta(days=30))
    salon.joins("Ann", mobile="+6591234567", email="", wish=wish)
    starts_at = NINE + timedelta(days=2, hours=6)
    salon.frees(opening=Opening("Cut and colour", starts_at, 2 * HOUR, 1, "Mia", 0))
    [real] = salon.messages("+6591234567")

    says = owner(salon).get(VOICE).says

    size_of = size(real["text"])
    assert size_of.segments == 2
    assert f"{size_of.units} characters, {size_of.segments} segments" in says
    assert "Salon Mia" not in says
    assert real["text"].partition("http")[0].strip().replace("\n", " ") in says
    link = real["text"].split()[-1]
    assert f"Links begin with {salon.product.settings.claims_at} and have {len(link)}" in says
    assert (
        "A segment to SG costs about US$0.05. In the last 30 days: 1 message, 2 segments, "
        "about US$0.10 if all go by text." in says
    )


@pytest.mark.spec("WL-23")
def test_without_a_message_in_30_days_a_preview_tells_the_cost_of_a_hundred_offers(
    salon: Salon,
) -> None:
    name = "Clay and Fire, the pottery in the old brewery by the river"
    salon.product.site.renderer.set_branding(Branding(name, DEFAULT_ACCENT))
    hundred = "A segment to SG costs about US$0.05: 100 offers a month are about US$10.00."
    host = owner(salon)
    assert hundred in host.get(VOICE).says

    salon.joins("Ann", mobile="+6591234567", email="")
    salon.frees()
    assert "In the last 30 days: 1 message" in host.get(VOICE).says

    salon.clock.move_to(salon.clock.now() + timedelta(days=31))
    assert hundred in owner(salon).get(VOICE).says


@pytest.mark.spec("WL-23", "FD-13")
def test_an_unknown_placeholder_is_marked_with_its_line(
    salon: Salon,
) -> None:
    host = owner(salon)
    answer = save(host, VOICE, WRONG_TEXT)

    assert answer.status == 422
    assert "2 Text: booked " in answer.says
    assert "servis" in answer.says
    assert salon.wl.document(DocumentName.VOICE).text != WRONG_TEXT


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("page", [RULES, VOICE])
def test_a_document_of_any_kind_and_size_gets_a_clear_answer(salon: Salon, page: str) -> None:
    host = owner(salon)
    for text in ("", "x" * 15_000, "\0\x1b[31m\u202e", "<script>alert(1)</script>", "{{ }} {% if"):
        answer = host.send(page, text=text, do="preview")
        assert answer.status == 200
        assert "<script>alert" not in answer.text


@pytest.mark.spec("WL-23")
def test_earlier_versions_are_found_behind_any_number_of_other_facts(salon: Salon) -> None:
    intake, store = slot_intake_in(salon.product.site), salon.product.engine.store
    intake.documents.write(DocumentName.RULES, "Tries: 3.", by="test")
    for _ in range(3):
        words = 100 * (DocumentTaken(DocumentName.VOICE, "Other words."),)
        store.commit(Accepted((), words), by="test", at=salon.clock.now())
    intake.documents.write(DocumentName.RULES, "Tries: 4.", by="test")
    host = owner(salon)

    [before, first] = re.findall(r"look=(\d+)", host.get(RULES).text)
    assert "Tries: 3." in host.get(f"{RULES}?look={before}").text
    assert "Tries: 3." not in host.get(f"{RULES}?look={first}").text
    assert len(re.findall(r"look=(\d+)", host.get(VOICE).text)) == MOST_EARLIER - 1
