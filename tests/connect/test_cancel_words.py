"""Which replies clearly cancel."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.connect.cancel_words import wants_to_cancel
from tests.support.processor_time import takes_less_than

CANCELS = """
cancel
Cancel
CANCEL!
Cancel please
please cancel
Please cancel my RSVP
please cancel my rsvp.
Please cancel our seats, thank you.
Hi Ann, please cancel my registration. Thanks, Bob
I need to cancel
I have to cancel, sorry
I'd like to cancel my spot
I would like to cancel.
I am cancelling my reservation.
We're canceling
I want to cancel because of work
Could you please cancel my RSVP?
Can you cancel my booking?
Sorry, I can't make it
Sorry - I can’t make it :(
cant make it
Can't make it tonight
I cannot come
I can not attend the event
We can't come after all.
I'm afraid I can't be there
I’m so sorry but we won’t be able to attend
I won't be able to make it on Saturday.
I will not be coming.
I'm not coming
I am unable to attend
Unable to attend, sorry!
I can no longer make it.
I'm no longer able to attend
We are not going to be able to come.
I'd love to come but I can't make it
I can't make it, but thanks for the invite!
I can't make it this time but I will come next time
Please take me off the list
please remove me from the guest list
Count me out
I have to drop out.
You can give my seat to someone else.
Leider kann ich nicht kommen
Ich kann leider nicht kommen.
Ich muss leider absagen
Ich möchte meine Anmeldung stornieren.
Bitte stornieren Sie meine Anmeldung
Wir können leider nicht teilnehmen.
Ich komme leider doch nicht.
Wir schaffen es leider nicht, schade!
Bitte melden Sie mich wieder ab.
Hallo Ann, ich sage hiermit ab. Viele Grüße
Absage
Können Sie mich bitte abmelden?
Je ne peux malheureusement pas venir.
Je ne pourrai pas être présente.
Nous ne pourrons pas venir
Je souhaite annuler ma réservation
Merci d'annuler mon inscription.
Bonjour, j’annule ma participation.
Je ne viendrai pas
Pouvez-vous annuler ma place ?
No puedo ir
Lo siento, no podré asistir.
Hola, quiero cancelar mi reserva por favor
Por favor cancelen mi plaza
No voy a poder ir, lo siento
Tengo que cancelar
¿Pueden cancelar mi inscripción?
"""

DOES_NOT = """
yes, count me in
Count me in!
See you there
I'll be there
I can't wait
can't wait!
We cannot wait to see you
don't cancel
please don't cancel my seat
Please do not cancel my RSVP
I won't cancel
I will never cancel on you
I didn't cancel!
No need to cancel
what is the cancellation policy?
Can I cancel later?
How do I cancel?
How can I cancel if something comes up
If I can't make it I'll let you know
I'll tell you in case I can't come
I might have to cancel
Maybe I can't make it
Is the event cancelled?
My flight was cancelled but I'm on the train
I cancelled my other plans, so I am free
I have to cancel my flight
Please cancel the music order
Can't make it? Cancel here
My friend can't make it
Ann cannot come but I will be there
I can't come before 8
I can't make it on time
I can't come at 7, is 8 fine?
We can't come without the kids
I'm not coming alone
I wanted to cancel but changed my mind
please remove me from the mailing list
I was afraid you would cancel the show
Please sign me up even if others cancel.
Ich komme gern
Ich sage nicht ab
Bitte nicht stornieren
Falls ich nicht kommen kann, melde ich mich
Wie kann ich stornieren?
Ich kann nicht vor 20 Uhr kommen
Je viens avec plaisir
Merci de ne pas annuler ma place
Si je ne peux pas venir, je vous écris
Comment annuler ma réservation ?
N'annulez pas
Claro que sí, allí estaré
No cancelen mi reserva
Si no puedo ir, aviso
¿Cómo puedo cancelar?
No quiero cancelar
"""


@pytest.mark.spec("EV-08")
@pytest.mark.parametrize("text", CANCELS.strip().splitlines())
def test_a_clear_cancel_is_understood(text: str) -> None:
    assert wants_to_cancel(text)


@pytest.mark.spec("EV-08")
@pytest.mark.parametrize("text", DOES_NOT.strip().splitlines())
def test_a_reply_that_is_not_clearly_a_cancellation_is_none(text: str) -> None:
    assert not wants_to_cancel(text)


def test_a_sentence_may_be_wrapped() -> None:
    assert wants_to_cancel("Something came up and I can't make\nit on Friday, sorry.")


@given(st.text(st.sampled_from("ican'tcelwo mkeit,.?\n not"), max_size=400))
@settings(max_examples=50)
def test_any_text_gets_an_answer(text: str) -> None:
    assert wants_to_cancel(text) in (True, False)


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    "text", ["i " * 8_000, "not " * 5_000, "hi a, " * 3_000, "cannot" * 3_000, "i can " * 3_000]
)
def test_no_text_takes_long(text: str) -> None:
    assert takes_less_than(0.5, lambda: wants_to_cancel(text))
