"""Explains refusals to hosts."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from frontdesk.desks.rsvp.reasons import Reason

#: Every reason has an entry.
_WORDS: Final[Mapping[Reason, str]] = MappingProxyType(
    {
        Reason.NO_SUCH_EVENT: "This event is not there any more. Nothing was changed.",
        Reason.NO_SUCH_GUEST: "This guest is not there any more. Nothing was changed.",
        Reason.CALLED_OFF: "This event has been called off. Nothing was changed.",
        Reason.BEGUN: "The event has begun, so no seat changes hands any more.",
        Reason.ALREADY_ON_THE_LIST: "This person is on the list already. Nothing was changed.",
        Reason.ALREADY_CANCELLED: "This guest had cancelled before. Nothing was changed.",
        Reason.PARTY_TOO_LARGE: "That is more people than one sign-up or the event can take.",
        Reason.PARTY_NOT_SMALLER: "A party can only become smaller, and at least one comes.",
        Reason.NOT_PENDING: "The invitation has been answered already.",
        Reason.NOT_WAITING: "This guest is not in line any more. Nothing was changed.",
        Reason.NOT_CONFIRMED: "This guest has no seat. Nothing was changed.",
        Reason.OFFER_GONE: "That offer is over. Nothing was changed.",
        Reason.TOO_LATE: "The time for this offer is over. Nothing was changed.",
        Reason.IN_DEBT: "More seats are taken than there are, so nothing new is given.",
        Reason.FULL: "There are not enough free seats for this party. Nothing was changed.",
        Reason.NOTHING_TO_DO: "There was nothing to do.",
        Reason.EDITED_MEANWHILE: "Somebody else has changed this meanwhile. Nothing was saved.",
        Reason.ADDRESS_IN_USE: "Another event has this page address.",
        Reason.BAD_TIMES: "The event has to end after it begins.",
        Reason.IN_THE_PAST: "This time is over already. Choose one that is still to come.",
        Reason.BAD_CAP: "Write the number of seats in digits, from 0 to 1,000,000.",
        Reason.NOT_OVER: "Thanks can go out once the event is over.",
        Reason.ALREADY_SENT: "The thanks have gone out already. Nothing was sent again.",
        Reason.UNCHANGED: "That is how it was already. Nothing was changed.",
        Reason.JOB_DONE: "That was done already.",
    }
)


def refusal(reason: StrEnum) -> str:
    return _WORDS[Reason(reason)]
