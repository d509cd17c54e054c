"""Builds the readers of mail that becomes proposals, for the desks that have them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from frontdesk.engine.ports import Reads
from frontdesk.features.catalogue.model import CATALOGUE
from frontdesk.features.proposals.decide import ProposalDesk
from frontdesk.wiring.context import DeskContext

if TYPE_CHECKING:
    from frontdesk.features.proposals.reader import RequestReader

    AnyReader = TypeVar("AnyReader", bound=RequestReader)


def request_reader(
    kind: type[AnyReader],
    context: DeskContext,
    desk: ProposalDesk,
    *,
    zone: Callable[[Reads], str],
    address: str,
    takes_requests: bool = True,
) -> AnyReader:
    """Reads with the model if there is one, else by rules alone."""
    from frontdesk.reading.rules import RulesReader

    settings = context.settings
    return kind(
        desk=desk,
        zone=zone,
        catalogue=CATALOGUE,
        address=address,
        takes_requests=takes_requests,
        clock=context.clock,
        reads=context.reads,
        country=settings.country,
        reader=context.reader() if context.reader else RulesReader(),
        reader_name="model" if context.reader else "rules",
        pictures=context.pictures(),
        our_addresses=(settings.from_email,),
        trusted_authserv=settings.trusted_authserv,
    )
