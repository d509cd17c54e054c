"""Orders of the command line to the running server, by desk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from frontdesk.core.decision import Command, Refused
from frontdesk.engine.ports import Committed
from frontdesk.errors import FrontdeskError
from frontdesk.wiring.one_machine import Frontdesk

BY: Final = "cli"

Order = Callable[[Frontdesk, Mapping[str, Any]], Mapping[str, Any]]


class NotDone(FrontdeskError):
    """The order was refused and nothing was changed; the text says why."""


def run(product: Frontdesk, command: Command) -> Committed:
    outcome = product.engine.run(command, by=BY, now=product.clock.now())
    if isinstance(outcome, Refused):
        raise not_done(outcome)
    return outcome


def not_done(refused: Refused) -> NotDone:
    return NotDone(f"That cannot be done: {_WORDS.get(refused.reason, refused.reason)}.")


_WORDS: Final = {
    "called_off": "the event is called off",
    "begun": "it has begun or is over, so nothing changes hands any more",
    "nothing_to_do": "there is nobody in the list",
    "already_freed": "this slot is free already",
    "bad_slot": "a slot lasts from a minute to a day and has room for somebody",
    "of_the_team": "this person is in the team, and has to leave it first",
}
