"""Recognises the answers of guests in exports of other tools."""

import re
import unicodedata

_NO = (
    "no, n, nope, declined, decline, rejected, refused, denied, cancelled, canceled, withdrawn,"
    " deleted, removed, refunded, unregistered, no longer coming, not going, not attending,"
    " not coming, cant go, cant come, cant attend, cant make it, cannot go, cannot come,"
    " cannot attend, cannot make it, unable to attend, will not attend, regrets, rsvp no,"
    " nein, abgesagt, absage, abgelehnt, storniert, nimmt nicht teil, kommt nicht,"
    " non, décliné, refusé, annulé, absent, rechazado, cancelado, no asistirá, no asiste,"
    " rifiutato, annullato, não, recusado, nee, afgezegd, geweigerd, geannuleerd, nej, afbud,"
    " avböjt, avbokad, nie, odrzucone, anulowano, нет, отклонено, отменено, 欠席, 不参加"
)
_OTHERS = (
    "yes, y, yep, approved, accepted, accept, confirmed, registered, going, attending, coming,"
    " attended, present, checked in, joined, booked, active, complete, completed, paid, rsvp yes,"
    " maybe, tentative, unsure, interested, undecided, no reply, no response, no answer,"
    " not responded, not replied, unanswered, awaiting reply, needs action, invited, sent,"
    " pending, pending approval, awaiting approval, requested, waitlist, waitlisted, wait list,"
    " waiting list, on waitlist, waiting,"
    " ja, zugesagt, zusage, angenommen, bestätigt, vielleicht, eingeladen, offen, warteliste,"
    " oui, accepté, confirmé, peut être, invité, en attente, liste d'attente, sí, aceptado,"
    " confirmado, quizás, invitado, pendiente, lista de espera, accettato, confermato, forse,"
    " sim, talvez, bevestigd, misschien, wachtlijst, kanske, måske, tak, może, да, возможно,"
    " 出席, 参加, 未定"
)


def _plain(text: str) -> str:
    """Lower case, no accents or apostrophes, single blanks: `Can’t Go` gives `cant go`."""
    bare = unicodedata.normalize("NFKD", re.sub(r"['’]", "", text[:100]).casefold())
    letters = "".join(c for c in bare if not unicodedata.combining(c))
    return " ".join(re.findall(r"[^\W_]+", letters))


_NO_WORDS = frozenset(map(_plain, _NO.split(",")))
_ALL_WORDS = _NO_WORDS | frozenset(map(_plain, _OTHERS.split(",")))


def is_no(said: str) -> bool:
    """Returns whether they declined or cancelled."""
    return _plain(said) in _NO_WORDS


def is_answer(said: str) -> bool:
    """Returns whether it is any known answer, or says that one is awaited."""
    return _plain(said) in _ALL_WORDS
