"""A sentence about a service that we do not offer is distinguished from one about no service."""

import pytest

from frontdesk.reading.other_services import names_other_service
from frontdesk.reading.parties import find_party
from frontdesk.reading.words import folded
from tests.reading.when_corpus import phrases, read

NONE = """
Friday at 3pm
an appointment on Friday please
I'd like an appointment tomorrow
hello, any time next week?
Hi there, Thursday afternoon would be great
Hi Laura, is Thursday possible?
anytime
as soon as possible
after work on Tuesday
not Mondays
call me Friday
running late tomorrow 5pm
peu importe
for two on Saturday
me and my daughter Friday
good morning, do you have something on Wednesday?
next week, mornings
please book me in for 5pm
einen Termin am Montag bitte
guten Tag, haben Sie morgen etwas frei?
am liebsten vormittags
nächste Woche nach der Arbeit
so bald wie möglich
zu zweit am Samstag
Hallo, geht es am Donnerstag?
un rendez-vous demain s'il vous plaît
bonjour, avez-vous une place jeudi ?
le plus tôt possible
pour deux personnes samedi
la semaine prochaine le matin
una cita mañana por favor
hola, ¿tienen algo el jueves?
lo antes posible
por la tarde la próxima semana
para dos el sábado
""".strip().splitlines()
OTHER = """
Haircut Friday
haircut on Friday at 3pm
I'd like a haircut on Friday
a massage on Saturday please
beard trim tomorrow
dog grooming next week
can I get a tattoo on Monday?
Haircut
Haarschnitt Freitag
ich hätte gern eine Massage am Montag
einen Haarschnitt am Samstag bitte
Zahnreinigung nächste Woche
une manucure demain matin
je voudrais un massage samedi
una manicura mañana por la tarde
quiero un masaje el lunes
""".strip().splitlines()
#: The share of phrases about times that may be wrong: 'sales in the second half of 2027' is no
#: wish.
MOST_FALSE = 0.01


def names_other(text: str) -> bool:
    when, party = read(text), find_party(text, folded(text), {})
    return names_other_service(
        text, (*(when.words if when else ()), *([party.words] if party else ()))
    )


@pytest.mark.parametrize("text", OTHER)
def test_a_thing_that_is_wished_for_is_a_service(text: str) -> None:
    assert names_other(text)


@pytest.mark.parametrize("text", NONE)
def test_a_wish_without_a_service_names_none(text: str) -> None:
    assert not names_other(text)


def test_phrases_about_times_hardly_ever_name_a_service() -> None:
    found = [each.text for each in phrases() if names_other(each.text)]

    assert len(found) <= MOST_FALSE * len(phrases()), found
