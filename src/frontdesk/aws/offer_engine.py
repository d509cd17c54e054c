"""offer-engine: what follows for the waitlist: the next who suits a slot is offered it."""

from __future__ import annotations

from frontdesk.aws.container import deployment
from frontdesk.aws.facts import act_on, of_the_waitlist, reacts
from frontdesk.aws.streams import Payload


def handler(payload: Payload, _context: object) -> None:
    act_on(
        deployment().back, payload["detail"], lambda each: reacts(each) and of_the_waitlist(each)
    )
