"""keeper: what follows from a fact: the next in line is offered the seat, mail is acted on."""

from __future__ import annotations

from frontdesk.aws.container import deployment
from frontdesk.aws.facts import act_on, of_the_waitlist, reacts
from frontdesk.aws.streams import Payload


def handler(payload: Payload, _context: object) -> None:
    act_on(
        deployment().back,
        payload["detail"],
        lambda each: reacts(each) and not of_the_waitlist(each),
    )
