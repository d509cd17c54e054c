"""A name is certain if people state it, sign with it, or have it in their address."""

import pytest

from frontdesk.reading.rules import RulesReader
from tests.reading.corpus import context

HEAD = "Date: Sun, 15 Nov 2026 10:00:00 +0100\nTo: us\n\nHaircut on 3 December please."


def read(text: str) -> str:
    name = RulesReader().read(text, context()).name
    return f"{name.value}, {name.confidence}" if name else ""


@pytest.mark.spec("WL-03")
@pytest.mark.parametrize(
    ("text", "name"),
    {
        "My name is Jo. Haircut please.": "Jo",
        "Table for 2, in the name of Ashworth.": "Ashworth",
        "This is Beatriz Costa. Nails please.": "Beatriz Costa",
        "Nom : Marchand\nPrénom : Sophie\nPrestation : Massage": "Sophie Marchand",
        "A haircut, please.\n\nBest\nOllie\n\nOliver Grant\nPixel": "Oliver Grant",
        "A haircut, please. LG Moni Roth": "Moni Roth",
        "A haircut, please. Regards, Sir Clive Armitage": "Clive Armitage",
        "A haircut, please. Mark Young": "Mark Young",
        "A haircut, please.\nMark Young, 0171 2345678": "Mark Young",
        "A haircut, please. Herzlichst, Ihre Ingrid Pohl": "Ingrid Pohl",
        "A haircut, please. Regards, Dr. Ida Blom": "Ida Blom",
        "A haircut, please. K. Dietz, k@dietz.example": "K. Dietz",
        "Paula Dean here. A haircut, please.": "Paula Dean",
        "I'm Jo. A haircut, please.\nThanks,\nJo Fry": "Jo Fry",
        f"From: Karl Weber <karl.weber@example.com>\n{HEAD}": "Karl Weber",
        f"From: Karl Weber <kw7@example.com>\n{HEAD} Karl": "Karl Weber",
        f"From: Oskar Thiel <kw7@example.com>\n{HEAD}\nO. Thiel": "Oskar Thiel",
    }.items(),
)
def test_a_name_with_a_clear_sign_is_certain(text: str, name: str) -> None:
    assert read(text) == f"{name}, confident"


@pytest.mark.spec("WL-03")
@pytest.mark.parametrize(
    ("text", "name"),
    {
        "A haircut, please. Laura": "Laura, likely",
        "A haircut, please. LG Moni": "Moni, likely",
        "A haircut, please.\n\nKind regards\nLaura": "Laura, likely",
        "Name: HOLT, Margaret\nService: Massage": "Margaret HOLT, likely",
        "A haircut, please. Thanks Laura": "Laura, likely",
        "Hi Laura, a haircut, please. Thanks, Laura": "Laura, unsure",
        "A haircut, please. Thanks, Anna": "Anna, unsure",
        "A haircut, please. M. Roux": "M. Roux, likely",
        "A haircut, please. Regards, Mrs Okonkwo": "Okonkwo, likely",
        "A haircut, please. Rob, rob@fisher.example": "Rob, likely",
        "A haircut, please. Thanks, Helen\nhelen.draper@example.org": "Helen, likely",
        "Helen Draper here, a haircut, please. Thanks, Niamh": "Helen Draper, likely",
        "A haircut for my mother, please. Mark Young": "Mark Young, likely",
        "My daughter Isla Kern is due a haircut. Thanks\nRenee": "Renee, likely",
        "Could you book her in for a haircut? Thanks, Mark Young": "Mark Young, likely",
        "Your parcel is here. Regards, Mark Young": "Mark Young, likely",
        "My son (7) needs a haircut. Thanks, Mark Young": "Mark Young, likely",
        "A guest of ours, Jim Boyd, would like a massage. Regards, Ann Cole": "Ann Cole, likely",
        "Please a haircut for Leo Brandt. Thanks, Ann Cole": "Ann Cole, likely",
        "Nails at 3. For Mrs. Ilse Brand": "Ilse Brand, unsure",
        "Nails, please. Regards, Bright Travel": "Bright Travel, likely",
        f"From: Karl Weber <kw7@example.com>\n{HEAD}": "Karl Weber, likely",
        f"From: Karl Weber <karl.weber@example.com>\n{HEAD} Ines": "Ines, likely",
    }.items(),
)
def test_a_name_that_may_be_somebody_elses_is_not(text: str, name: str) -> None:
    assert read(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "Nails on 2 December? Happy Christmas",
        "Manicure, please. Many Thanks",
        "Massage am 3.12. bitte. Schönes Wochenende",
        "Please put down:\n- Klara Moser, haircut\n- Jan Moser, haircut",
        "| Wann | 07.12.2026 |\n| Was | Massage |",
        "Massage zwischen dem 7. und 11. Dezember",
    ],
)
def test_text_that_only_looks_like_a_name_is_none(text: str) -> None:
    assert read(text) == ""
