"""Documents of the waitlist, and incoming requests."""

from __future__ import annotations

from datetime import timedelta
from typing import cast

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.jobs import AddJob
from frontdesk.core.mail import MailId
from frontdesk.core.members import STAND_IN_EMAIL, MemberId, Role
from frontdesk.core.people import AddPerson, ErasePerson, PersonId
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.admin.changes import AddMember, EndMembership
from frontdesk.desks.admin.model import Membership
from frontdesk.desks.waitlist import changes as c
from frontdesk.desks.waitlist.facts import ProposalApproved, ProposalMade
from frontdesk.desks.waitlist.model import (
    SAVED_RULES,
    DocumentName,
    EntryId,
    Offer,
    OfferState,
    Rules,
    SlotId,
)
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.slack.news import REQUEST, UNREACHABLE
from frontdesk.engine.ports import Recorded, Store
from frontdesk.features.calendars.state import (
    CalendarProblem,
    CalendarState,
    calendar_setting,
)
from frontdesk.features.catalogue.model import CATALOGUE, Catalogue, Service
from frontdesk.features.documents.model import Document, saved_document
from frontdesk.features.proposals.model import Proposal, ProposalId, ProposalStatus, ReadField
from frontdesk.features.slack.news import job_id, post_job, retract_job
from frontdesk.values import replace
from tests.store.samples import commit, refused
from tests.support.waitlist import HOUR, MINUTE, NINE, OPENING, RULES, entry, slot

P1 = ProposalId("p1")
SHOP = Catalogue(
    (Service("Cut", timedelta(minutes=45), 4_500, 2, ("haircut", "trim")), Service("Colour")),
    ("Mia", "Leo"),
    "S$",
)


def wl(store: Store) -> WaitlistReads:
    return cast(WaitlistReads, store.reads().desk("wl"))


def proposal(name: str = "p1", *, minutes: int = 0, **columns: object) -> Proposal:
    plain = Proposal(
        ProposalId(name),
        MailId(f"m-{name}"),
        "colleague@example.org",
        NINE + minutes * MINUTE,
        (
            ReadField("name", "Ann Lee", "confident", "Ann Lee"),
            ReadField("email", "ann@example.org", "likely", "Ann@Example.org"),
            ReadField("phone", "+6591234567", "likely", "9123 4567"),
        ),
        ("She would rather not sit by the window.",),
        "Ann Lee would like a cut. 9123 4567, Ann@Example.org",
        "The picture could not be read.",
        "model",
    )
    return replace(plain, **columns)  # type: ignore[arg-type]


# --- the shop, documents --------------------------------------------------------------------


def test_the_catalogue_is_saved(store: Store) -> None:
    assert wl(store).catalogue() == Catalogue()

    commit(store, WriteSetting(CATALOGUE, Catalogue(), SHOP))

    assert wl(store).catalogue() == SHOP


@pytest.mark.spec("WL-23")
@pytest.mark.parametrize("name", DocumentName)
def test_a_document_is_written_only_from_the_one_as_read(store: Store, name: DocumentName) -> None:
    nothing = Document(name, "", "")
    first = Document(name, "First.", "First.", NINE)
    unclear = Document(name, "Glorp.", "First.", NINE + HOUR, "a mark")
    saved = saved_document("wl", name)
    assert wl(store).document(name) == nothing

    assert refused(store, WriteSetting(saved, first, unclear))
    commit(store, WriteSetting(saved, nothing, first))
    assert refused(store, WriteSetting(saved, nothing, unclear))
    commit(store, WriteSetting(saved, first, unclear))

    assert wl(store).document(name) == unclear
    assert {wl(store).document(other).text for other in DocumentName} == {"", "Glorp."}


def test_rules_shop_and_documents_are_written_in_one_commit(store: Store) -> None:
    empty = Document(DocumentName.RULES, "", "")
    written = Document(DocumentName.RULES, "First.", "First.", NINE)

    commit(
        store,
        WriteSetting(SAVED_RULES, Rules(), RULES),
        WriteSetting(CATALOGUE, Catalogue(), SHOP),
        WriteSetting(saved_document("wl", DocumentName.RULES), empty, written),
    )

    reads = wl(store)
    assert (reads.rules(), reads.catalogue(), reads.document(DocumentName.RULES)) == (
        RULES,
        SHOP,
        written,
    )


# --- incoming requests ------------------------------------------------------------------------


@pytest.mark.spec("WL-03")
def test_a_proposal_is_read_back_as_it_came_in(store: Store) -> None:
    bare = Proposal(ProposalId("p2"), MailId("m2"), "", NINE, ())
    commit(store, c.AddProposal(proposal()), c.AddProposal(bare))

    assert wl(store).proposal(P1) == proposal()
    assert wl(store).proposal(bare.id) == bare
    assert wl(store).proposal(ProposalId("none")) is None
    assert refused(store, c.AddProposal(proposal(sender="other@example.org")))


@pytest.mark.spec("WL-03")
def test_a_proposal_is_settled_once(store: Store) -> None:
    at = NINE + HOUR
    approved = c.SettleProposal(P1, ProposalStatus.APPROVED, at, "ann")
    discarded = c.SettleProposal(P1, ProposalStatus.DISCARDED, at)
    assert refused(store, approved)
    commit(store, c.AddProposal(proposal()))

    commit(store, approved)

    assert refused(store, approved)
    assert refused(store, discarded)
    assert wl(store).proposal(P1) == proposal(
        status=ProposalStatus.APPROVED, entry_id="ann", settled_at=at
    )


@pytest.mark.spec("WL-03")
def test_proposals_are_listed_by_what_became_of_them_the_newest_first(store: Store) -> None:
    old, mid, new = (proposal(f"p{n}", minutes=n) for n in (1, 2, 3))
    twin = proposal("p4", minutes=3)
    commit(store, *(c.AddProposal(one) for one in (mid, twin, old, new)))
    commit(store, c.SettleProposal(mid.id, ProposalStatus.DISCARDED, NINE + HOUR))

    reads = wl(store)
    gone = replace(mid, status=ProposalStatus.DISCARDED, settled_at=NINE + HOUR)
    assert reads.proposals(ProposalStatus.OPEN, 9) == [twin, new, old]
    assert reads.proposals(ProposalStatus.OPEN, 2) == [twin, new]
    assert reads.proposals(ProposalStatus.DISCARDED, 9) == [gone]
    assert reads.proposals(ProposalStatus.APPROVED, 9) == []


@pytest.mark.spec("FD-20")
@pytest.mark.parametrize(
    "theirs",
    [
        proposal(fields=(), text="", asides=(), sender="ann@example.org"),
        proposal(text="", asides=()),
        proposal(fields=(), text="Please ask Ann@Example.org.", asides=()),
        proposal(fields=(), text="", asides=("Her number: +6591234567",)),
    ],
    ids=["who sent it", "what was read", "what it says", "a number in it"],
)
def test_erasing_a_person_deletes_their_requests(store: Store, theirs: Proposal) -> None:
    ann = PersonId("p-ann")
    nearly = proposal(
        "p2", sender="joann@example.org", fields=(), text="ann@example.org.uk", asides=()
    )
    commit(store, AddPerson(ann, "Ann", "ann@example.org", "ann@example.org", "+6591234567"))
    commit(store, c.AddProposal(theirs), c.AddProposal(nearly))

    commit(store, ErasePerson(ann))

    assert wl(store).proposal(P1) is None
    assert wl(store).proposals(ProposalStatus.OPEN, 9) == [nearly]


@pytest.mark.spec("FD-20")
@pytest.mark.parametrize("in_slack", [False, True])
def test_erasing_a_person_deletes_requests_that_became_their_entry(
    store: Store, in_slack: bool
) -> None:
    """The post in Slack is also retracted."""
    ann, bob = PersonId("p-ann"), PersonId("p-bob")
    called = proposal(sender="mia@salon.example", fields=(), text="A call.", asides=())
    for person_id, name in ((ann, "ann"), (bob, "bob")):
        address = f"{name}@example.org"
        commit(store, AddPerson(person_id, name, address, address), c.AddEntry(entry(name)))
    for number, name in ((1, "ann"), (2, "bob"), (3, "")):
        one = replace(called, id=ProposalId(f"p{number}"))
        commit(store, c.AddProposal(one))
        if in_slack:
            commit(
                store, AddJob(replace(post_job("wl", REQUEST, one.id), cursor="1.2", finished=True))
            )
        if name:
            approved = ProposalStatus.APPROVED
            commit(store, c.SettleProposal(one.id, approved, NINE, EntryId(name)))

    commit(store, ErasePerson(ann))

    reads = wl(store)
    assert reads.proposal(P1) is None
    assert [one.id for one in reads.proposals(ProposalStatus.APPROVED, 9)] == ["p2"]
    assert [one.id for one in reads.proposals(ProposalStatus.OPEN, 9)] == ["p3"]
    shown = job_id(REQUEST, P1)
    assert store.open_jobs(9) == ([retract_job("wl", shown)] if in_slack else [])


@pytest.mark.spec("FD-20")
def test_slack_posts_about_an_unreachable_person_are_retracted(store: Store) -> None:
    ann = PersonId("p-ann")
    said = post_job("wl", UNREACHABLE, "s1/ann")
    commit(store, AddPerson(ann, "Ann", "ann@example.org", "ann@example.org"))
    commit(store, c.AddEntry(entry("ann")), c.AddSlot(slot()))
    offer = Offer(SlotId("s1"), 1, EntryId("ann"), OfferState.PENDING, made_at=NINE)
    commit(store, c.HoldSlot(offer.slot_id, 1), c.AddOffer(offer))
    commit(store, AddJob(replace(said, cursor="1.2", finished=True)))

    commit(store, ErasePerson(ann))

    assert store.open_jobs(9) == [retract_job("wl", said.id)]


# --- reads for pages --------------------------------------------------------------------------


def test_slots_are_found_by_when_they_start_and_when_they_came_free(store: Store) -> None:
    slots = [
        replace(
            slot(starts_at=OPENING.starts_at + n * HOUR),
            id=SlotId(f"s{n}"),
            origin=f"tap:{n}",
            freed_at=NINE + (3 - n) * MINUTE,
        )
        for n in range(4)
    ]
    for one in slots:
        commit(store, c.AddSlot(one))
    begin = OPENING.starts_at

    reads = wl(store)
    assert reads.slots_between(begin, begin + 3 * HOUR) == slots[:3]
    assert reads.slots_between(begin + MINUTE, begin + 3 * HOUR + MINUTE) == slots[1:]
    assert reads.freed_between(NINE, NINE + 3 * MINUTE) == slots[:0:-1]
    assert reads.freed_between(NINE + MINUTE, NINE + HOUR) == slots[2::-1]
    assert reads.slots_between(begin - HOUR, begin) == []
    assert reads.slots(2) == slots[:2]
    assert reads.open_slots(3) == [one.id for one in slots[:3]]
    assert reads.idle_slots("cut", 2) == [one.id for one in slots[:2]]


def test_facts_are_found_by_their_subject_and_by_whom_they_are_about(store: Store) -> None:
    made = ProposalMade(P1, MailId("m-p1"))
    approved = ProposalApproved(P1, EntryId("ann"))
    store.commit(Accepted(facts=(made,)), by="mail", at=NINE)
    store.commit(Accepted(facts=(approved,)), by="staff", at=NINE + MINUTE)

    reads = wl(store)
    story = reads.facts(P1)
    assert [(one.at, one.by, one.fact) for one in story] == [
        (NINE, "mail", made),
        (NINE + MINUTE, "staff", approved),
    ]
    assert reads.facts(P1, limit=1) == story[:1]
    assert reads.facts_about(EntryId("ann")) == [
        Recorded(story[1].seq, NINE + MINUTE, "staff", approved)
    ]
    assert reads.facts("nothing") == reads.facts_about(EntryId("nobody")) == []


def test_staff_are_the_owners_and_staff_who_gave_an_address_and_a_host_signs_in_as_well(
    store: Store,
) -> None:
    roles = {"ann": Role.OWNER, "bob": Role.STAFF, "cat": Role.HOST, "dan": Role.STAFF}
    for name, role in roles.items():
        commit(store, AddPerson(PersonId(name), name, f"{name}@example.org", f"{name}@example.org"))
        event = "party" if role is Role.HOST else ""
        member = Membership(MemberId(f"m-{name}"), PersonId(name), role, event, NINE)
        commit(store, AddMember(member))
    commit(store, AddPerson(PersonId("eve"), "Eve", STAND_IN_EMAIL, STAND_IN_EMAIL))
    eve = Membership(MemberId("m-eve"), PersonId("eve"), Role.OWNER, "", NINE)
    commit(store, AddMember(eve), EndMembership(MemberId("m-dan"), NINE))

    reads = wl(store)
    assert reads.staff() == ["ann", "bob"]
    signs_in = [who for who in (*roles, "eve", "nobody") if reads.signs_in(PersonId(who))]
    assert signs_in == ["ann", "bob", "cat", "eve"]


def test_the_result_of_the_last_calendar_sync_is_saved(store: Store) -> None:
    assert wl(store).calendar() == CalendarState()
    problems = (CalendarProblem("Free: Massage", NINE, "Why."), CalendarProblem("3", None, "Why."))
    gone, kept = (SlotId("s1"), SlotId("s2")), (SlotId("s3"),)
    said = CalendarState(NINE, "", problems, missing=gone, let_go=gone, kept=kept)
    for state in (CalendarState(NINE, "It is away."), said):
        commit(store, WriteSetting(calendar_setting("wl"), wl(store).calendar(), state))
        assert wl(store).calendar() == state
