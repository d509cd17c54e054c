"""Staff at the counter of a salon: signing in, and actions on slots."""

from __future__ import annotations

from frontdesk.core.members import MemberId, Role
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import InviteMember
from frontdesk.desks.admin.desk import first_link, new_nonce
from frontdesk.desks.waitlist.commands import ClaimOffer, DeclineOffer
from frontdesk.desks.waitlist.model import Slot
from frontdesk.wiring.one_machine import web_app
from tests.desks.rsvp.console_desk import Host
from tests.support.salon import Salon

BOARD = "/console/waitlist"


def owner(salon: Salon) -> Host:
    product = salon.product
    base_url = product.settings.base_url
    return _let_in(salon, first_link(product.engine, product.keys, base_url, salon.clock.now()))


def member(salon: Salon, name: str, role: Role, event_id: str = "") -> Host:
    """Invites a member, and signs in with the link in the mail."""
    new, email = salon.product.engine.new_id, f"{name.lower()}@salon.example"
    salon.run(
        InviteMember(MemberId(new()), PersonId(new()), name, email, role, event_id, new_nonce())
    )
    lines = salon.settle().messages(email)[-1]["text"].splitlines()
    return _let_in(salon, next(line for line in lines if line.startswith("http")))


def _let_in(salon: Salon, link: str) -> Host:
    base_url = salon.product.settings.base_url
    host = Host(web_app(salon.product), base_url)
    answer = host.post(link.removeprefix(base_url))
    assert answer.status == 303, answer.says
    return host


def url_of(slot: Slot) -> str:
    return f"{BOARD}/slots/{slot.id}"


def claims(salon: Salon, slot: Slot) -> Slot:
    """Claims the slot as the person with the offer."""
    return _answers(salon, slot, ClaimOffer(slot.id, salon.current(slot).seq))


def declines(salon: Salon, slot: Slot) -> Slot:
    return _answers(salon, slot, DeclineOffer(slot.id, salon.current(slot).seq))


def _answers(salon: Salon, slot: Slot, command: ClaimOffer | DeclineOffer) -> Slot:
    salon.run(command, by="guest:test")
    salon.settle()
    found = salon.wl.slot(slot.id)
    assert found is not None
    return found


def member_id(salon: Salon) -> MemberId:
    """Returns the id of the owner."""
    (first, *_) = salon.product.engine.reads().desk("fd").owners()
    found: MemberId = first.id
    return found
