"""Incoming requests: on the list only after staff approve them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.core.mail import KeepMail, MailFolder, MailId, RawMail, SettleMail
from frontdesk.core.people import AddPerson, Person, PersonId
from frontdesk.desks.waitlist.changes import (
    AddEntry,
    AddProposal,
    EntryAsRead,
    SettleProposal,
    WriteEntry,
)
from frontdesk.desks.waitlist.commands import (
    ApproveProposal,
    DiscardProposal,
    JoinList,
    Propose,
)
from frontdesk.desks.waitlist.decide.proposals import PROPOSALS, approve
from frontdesk.desks.waitlist.facts import (
    EntryChanged,
    EntryJoined,
    ProposalApproved,
    ProposalDiscarded,
    ProposalMade,
)
from frontdesk.desks.waitlist.model import Entry, EntryId, EntryStatus, Lane, Wish
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.views import ApprovalView, JoinView
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.features.proposals.model import (
    Proposal,
    ProposalId,
    ProposalStatus,
    ProposalView,
    ReadField,
    ReadingView,
)
from frontdesk.values import replace
from tests.support.waitlist import HOUR, NINE, RULES, WISH, WaitlistDesk, entry

P1, M1 = ProposalId("p1"), MailId("m1")
ANN = Person(PersonId("p-ann"), "Ann", "ann@example.org")
NOW = NINE + HOUR
READ = Proposal(P1, M1, "ann@example.org", NINE, (ReadField("service", "cut", "likely", "a cut"),))
NO_SHOP = Catalogue()
SETTLED = [ProposalStatus.APPROVED, ProposalStatus.DISCARDED]


def propose(known: Proposal | None) -> Decision:
    return PROPOSALS.make_proposal(ReadingView(None, known, mail_kept=True), Propose(READ), NINE)


def discard(before: ProposalView | None) -> Decision:
    return PROPOSALS.discard_proposal(before, DiscardProposal(P1), NOW)


def join(wish: Wish = WISH) -> JoinList:
    return JoinList(EntryId("new"), PersonId("p-new"), "Ann", "ann@example.org", wish, Lane.INBOX)


def view(
    *entries: Entry, shop: Catalogue = NO_SHOP, status: ProposalStatus = ProposalStatus.OPEN
) -> ApprovalView:
    joining = JoinView(RULES, ANN if entries else None, entries, shop)
    return ApprovalView(replace(READ, status=status), mail_kept=True, join=joining)


def approved(before: ApprovalView, wish: Wish = WISH, *, change: bool = False) -> Decision:
    return approve(before, ApproveProposal(P1, join(wish), change=change), NOW)


def settled(entry_id: str, person_id: str) -> Sequence[SettleProposal | SettleMail]:
    return (
        SettleProposal(P1, ProposalStatus.APPROVED, NOW, entry_id),
        SettleMail(M1, person_id, "on the waitlist"),
    )


# --- creation ---------------------------------------------------------------------------------


@pytest.mark.spec("WL-03")
def test_a_mail_is_read_into_one_proposal_however_often_it_is_read() -> None:
    assert propose(None) == Accepted(
        (AddProposal(READ), SettleMail(M1, "", "read for the waitlist")), (ProposalMade(P1, M1),)
    )
    assert propose(READ) == Refused(Reason.UNCHANGED)


# --- approval ---------------------------------------------------------------------------------


@pytest.mark.spec("WL-03")
def test_approving_puts_somebody_new_on_the_list_and_settles_it_in_one_commit() -> None:
    new = entry("new", joined=60, lane=Lane.INBOX)

    assert approved(view()) == Accepted(
        (
            *settled("new", "p-new"),
            AddPerson(PersonId("p-new"), "Ann", "ann@example.org", "ann@example.org"),
            AddEntry(new),
        ),
        (
            ProposalApproved(P1, new.id),
            EntryJoined(new.id, 1, new.person_id, WISH, Lane.INBOX, new.joined_at),
        ),
    )


@pytest.mark.spec("WL-03", "WL-05")
def test_approving_for_somebody_who_waits_for_it_already_changes_their_one_entry() -> None:
    ann = entry("ann")
    wish = replace(WISH, staff="mia")
    changed = replace(ann, staff="mia", lane=Lane.INBOX, version=2)

    assert approved(view(ann), wish) == Refused(Reason.ON_THE_LIST)
    assert approved(view(ann), wish, change=True) == Accepted(
        (*settled("ann", "p-ann"), WriteEntry(changed)),
        (ProposalApproved(P1, ann.id), EntryChanged(ann.id, 2, wish, Lane.INBOX)),
    )


@pytest.mark.spec("WL-03", "WL-05")
@pytest.mark.parametrize("called", ["cut", "Haircut "])
def test_approving_a_request_that_equals_the_list_settles_it_while_they_are_equal(
    called: str,
) -> None:
    shop = Catalogue((Service("cut", aliases=("haircut",)),))
    ann = entry("ann", version=4)
    others = entry("ann-colour", service="colour")

    assert approved(view(others, ann, shop=shop), replace(WISH, service=called)) == Accepted(
        (*settled("ann", "p-ann"), EntryAsRead(ann.id, 4)), (ProposalApproved(P1, ann.id),)
    )


@pytest.mark.spec("WL-03")
def test_a_proposal_of_somebody_who_may_not_join_is_not_approved_and_stays_open() -> None:
    stopped = entry("ann", status=EntryStatus.STOPPED)

    assert approved(view(stopped)) == Refused(Reason.STOPPED)
    assert approved(view(), replace(WISH, party=0)) == Refused(Reason.BAD_PARTY)
    assert approved(view(shop=Catalogue((Service("colour"),)))) == Refused(Reason.NO_SUCH_SERVICE)


@pytest.mark.spec("WL-03")
@pytest.mark.parametrize("status", SETTLED)
def test_a_settled_proposal_cannot_be_settled_again(status: ProposalStatus) -> None:
    before = view(status=status)

    assert approved(before) == Refused(Reason.SETTLED)
    assert discard(before) == Refused(Reason.SETTLED)
    assert approve(None, ApproveProposal(P1, join()), NOW) == Refused(Reason.NO_SUCH_PROPOSAL)
    assert discard(None) == Refused(Reason.NO_SUCH_PROPOSAL)


# --- discarding -------------------------------------------------------------------------------


@pytest.mark.spec("WL-03")
def test_discarding_settles_it_and_says_so_at_the_mail() -> None:
    before = ProposalView(READ, mail_kept=True)

    assert discard(before) == Accepted(
        (
            SettleProposal(P1, ProposalStatus.DISCARDED, NOW),
            SettleMail(M1, "", "discarded", MailFolder.DISCARDED),
        ),
        (ProposalDiscarded(P1),),
    )


# --- on a store -------------------------------------------------------------------------------


def keep_mail(desk: WaitlistDesk) -> None:
    mail = RawMail(M1, NINE, "ann@example.org", "waitlist@example.org", b"A cut, please.")
    desk.store.commit(Accepted((KeepMail(mail),)), by="test", at=NINE)


@pytest.mark.spec("WL-03")
def test_a_request_enters_the_list_only_when_approved_and_is_then_offered_the_slot(
    desk: WaitlistDesk,
) -> None:
    desk.given().free()
    keep_mail(desk)
    desk.do(Propose(READ))
    assert desk.reads.entries() == []
    assert desk.tried() == []

    desk.do(ApproveProposal(P1, join()))

    assert desk.tried() == [("new", "live")]
    assert desk.refused(DiscardProposal(P1)) == Reason.SETTLED
    kept = desk.engine.reads().engine.raw_mail(M1)
    assert kept is not None
    assert (kept.person_id, kept.outcome) == ("p-new", "on the waitlist")


@pytest.mark.spec("WL-03")
@pytest.mark.parametrize("approves", [False, True])
def test_a_proposal_can_be_settled_when_its_mail_is_not_kept_any_more(
    desk: WaitlistDesk, approves: bool
) -> None:
    desk.given()
    keep_mail(desk)
    desk.do(Propose(READ))
    desk.execute("DELETE FROM fd_mail")

    desk.do(ApproveProposal(P1, join()) if approves else DiscardProposal(P1))

    found = desk.reads.proposal(P1)
    assert found is not None
    assert found.status is (ProposalStatus.APPROVED if approves else ProposalStatus.DISCARDED)
    assert [one.id for one in desk.reads.entries()] == ["new"] * approves
