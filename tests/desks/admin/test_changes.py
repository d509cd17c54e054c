"""Each conditional write of the admin desk succeeds or is refused as a whole."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from frontdesk.core.decision import Accepted, Change, Refused
from frontdesk.core.members import MemberId, Role
from frontdesk.core.people import AddPerson, OptOut, PersonId
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.core.wording import Wording, wording_setting
from frontdesk.desks.admin.changes import (
    AddMember,
    AddOwner,
    AddSession,
    AddSignIn,
    EndMembership,
    MoveSessionEnd,
    SettleLetter,
    SpendSignIn,
    WriteRole,
)
from frontdesk.desks.admin.commands import SignIn
from frontdesk.desks.admin.model import SAVED_BUSINESS, Business, Membership, SignInKind, SignInLink
from frontdesk.desks.admin.reasons import Reason
from frontdesk.engine.ports import Committed
from frontdesk.errors import Conflict
from tests.support.admin import NINE, AdminDesk, open_admin_desk

ANN, BOB = PersonId("ann"), PersonId("bob")
OWNER = Membership(MemberId("m1"), ANN, Role.OWNER, "", NINE)
STAFF = Membership(MemberId("m2"), BOB, Role.STAFF, "", NINE)
LINK = SignInLink(STAFF.id, 7, SignInKind.MAILED, NINE + timedelta(minutes=30))
SESSION = AddSession("hash", STAFF.id, "csrf", "", NINE, NINE + timedelta(days=30))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[AdminDesk]:
    with open_admin_desk(tmp_path) as opened:
        write(opened, AddPerson(ANN, "Ann", "ann@x.example", "ann@x.example"))
        write(opened, AddPerson(BOB, "Bob", "bob@x.example", "bob@x.example"))
        write(opened, AddOwner(OWNER))
        write(opened, AddMember(STAFF))
        write(opened, AddSignIn(LINK))
        write(opened, SESSION)
        yield opened


def write(desk: AdminDesk, *changes: Change) -> None:
    desk.product.store.commit(Accepted(changes=changes), by="cli", at=NINE)


THIRD = Membership(MemberId("m3"), BOB, Role.OWNER, "", NINE)


@pytest.mark.parametrize(
    "change",
    [
        AddOwner(THIRD),
        AddMember(Membership(MemberId("m4"), BOB, Role.STAFF, "", NINE)),
        EndMembership(OWNER.id, NINE),
        EndMembership(MemberId("nobody"), NINE),
        WriteRole(OWNER.id, Role.OWNER, Role.STAFF),
        WriteRole(STAFF.id, Role.OWNER, Role.STAFF),
        AddSignIn(LINK),
        SpendSignIn(STAFF.id, 8, NINE),
        SpendSignIn(STAFF.id, 7, LINK.expires_at),
        SESSION,
        MoveSessionEnd("other", NINE),
        WriteSetting(SAVED_BUSINESS, Business(name="Other"), Business(name="New")),
        WriteSetting(
            wording_setting("fd", "sign_in"), Wording("Hi", "Other"), Wording("Hi", "New")
        ),
        SettleLetter(1, NINE),
    ],
    ids=lambda change: type(change).__name__,
)
@pytest.mark.spec("FD-01")
def test_a_write_whose_condition_does_not_hold_leaves_nothing(
    desk: AdminDesk, change: Change
) -> None:
    before = desk.dump()
    with pytest.raises(Conflict):
        write(desk, OptOut(ANN), change)

    assert desk.dump() == before


def test_ending_a_membership_ends_its_sessions_and_links(desk: AdminDesk) -> None:
    write(desk, EndMembership(STAFF.id, NINE))

    assert desk.fd.session("hash", NINE) is None
    assert desk.fd.sign_in(STAFF.id, 7) is None
    assert desk.fd.memberships_of(BOB)[0].removed_at == NINE
    with pytest.raises(Conflict):
        write(desk, AddSession("new", STAFF.id, "", "", NINE, NINE))


def test_a_link_is_spent_once(desk: AdminDesk) -> None:
    write(desk, SpendSignIn(STAFF.id, 7, NINE))
    with pytest.raises(Conflict):
        write(desk, SpendSignIn(STAFF.id, 7, NINE))


@pytest.mark.spec("FD-03")
def test_of_many_simultaneous_presses_one_signs_in(desk: AdminDesk) -> None:
    engine = desk.product.engine
    asked = [
        engine.submit(SignIn(STAFF.id, 7, f"hash{n}", "csrf", ""), by="cli", now=NINE)
        for n in range(20)
    ]
    outcomes = [each.result() for each in asked]

    assert sum(isinstance(each, Committed) for each in outcomes) == 1
    assert outcomes.count(Refused(Reason.LINK_SPENT)) == 19
    assert len(desk.fd.sessions_of(STAFF.id, NINE)) == 2


def test_a_session_is_found_until_its_last_second(desk: AdminDesk) -> None:
    last = SESSION.expires_at

    assert desk.fd.session("hash", last - timedelta(seconds=1)) is not None
    assert desk.fd.session("hash", last) is None
