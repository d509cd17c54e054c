"""The new text of a reply: without quotes, signature and forwarded mail."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.connect.cancel_words import wants_to_cancel
from frontdesk.connect.mail_text import MAX_REPLY, new_text
from tests.support.processor_time import takes_less_than

OURS = "Your seat is booked.\n> Can't make it? Cancel here:\n> https://desk.example/l/abc"

TAILS = {
    "plain English": f"On Mon, 2 Mar 2026 at 10:00, The Desk <desk@example.org> wrote:\n> {OURS}",
    "wrapped English": f"On Mon, 2 Mar 2026 at 10:00, Desk\n<desk@example.org>\nwrote:\n> {OURS}",
    "English, unquoted": "On 2 Mar 2026, The Desk wrote:\n\nPlease cancel my seat",
    "German": f"Am 02.03.2026 um 10:00 schrieb Desk <desk@example.org>:\n> {OURS}",
    "German, name first": f"Desk <desk@example.org> schrieb am Mo.,\n2. März 2026:\n> {OURS}",
    "French": f"Le lun. 2 mars 2026 à 10:00, Desk <desk@example.org> a écrit\u00a0:\n> {OURS}",
    "Spanish": f"El lun, 2 mar 2026 a las 10:00, Desk (<desk@example.org>) escribió:\n> {OURS}",
    "Italian": f"Il giorno lun 2 mar 2026 alle 10:00 Desk ha scritto:\n> {OURS}",
    "Dutch": f"Op ma 2 mrt 2026 om 10:00 schreef Desk <desk@example.org>:\n> {OURS}",
    "only quotes": f"> {OURS}",
    "Outlook": (
        "From: The Desk <desk@example.org>\nSent: Monday, March 2, 2026 10:00 AM\n"
        "To: Ann\nSubject: Your seat\n\nPlease cancel my seat"
    ),
    "Outlook with bold": (
        "________________________________\n*From:* The Desk\n*Sent:* Monday\n*To:* Ann\n"
        "*Subject:* Your seat\n\nPlease cancel my seat"
    ),
    "Outlook, German": (
        "Von: Desk <desk@example.org>\nGesendet: Montag, 2. März 2026 10:00\nAn: Ann\n"
        "Betreff: Ihr Platz\n\nBitte stornieren"
    ),
    "Outlook, French": (
        "De : Desk\nEnvoyé : lundi 2 mars 2026 10:00\nÀ : Ann\nObjet : Votre place\n\nannuler"
    ),
    "Outlook, Spanish": (
        "De: Desk\nEnviado: lunes, 2 de marzo de 2026\nPara: Ann\nAsunto: Su plaza\n\ncancelar"
    ),
    "original": "-----Original Message-----\nPlease cancel my seat",
    "original, German": "-----Ursprüngliche Nachricht-----\nBitte stornieren",
    "forwarded": "---------- Forwarded message ---------\nPlease cancel my seat",
    "forwarded by Apple": "Begin forwarded message:\n\nPlease cancel my seat",
    "signature": "-- \nAnn\nCancel Culture Ltd.",
    "iPhone": "Sent from my iPhone",
    "iPhone, German": f"Von meinem iPhone gesendet\n\nAm 2.3.2026 schrieb Desk:\n> {OURS}",
    "Outlook on a phone": "Get Outlook for iOS<https://aka.ms/x>",
    "phone, French": "Envoyé de mon iPhone",
    "phone, Spanish": "Enviado desde mi iPhone",
    "wrapped quote": "> " + "x" * 70 + "\ncancel my seat please, it said there",
}


@pytest.mark.spec("EV-08")
@pytest.mark.parametrize("tail", TAILS.values(), ids=TAILS.keys())
def test_only_the_new_text_is_left(tail: str) -> None:
    assert new_text(f"Yes, we are two!\nSee you\n\n{tail}\n") == "Yes, we are two!\nSee you"


@pytest.mark.spec("EV-08")
@pytest.mark.parametrize("tail", TAILS.values(), ids=TAILS.keys())
def test_a_cancel_in_the_quoted_part_cancels_nothing(tail: str) -> None:
    assert not wants_to_cancel(new_text(f"Thanks!\n\n{tail}"))


@pytest.mark.spec("EV-08")
def test_an_answer_below_the_quote_is_new_text() -> None:
    mail = (
        "On 2 Mar 2026, Desk <d@e.org> wrote:\n> Your seat is booked.\n\nplease cancel\n\n-- \nAnn"
    )

    assert new_text(mail) == "please cancel"


def test_answers_between_quotes_are_new_text() -> None:
    assert new_text("> Coming?\nYes.\n> Alone?\nWith Bob.") == "Yes.\nWith Bob."


@pytest.mark.parametrize(
    "text",
    [
        "On Friday I wrote: see you.\nFrom: now on I am vegan.",
        "From: the heart, thank you!\nBest, Ann",
        "My mother wrote:\nshe would love to come too",
        "A -- B",
        "Zürich, 10.000 Grüße 🎉",
    ],
)
def test_text_that_only_looks_like_a_quote_stays(text: str) -> None:
    assert new_text(text) == text


def test_text_and_lines_are_cut_at_their_bounds() -> None:
    assert new_text("a" * 600) == "a" * 500
    assert len(new_text("abc\n" * MAX_REPLY)) <= MAX_REPLY


def test_line_ends_and_control_characters_are_made_plain() -> None:
    assert (
        new_text("one\r\ntwo\rthree\x00\x07\r\n\r\n\r\n\r\nfour\u200b") == "one\ntwo\nthree\n\nfour"
    )


@given(
    st.lists(
        st.sampled_from(["On 2 Mar", "wrote:", "> quote", "From: a", "Sent: b", "--", "hello", ""])
        | st.text(max_size=40)
    )
)
@settings(max_examples=100)
def test_new_text_is_part_of_the_text_and_has_nothing_more_to_lose(lines: list[str]) -> None:
    found = new_text("\n".join(lines))

    assert found == found.strip()
    assert not any(line.lstrip().startswith(">") for line in found.split("\n"))
    assert "\x00" not in found


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    "text",
    [
        "On <a@b> " * 2_000_000,
        "On 1\n" * 200_000,
        ">" * 1_000_000,
        "From: a\n" * 200_000,
        "-" * 1_000_000,
        "-- original " * 100_000,
        " " * 1_000_000,
        "\n" * 1_000_000,
    ],
)
def test_no_text_takes_long(text: str) -> None:
    assert takes_less_than(0.5, lambda: new_text(text))
