"""Members of the team; there is always an owner."""

from datetime import timedelta

import pytest

from frontdesk.core.decision import Refused
from frontdesk.core.members import Member, MemberId, Role
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import (
    AddFirstOwner,
    AskForSignIn,
    ChangeRole,
    CorrectContact,
    EndAllSessions,
    Erase,
    InviteMember,
    MarkAddress,
    RemoveMember,
)
from frontdesk.desks.admin.desk import OWNER_EMAIL, new_nonce
from frontdesk.desks.admin.reasons import Reason
from tests.support.admin import AdminDesk, path_of


@pytest.mark.spec("FD-17", "FD-21")
def test_the_first_start_makes_an_owner_and_later_ones_do_not(desk: AdminDesk) -> None:
    desk.printed_link()
    desk.printed_link()

    (owner,) = desk.fd.team(desk.clock.now())
    assert (owner.person.name, owner.person.email) == ("Owner", OWNER_EMAIL)
    assert desk.kinds() == ["fd.owner_added", "fd.sign_in_asked", "fd.sign_in_asked"]


@pytest.mark.spec("FD-17")
def test_a_printed_link_is_in_no_mail_and_a_new_start_kills_it(desk: AdminDesk) -> None:
    first, second = desk.printed_link(), desk.printed_link()
    desk.settle()

    assert desk.mails(OWNER_EMAIL) == []
    assert desk.browser().post(path_of(first)).status == 410
    assert desk.browser().post(path_of(second)).status == 303


def test_an_owner_is_added_once_only(desk: AdminDesk) -> None:
    desk.printed_link()
    again = AddFirstOwner(MemberId("m2"), PersonId("p2"), "Eve", "eve@example.org")

    assert desk.run(again) == Refused(Reason.ALREADY_THERE)


@pytest.mark.spec("FD-21")
def test_an_invited_person_gets_a_link_that_lets_them_in(desk: AdminDesk) -> None:
    desk.printed_link()
    browser = desk.member("Sam", Role.STAFF)

    mail = desk.mails("sam@example.org")[0]
    assert mail.subject == "You are invited to the team of Frontdesk"
    assert "You are staff" in mail.text
    assert browser.get("/console").heading == "Today"


@pytest.mark.spec("FD-21")
def test_the_last_owner_stays(desk: AdminDesk) -> None:
    desk.printed_link()
    (owner,) = desk.fd.owners()

    assert desk.run(RemoveMember(owner.id)) == Refused(Reason.LAST_OWNER)
    assert desk.run(ChangeRole(owner.id, Role.STAFF)) == Refused(Reason.LAST_OWNER)

    second = desk.invite("Olga", Role.OWNER)
    desk.do(RemoveMember(owner.id))

    assert [each.id for each in desk.fd.owners()] == [second]
    assert desk.run(RemoveMember(second)) == Refused(Reason.LAST_OWNER)


@pytest.mark.spec("FD-21")
def test_a_removed_member_is_signed_out_at_once(desk: AdminDesk) -> None:
    desk.printed_link()
    browser = desk.member("Sam", Role.STAFF)
    (sam,) = desk.fd.memberships_of(desk.person("sam@example.org").id)

    desk.do(RemoveMember(sam.id))

    assert browser.get("/console").location == "/sign-in?next=/console"
    assert desk.run(AskForSignIn("sam@example.org", new_nonce())) == Refused(Reason.UNKNOWN)


@pytest.mark.spec("FD-21")
def test_a_new_role_counts_from_the_next_page_on(desk: AdminDesk) -> None:
    desk.printed_link()
    browser = desk.member("Sam", Role.STAFF)
    (sam,) = desk.fd.memberships_of(desk.person("sam@example.org").id)
    assert browser.get("/console/team").status == 403

    desk.do(ChangeRole(sam.id, Role.OWNER))

    assert browser.get("/console/team").heading == "Team"


def test_nobody_is_invited_to_a_role_that_they_have(desk: AdminDesk) -> None:
    desk.printed_link()
    desk.invite("Sam", Role.STAFF)
    desk.invite("Hana", Role.HOST, "1")

    def again(name: str, role: Role, event_id: str = "") -> object:
        member_id, person_id = MemberId(f"m{name}"), PersonId(f"p{name}")
        email = f"{name.lower()}@example.org"
        return desk.run(InviteMember(member_id, person_id, name, email, role, event_id, 1))

    assert again("Sam", Role.STAFF) == Refused(Reason.ALREADY_THERE)
    assert again("Sam", Role.HOST, "1") == Refused(Reason.ALREADY_THERE)
    assert again("Hana", Role.HOST, "1") == Refused(Reason.ALREADY_THERE)
    assert again("Hana", Role.HOST) == Refused(Reason.UNKNOWN)
    assert again("Hana", Role.STAFF, "1") == Refused(Reason.UNKNOWN)


def test_a_host_of_two_events_signs_in_once_for_both(desk: AdminDesk) -> None:
    desk.printed_link()
    first = desk.invite("Hana", Role.HOST, "1")
    desk.wait(seconds=1)
    desk.invite("Hana", Role.HOST, "2")

    assert desk.fd.member(first) == Member(
        first,
        desk.person("hana@example.org").id,
        Role.HOST,
        "Hana",
        "hana@example.org",
        frozenset({"1", "2"}),
    )


@pytest.mark.spec("FD-29")
def test_staff_cannot_take_over_a_members_account(desk: AdminDesk) -> None:
    """Somebody with an owner's address could get an owner's link."""
    desk.printed_link()
    owner = desk.person(OWNER_EMAIL).id
    take_over = CorrectContact(owner, "Owner", "eve@example.org", Role.STAFF)

    assert desk.run(take_over) == Refused(Reason.OF_THE_TEAM)
    assert desk.run(MarkAddress(owner, True, Role.STAFF)) == Refused(Reason.OF_THE_TEAM)
    assert desk.run(Erase(owner)) == Refused(Reason.OF_THE_TEAM)
    desk.do(CorrectContact(owner, "Mira", "mira@example.org", Role.OWNER))
    assert desk.person("mira@example.org").id == owner


@pytest.mark.spec("FD-21")
def test_ending_all_sessions_leaves_the_one_that_is_asked_to_stay(desk: AdminDesk) -> None:
    first, second = desk.owner(), desk.owner()
    (owner,) = desk.fd.owners()
    sessions = desk.fd.sessions_of(owner.id, desk.clock.now())
    stays = next(each for each in sessions if each.csrf == second.get("/console").csrf)

    desk.do(EndAllSessions(owner.id, stays.token_hash))

    assert first.get("/console").status == 303
    assert second.get("/console").status == 200


@pytest.mark.spec("FD-21")
def test_a_session_ends_after_thirty_days_in_which_nothing_was_changed(desk: AdminDesk) -> None:
    used, unused = desk.owner(), desk.owner()
    desk.clock.move_to(desk.clock.now() + timedelta(days=20))
    assert unused.get("/console").status == 200
    used.submit("/console/you", "/console/you", name="Mira", email="mira@example.org")

    desk.clock.move_to(desk.clock.now() + timedelta(days=10))

    assert unused.get("/console").status == 303
    assert used.get("/console").status == 200
