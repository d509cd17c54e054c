"""Proposed appointments: each is approved or discarded once, and an approval makes the
appointment."""

from __future__ import annotations

from typing import Any

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.mail import MailId
from frontdesk.core.people import ErasePerson
from frontdesk.desks.reminders.commands import (
    ApproveProposal,
    DiscardProposal,
    Propose,
    RecordAppointment,
)
from frontdesk.desks.reminders.model import AppointmentSource
from frontdesk.features.proposals.model import Proposal, ProposalId, ProposalStatus, ReadField
from frontdesk.values import replace
from tests.support.reminders import FRIDAY, HOUR, MONDAY, RemindersDesk, id_of

P1 = ProposalId("p1")
CONTACT = ReadField("email", "ann@example.org", "confident", "ann@example.org")
READ = Proposal(P1, MailId(""), "", MONDAY, (CONTACT,), text="ann@example.org", origin="calendar:1")


def visit(desk: RemindersDesk, **more: Any) -> RecordAppointment:
    plain = desk.record("ann", source=AppointmentSource.CALENDAR, ref="calendar:1")
    return replace(plain, **more)


@pytest.fixture
def proposed(desk: RemindersDesk) -> RemindersDesk:
    return desk.given().do(Propose(READ))


def test_a_proposal_is_made_once_and_reminds_nobody(proposed: RemindersDesk) -> None:
    assert proposed.refused(Propose(READ)) == "unchanged"

    assert list(proposed.reads.proposals(ProposalStatus.OPEN, 9)) == [READ]
    assert proposed.wait_until(FRIDAY).told() == []


@pytest.mark.spec("AR-02", "AR-03")
def test_approval_makes_the_appointment_and_settles_the_proposal(proposed: RemindersDesk) -> None:
    proposed.do(ApproveProposal(P1, visit(proposed)))

    found = proposed.reads.appointment(id_of("calendar:1", AppointmentSource.CALENDAR))
    assert found is not None
    assert found.starts_at == FRIDAY
    kept = proposed.reads.proposal(P1)
    assert kept is not None
    assert (kept.status, kept.entry_id) == (ProposalStatus.APPROVED, found.id)
    assert proposed.refused(ApproveProposal(P1, visit(proposed))) == "settled"
    assert proposed.refused(DiscardProposal(P1)) == "settled"


def test_a_refused_appointment_leaves_the_proposal_open(proposed: RemindersDesk) -> None:
    late = visit(proposed, starts_at=MONDAY - HOUR)

    assert proposed.refused(ApproveProposal(P1, late)) == "too_late"

    assert list(proposed.reads.proposals(ProposalStatus.OPEN, 9)) == [READ]


def test_approving_an_existing_appointment_changes_nothing_else(proposed: RemindersDesk) -> None:
    proposed.do(visit(proposed))
    before = proposed.reads.appointments(limit=9)

    proposed.do(ApproveProposal(P1, visit(proposed)))

    assert proposed.reads.appointments(limit=9) == before


def test_a_discarded_proposal_makes_no_appointment(proposed: RemindersDesk) -> None:
    proposed.do(DiscardProposal(P1))

    assert proposed.refused(ApproveProposal(P1, visit(proposed))) == "settled"
    assert list(proposed.reads.appointments(limit=9)) == []
    assert proposed.refused(DiscardProposal(ProposalId("p2"))) == "no_such_proposal"


@pytest.mark.spec("FD-20")
def test_proposals_about_an_erased_person_are_deleted(proposed: RemindersDesk) -> None:
    other = replace(READ, id=ProposalId("p2"), fields=(), text="Somebody", origin="calendar:2")
    proposed.do(Propose(other))
    proposed.do(ApproveProposal(other.id, visit(proposed, ref="calendar:2")))
    found = proposed.reads.appointment(id_of("calendar:2", AppointmentSource.CALENDAR))
    assert found is not None

    proposed.store.commit(
        Accepted((ErasePerson(found.person_id),)), by="test", at=proposed.clock.now()
    )

    assert proposed.reads.proposal(P1) is None
    assert proposed.reads.proposal(other.id) is None
