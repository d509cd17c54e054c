"""The team, its sessions, the business, and rows that staff read: written, refused, read back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime
from typing import cast

import pytest

from frontdesk.core.decision import Accepted, TimerName
from frontdesk.core.mail import DEALT_WITH, FOR_A_PERSON, KeepMail, MailId, RawMail, SettleMail
from frontdesk.core.members import Member, MemberId, Role, Session
from frontdesk.core.notes import Note
from frontdesk.core.people import CorrectPerson, ErasePerson, MarkBounced, Person
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.core.sends import (
    EndSend,
    FinishSend,
    QueueSend,
    Send,
    SendId,
    SendState,
    SentMessage,
    StartSend,
)
from frontdesk.desks.admin.changes import (
    AddMember,
    AddOwner,
    AddSession,
    AddSignIn,
    DeleteOldRows,
    EndMembership,
    EndOneSession,
    EndSessionsOf,
    MoveSessionEnd,
    SettleLetter,
    SpendSignIn,
    WriteRole,
)
from frontdesk.desks.admin.facts import MemberRemoved, SignedIn
from frontdesk.desks.admin.model import (
    SAVED_BUSINESS,
    SAVED_TROUBLES,
    Business,
    Membership,
    OldRows,
    Part,
    SignInKind,
    SignInLink,
    Trouble,
)
from frontdesk.desks.admin.reads import (
    AdminReads,
    FactFilter,
    MailFilter,
    MailRow,
    MessageFilter,
    MessageRow,
    TeamRow,
)
from frontdesk.engine.ports import Store
from frontdesk.store.dynamodb.schema import FD_SESSIONS
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.values import replace
from tests.store.samples import (
    DAY,
    HOUR,
    NINE,
    PARTY,
    add_person,
    commit,
    fact,
    given,
    person_id,
    refused,
    rsvp,
    timer,
)
from tests.support.dynamodb import Tables

ANNS = MemberId("m-ann")
BOBS = MemberId("m-bob")
TOMORROW = NINE + DAY


def admin_reads(store: Store) -> AdminReads:
    return cast(AdminReads, store.reads().desk("fd"))


def membership(name: str = "ann", role: Role = Role.OWNER, event_id: str = "") -> Membership:
    at = NINE if name == "ann" else NINE + HOUR
    return Membership(MemberId(f"m-{name}"), person_id(name), role, event_id, at)


def person(name: str) -> Person:
    return Person(person_id(name), name.title(), f"{name}@example.org")


def team(store: Store, *more: Membership) -> AdminReads:
    """Adds Ann as the owner, and `more` members."""
    commit(store, add_person("ann"), AddOwner(membership()))
    for each in more:
        commit(store, add_person(each.id.removeprefix("m-")), AddMember(each))
    return admin_reads(store)


# --- members --------------------------------------------------------------------------------


def test_members_are_read_back_by_id_and_by_person(store: Store) -> None:
    host = membership("bob", Role.HOST, PARTY)
    reads = team(store, host)

    assert reads.membership(ANNS) == membership()
    assert reads.membership(MemberId("nobody")) is None
    assert reads.memberships_of(host.person_id) == (host,)
    assert reads.memberships_of(person_id("cat")) == ()
    assert reads.owners() == (membership(),)
    bob = Member(BOBS, host.person_id, Role.HOST, "Bob", "bob@example.org", frozenset({PARTY}))
    assert reads.member(BOBS) == bob
    assert reads.member(MemberId("nobody")) is None


def test_a_member_sees_all_events_that_the_same_person_hosts(store: Store) -> None:
    reads = team(store, membership("bob", Role.HOST, PARTY))
    other = replace(membership("bob", Role.HOST, "other"), id=MemberId("m-bob-2"))
    gone = replace(membership("bob", Role.HOST, "gone"), id=MemberId("m-bob-3"))
    commit(store, AddMember(other))
    commit(store, AddMember(gone))
    commit(store, EndMembership(gone.id, NINE))

    member = reads.member(BOBS)

    assert member is not None
    assert member.events == frozenset({PARTY, "other"})


def test_nobody_has_a_role_twice_until_it_has_ended(store: Store) -> None:
    staff = membership("bob", Role.STAFF)
    reads = team(store, staff)
    again = replace(staff, id=MemberId("m-again"), created_at=NINE + DAY)

    assert refused(store, AddMember(again))
    assert refused(store, AddMember(staff))
    commit(store, EndMembership(BOBS, NINE))
    commit(store, AddMember(again))

    assert reads.memberships_of(staff.person_id) == (replace(staff, removed_at=NINE), again)


def test_the_first_owner_comes_only_where_there_is_none(store: Store) -> None:
    reads = team(store)

    assert refused(store, add_person("bob"), AddOwner(membership("bob")))
    assert reads.owners() == (membership(),)
    assert store.reads().engine.person(person_id("bob")) is None


@pytest.mark.spec("FD-21")
def test_one_owner_always_remains(store: Store) -> None:
    reads = team(store)
    assert refused(store, EndMembership(ANNS, NINE))
    assert refused(store, WriteRole(ANNS, Role.OWNER, Role.STAFF))

    commit(store, add_person("bob"), AddMember(membership("bob", Role.STAFF)))
    commit(store, WriteRole(BOBS, Role.STAFF, Role.OWNER))
    commit(store, WriteRole(ANNS, Role.OWNER, Role.STAFF))
    assert refused(store, EndMembership(BOBS, NINE))
    assert reads.owners() == (membership("bob"),)

    commit(store, WriteRole(ANNS, Role.STAFF, Role.OWNER))
    commit(store, EndMembership(BOBS, NINE))
    assert refused(store, EndMembership(ANNS, NINE))
    assert reads.owners() == (membership(),)


def test_a_role_is_changed_only_as_it_was_read_and_while_it_is_active(store: Store) -> None:
    team(store, membership("bob", Role.STAFF))

    assert refused(store, WriteRole(BOBS, Role.OWNER, Role.STAFF))
    assert refused(store, WriteRole(MemberId("nobody"), Role.STAFF, Role.OWNER))
    commit(store, EndMembership(BOBS, NINE))
    assert refused(store, WriteRole(BOBS, Role.STAFF, Role.OWNER))
    assert refused(store, EndMembership(BOBS, NINE))
    assert refused(store, EndMembership(MemberId("nobody"), NINE))


def test_a_member_can_get_an_earlier_role_again(store: Store) -> None:
    team(store, membership("bob", Role.STAFF))
    commit(store, WriteRole(BOBS, Role.STAFF, Role.OWNER))

    commit(store, AddMember(replace(membership("bob", Role.STAFF), id=MemberId("m-2"))))

    assert refused(store, AddMember(replace(membership("bob"), id=MemberId("m-3"))))


def test_the_team_is_listed_owners_first_then_by_name(store: Store) -> None:
    host, zoe = membership("amy", Role.HOST, PARTY), membership("zoe", Role.OWNER)
    reads = team(store, host, membership("eve", Role.STAFF), membership("dan", Role.STAFF), zoe)
    commit(store, EndMembership(MemberId("m-eve"), NINE))
    commit(store, opened("one"))
    commit(store, opened("two", at=NINE + HOUR))
    commit(store, EndOneSession("two", NINE + HOUR))

    assert reads.team(NINE + 2 * HOUR) == [
        TeamRow(membership(), person("ann"), NINE + HOUR, 1),
        TeamRow(zoe, person("zoe"), None, 0),
        TeamRow(membership("dan", Role.STAFF), person("dan"), None, 0),
        TeamRow(host, person("amy"), None, 0),
    ]
    assert reads.team(NINE + 40 * DAY)[0] == TeamRow(membership(), person("ann"), NINE + HOUR, 0)


def test_owners_and_the_hosts_of_an_event_are_told_of_it(store: Store) -> None:
    team(
        store,
        membership("bob", Role.HOST, PARTY),
        membership("cat", Role.HOST, "other"),
        membership("dan", Role.STAFF),
        membership("eve", Role.HOST, PARTY),
    )
    commit(store, EndMembership(MemberId("m-eve"), NINE))

    assert rsvp(store).hosts(PARTY) == [person_id("ann"), person_id("bob")]


# --- signing in -----------------------------------------------------------------------------

LINK = SignInLink(ANNS, 7, SignInKind.MAILED, NINE + HOUR)


def opened(token: str, member_id: MemberId = ANNS, at: datetime = NINE) -> AddSession:
    return AddSession(token, member_id, f"csrf-{token}", "Firefox", at, at + 30 * DAY)


def session(token: str, at: datetime = NINE) -> Session:
    ann = Member(ANNS, person_id("ann"), Role.OWNER, "Ann", "ann@example.org")
    return Session(token, ann, f"csrf-{token}", at, at + 30 * DAY, "Firefox")


@pytest.mark.spec("FD-21")
def test_a_link_is_spent_once_and_before_it_is_over(store: Store) -> None:
    reads = team(store)
    commit(store, AddSignIn(LINK))
    assert reads.sign_in(ANNS, 7) == LINK
    assert reads.sign_in(ANNS, 8) is None
    assert refused(store, AddSignIn(LINK))

    assert refused(store, SpendSignIn(ANNS, 7, NINE + HOUR))
    assert refused(store, SpendSignIn(ANNS, 8, NINE))
    commit(store, SpendSignIn(ANNS, 7, NINE))

    assert reads.sign_in(ANNS, 7) == replace(LINK, spent_at=NINE)
    assert refused(store, SpendSignIn(ANNS, 7, NINE))


@pytest.mark.spec("FD-21", "FD-29")
def test_a_mailed_link_dies_with_its_address_or_when_a_mail_comes_back(store: Store) -> None:
    reads = team(store)
    ann, made_at = person_id("ann"), LINK.made_at
    newer = replace(LINK, nonce=8, expires_at=LINK.expires_at + HOUR)
    printed = replace(LINK, nonce=9, kind=SignInKind.PRINTED)
    commit(store, AddSignIn(LINK), AddSignIn(newer), AddSignIn(printed))
    before = replace(LINK, nonce=10)
    commit(store, AddSignIn(before))
    commit(store, SpendSignIn(ANNS, 10, made_at))

    commit(store, MarkBounced(ann, 0, "no such mailbox", made_at))
    commit(store, MarkBounced(ann, 0, "no such mailbox", made_at - HOUR))
    commit(store, MarkBounced(ann, 0, ""))

    found = {nonce: reads.sign_in(ANNS, nonce) for nonce in (7, 8, 9, 10)}
    assert found == {7: None, 8: newer, 9: printed, 10: replace(before, spent_at=made_at)}
    assert refused(store, SpendSignIn(ANNS, 7, made_at))
    address = "new@example.org"
    moved = CorrectPerson(ann, 0, "Ann", address, address, True, links_until=made_at + HOUR)
    commit(store, moved)
    assert (reads.sign_in(ANNS, 8), reads.sign_in(ANNS, 9)) == (None, printed)
    assert refused(store, SpendSignIn(ANNS, 8, made_at))
    commit(store, SpendSignIn(ANNS, 9, made_at))


@pytest.mark.spec("FD-15", "FD-21")
def test_a_link_signs_somebody_in_and_their_address_is_in_use_again_in_one_commit(
    store: Store,
) -> None:
    reads, ann = team(store), person_id("ann")
    newer = replace(LINK, nonce=8, expires_at=LINK.expires_at + HOUR)
    commit(store, AddSignIn(LINK), AddSignIn(newer))
    commit(store, MarkBounced(ann, 0, "no such mailbox", LINK.made_at))

    def bounced() -> str:
        person = store.reads().engine.person(ann)
        assert person is not None
        return person.bounced

    assert refused(store, SpendSignIn(ANNS, 7, newer.made_at, address_works=True), opened("dead"))
    assert bounced() == "no such mailbox"
    commit(store, SpendSignIn(ANNS, 8, newer.made_at, address_works=True), opened("anns"))
    assert (bounced(), reads.session("anns", NINE)) == ("", session("anns"))

    commit(store, MarkBounced(ann, 0, "full"))
    assert refused(store, SpendSignIn(ANNS, 8, newer.made_at, address_works=True), opened("twice"))
    assert bounced() == "full"


@pytest.mark.spec("FD-21")
def test_a_removed_member_has_neither_sessions_nor_links(store: Store) -> None:
    reads = team(store, membership("bob"))
    commit(store, opened("bobs", BOBS), AddSignIn(replace(LINK, member_id=BOBS)))
    commit(store, AddSignIn(LINK))

    commit(store, EndMembership(BOBS, NINE))

    assert (reads.session("bobs", NINE), reads.sessions_of(BOBS, NINE)) == (None, [])
    assert (reads.sign_in(BOBS, LINK.nonce), reads.sign_in(ANNS, LINK.nonce)) == (None, LINK)
    assert refused(store, SpendSignIn(BOBS, LINK.nonce, NINE))
    assert refused(store, MoveSessionEnd("bobs", NINE + 60 * DAY))


@pytest.mark.spec("FD-21")
def test_a_session_that_was_left_open_lets_no_removed_member_in(
    store: Store, request: pytest.FixtureRequest
) -> None:
    reads = team(store, membership("bob"))
    commit(store, opened("bobs", BOBS))
    commit(store, EndMembership(BOBS, NINE))

    leave_open("bobs", store, request)

    assert (reads.session("bobs", NINE), reads.sessions_of(BOBS, NINE)) == (None, [])


def leave_open(token: str, store: Store, request: pytest.FixtureRequest) -> None:
    """Simulates a process that died while it removed a member."""
    if isinstance(store, DynamoStore):
        tables: Tables = request.getfixturevalue("dynamodb")
        tables.client.update_item(
            TableName=f"{tables.prefix}{FD_SESSIONS.name}",
            Key={"token_hash": {"S": token}},
            UpdateExpression="REMOVE ended_at",
        )
        return
    db = sqlite3.connect(request.getfixturevalue("tmp_path") / "frontdesk.db")
    with closing(db), db:
        db.execute("UPDATE fd_session SET ended_at = NULL WHERE token_hash = ?", (token,))


def test_a_printed_link_makes_those_printed_before_worthless(store: Store) -> None:
    reads = team(store, membership("bob"))
    first, second, third = (
        replace(LINK, nonce=nonce, kind=SignInKind.PRINTED) for nonce in (1, 2, 3)
    )
    commit(store, AddSignIn(LINK))
    commit(store, AddSignIn(first))
    commit(store, AddSignIn(replace(second, member_id=BOBS)))
    assert reads.sign_in(ANNS, 1) is None

    commit(store, SpendSignIn(BOBS, 2, NINE))
    commit(store, AddSignIn(third))

    assert reads.sign_in(BOBS, 2) == replace(second, member_id=BOBS, spent_at=NINE)
    assert (reads.sign_in(ANNS, 3), reads.sign_in(ANNS, 7)) == (third, LINK)


@pytest.mark.spec("FD-21")
def test_a_session_is_good_until_it_ends_or_is_over(store: Store) -> None:
    reads = team(store)
    commit(store, opened("one"))

    assert reads.session("one", NINE) == session("one")
    assert reads.session("two", NINE) is None
    assert reads.session("one", NINE + 30 * DAY) is None

    commit(store, MoveSessionEnd("one", NINE + 60 * DAY))
    moved = replace(session("one"), expires_at=NINE + 60 * DAY)
    assert reads.session("one", NINE + 30 * DAY) == moved

    commit(store, EndOneSession("one", NINE))
    commit(store, EndOneSession("one", NINE))
    commit(store, EndOneSession("never opened", NINE))
    assert reads.session("one", NINE) is reads.session("never opened", NINE) is None
    assert refused(store, MoveSessionEnd("one", NINE + 90 * DAY))
    assert refused(store, MoveSessionEnd("never opened", NINE + 90 * DAY))


def test_a_session_needs_a_new_token_and_an_active_member(store: Store) -> None:
    team(store, membership("bob"))
    commit(store, opened("one"))

    assert refused(store, opened("one"))
    assert refused(store, opened("two", MemberId("nobody")))
    commit(store, EndMembership(BOBS, NINE))
    assert refused(store, opened("three", BOBS))


def test_a_link_is_no_session(store: Store) -> None:
    reads = team(store)
    commit(store, AddSignIn(LINK))

    assert reads.sessions_of(ANNS, NINE) == []
    assert reads.session(f"sign-in#{ANNS}#7", NINE) is None
    assert reads.team(NINE)[0].sessions == 0


def test_sessions_are_listed_the_last_used_first(store: Store) -> None:
    reads = team(store, membership("bob"))
    for token, at in (("early", NINE), ("ended", NINE), ("late", NINE + HOUR)):
        commit(store, opened(token, at=at))
    commit(store, opened("bobs", BOBS))
    commit(store, EndOneSession("ended", NINE))

    assert reads.sessions_of(ANNS, NINE) == [session("late", NINE + HOUR), session("early")]
    assert reads.sessions_of(ANNS, NINE + 30 * DAY) == [session("late", NINE + HOUR)]
    assert reads.sessions_of(MemberId("nobody"), NINE) == []


@pytest.mark.spec("FD-21")
def test_all_sessions_and_unspent_links_of_a_member_end_but_one(store: Store) -> None:
    reads = team(store, membership("bob"))
    spent = replace(LINK, nonce=8, spent_at=NINE)
    for each in (opened("this"), opened("that"), opened("bobs", BOBS)):
        commit(store, each)
    commit(store, AddSignIn(LINK), AddSignIn(replace(LINK, nonce=8)))
    commit(store, SpendSignIn(ANNS, 8, NINE))

    commit(store, EndSessionsOf(ANNS, NINE, but="this"))

    assert reads.sessions_of(ANNS, NINE) == [session("this")]
    assert reads.session("that", NINE) is None
    assert [each.token_hash for each in reads.sessions_of(BOBS, NINE)] == ["bobs"]
    assert (reads.sign_in(ANNS, 7), reads.sign_in(ANNS, 8)) == (None, spent)

    commit(store, EndSessionsOf(ANNS, NINE))
    assert reads.sessions_of(ANNS, NINE) == []


@pytest.mark.spec("FD-21")
def test_however_many_sessions_there_are_they_all_end(store: Store) -> None:
    reads = team(store)
    for number in range(60):
        commit(store, opened(f"token-{number}", at=NINE + number * HOUR))

    commit(store, EndSessionsOf(ANNS, NINE))

    assert reads.sessions_of(ANNS, NINE) == []


@pytest.mark.spec("FD-21")
def test_leaving_the_team_ends_all_sessions(store: Store) -> None:
    reads = team(store, membership("bob"))
    commit(store, opened("bobs", BOBS), AddSignIn(replace(LINK, member_id=BOBS)))

    commit(store, EndMembership(BOBS, NINE))

    assert reads.session("bobs", NINE) is None
    assert reads.sessions_of(BOBS, NINE) == []
    assert reads.sign_in(BOBS, 7) is None
    assert reads.membership(BOBS) == replace(membership("bob"), removed_at=NINE)


# --- the business, problems -----------------------------------------------------------------


def test_the_business_is_written_only_as_it_was_read(store: Store) -> None:
    reads = admin_reads(store)
    named = Business(name="Long Table")
    renamed = Business(name="Round Table", zone="Europe/Berlin")
    assert reads.business() == Business()

    assert refused(store, WriteSetting(SAVED_BUSINESS, named, renamed))
    commit(store, WriteSetting(SAVED_BUSINESS, Business(), named))
    assert refused(store, WriteSetting(SAVED_BUSINESS, Business(), renamed))
    commit(store, WriteSetting(SAVED_BUSINESS, named, renamed))

    assert reads.business() == renamed


def test_a_dead_letter_is_open_until_somebody_has_dealt_with_it(store: Store) -> None:
    reads = admin_reads(store)
    store.add_dead_letter("send", "s-1", "no route", at=NINE, cause=None)
    store.add_dead_letter("mail", "s-1", "too large", at=NINE + HOUR, cause=None)
    mail, send = reads.problems(10)
    assert [(each.what, each.ref, each.why, each.at) for each in (mail, send)] == [
        ("mail", "s-1", "too large", NINE + HOUR),
        ("send", "s-1", "no route", NINE),
    ]
    assert reads.problems(1) == [mail]
    assert reads.problem_count() == 2
    assert reads.dead_letter(send.id) == send
    assert reads.letter_of_send(SendId("s-1")) == send.id
    assert reads.letter_of_send(SendId("s-2")) is None

    commit(store, SettleLetter(send.id, NINE))

    assert refused(store, SettleLetter(send.id, NINE))
    assert refused(store, SettleLetter(send.id + 10, NINE))
    assert (reads.dead_letter(send.id), reads.letter_of_send(SendId("s-1"))) == (None, None)
    assert (reads.problems(10), reads.problem_count()) == ([mail], 1)


def test_the_instant_of_a_timer_can_be_read(store: Store) -> None:
    store.commit(Accepted(timers=(timer("fd/tidy", TOMORROW),)), by="cli", at=NINE)

    assert admin_reads(store).timer_at(TimerName("fd/tidy")) == TOMORROW
    assert admin_reads(store).timer_at(TimerName("fd/other")) is None


# --- people ---------------------------------------------------------------------------------


def test_people_are_listed_by_name_and_searched_without_wildcards(store: Store) -> None:
    for name in ("zoe", "ann", "b_b", "bob", "gone"):
        commit(store, add_person(name))
    commit(store, replace(add_person("low"), name="anna"))
    commit(store, ErasePerson(person_id("gone")))
    reads = admin_reads(store)

    assert [each.name for each in reads.people("", limit=9)] == ["Ann", "anna", "B_B", "Bob", "Zoe"]
    assert reads.people("", limit=2, offset=3) == [person("bob"), person("zoe")]
    assert [each.name for each in reads.people("AN", limit=9)] == ["Ann", "anna"]
    assert reads.people("b_b@", limit=9) == [Person(person_id("b_b"), "B_B", "b_b@example.org")]
    assert reads.people("%", limit=9) == []
    assert (reads.people_count(""), reads.people_count("example.org")) == (5, 5)
    assert reads.people_count("b_") == 1


# --- messages -------------------------------------------------------------------------------


def queued(name: str, kind: str, at: datetime = NINE, desk: str = "ev") -> QueueSend:
    note = Note(kind, person_id(name), f"{desk}/{name}/{kind}", PARTY)
    return QueueSend(SendId(f"{name}-{kind}"), desk, note, person_id(name), at)


def kept(send_id: str, subject: str, at: datetime = NINE) -> SentMessage:
    return SentMessage(
        send_id=SendId(send_id),
        channel="smtp",
        to_email="ann@example.org",
        to_name="Ann",
        from_email="desk@example.org",
        subject=subject,
        text="Hello",
        html="<p>Hello</p>",
        calendar=b"BEGIN",
        calendar_method="REQUEST",
        message_id=f"<{send_id}@example.org>",
        sent_at=at,
        unsubscribe_url="https://example.org/u",
    )


def sent(store: Store, queued: QueueSend, subject: str, at: datetime = NINE) -> None:
    commit(store, queued)
    commit(store, StartSend(queued.send_id, SendState.QUEUED, 0))
    commit(store, FinishSend(queued.send_id, SendState.SENDING, kept(queued.send_id, subject, at)))


@pytest.fixture
def post(store: Store) -> Store:
    """Three messages of one second, a later one, and a failed one of the admin desk."""
    for name in ("ann", "bob"):
        commit(store, add_person(name))
    sent(store, queued("ann", "offer"), "A seat for you")
    commit(store, queued("ann", "reminder"))
    commit(store, queued("bob", "offer"))
    commit(store, queued("bob", "reminder", NINE + HOUR))
    commit(store, queued("bob", "sign_in", NINE - HOUR, desk="fd"))
    commit(store, EndSend(SendId("bob-sign_in"), SendState.QUEUED, SendState.FAILED, "no route"))
    return store


def found(store: Store, limit: int = 9, offset: int = 0, **wanted: object) -> list[str]:
    rows = admin_reads(store).messages(MessageFilter(**wanted), limit=limit, offset=offset)  # type: ignore[arg-type]
    return [each.send.id for each in rows]


def test_messages_are_listed_newest_first_with_person_and_subject(post: Store) -> None:
    row = admin_reads(post).messages(
        MessageFilter(kind="offer", person_id=person_id("ann")), limit=9
    )[0]
    send = post.reads().engine.send(SendId("ann-offer"))
    assert isinstance(send, Send)

    assert row == MessageRow(send, person("ann"), "A seat for you")
    everything = ["bob-reminder", "bob-offer", "ann-reminder", "ann-offer", "bob-sign_in"]
    assert found(post) == everything
    assert found(post, limit=2, offset=2) == everything[2:4]


def test_messages_are_found_by_state_kind_person_and_desk(post: Store) -> None:
    one, two = frozenset({SendState.SENT}), frozenset({SendState.SENT, SendState.FAILED})

    assert found(post, states=one) == ["ann-offer"]
    assert found(post, states=two) == ["ann-offer", "bob-sign_in"]
    assert found(post, kind="offer") == ["bob-offer", "ann-offer"]
    assert found(post, person_id=person_id("ann")) == ["ann-reminder", "ann-offer"]
    assert found(post, but_desk="ev") == ["bob-sign_in"]
    assert found(post, person_id=person_id("bob"), but_desk="fd") == ["bob-reminder", "bob-offer"]
    assert found(post, search="a SEAT") == ["ann-offer"]
    assert found(post, search="bob@", kind="offer") == ["bob-offer"]
    assert found(post, search="%") == []


def test_messages_are_counted_by_state(post: Store) -> None:
    def counts(**wanted: object) -> dict[SendState, int]:
        return admin_reads(post).message_counts(MessageFilter(**wanted))  # type: ignore[arg-type]

    by_state = {SendState.QUEUED: 3, SendState.SENT: 1, SendState.FAILED: 1}
    assert counts() == by_state
    sent = frozenset({SendState.SENT})
    assert counts(states=sent) == {SendState.SENT: 1}
    assert counts(states=sent, search="ann") == {SendState.SENT: 1}
    assert counts(states=sent, person_id=person_id("bob")) == {}
    assert counts(states=frozenset({SendState.HELD, SendState.QUEUED})) == {SendState.QUEUED: 3}
    assert counts(kind="offer") == {SendState.QUEUED: 1, SendState.SENT: 1}
    assert counts(but_desk="fd") == {SendState.QUEUED: 3, SendState.SENT: 1}
    assert counts(person_id=person_id("ann")) == {SendState.QUEUED: 1, SendState.SENT: 1}
    assert counts(search="ann") == {SendState.QUEUED: 1, SendState.SENT: 1}


def test_the_kinds_of_messages_are_those_that_there_are(post: Store) -> None:
    assert admin_reads(post).message_kinds() == ["offer", "reminder", "sign_in"]
    assert admin_reads(post).message_kinds(but_desk="fd") == ["offer", "reminder"]


# --- mail that came in ----------------------------------------------------------------------


def came_in(mail_id: str, at: datetime, outcome: str = "", raw: bytes = b"Subject: Hi") -> KeepMail:
    mail = RawMail(MailId(mail_id), at, f"{mail_id}@example.net", "desk@example.org", raw)
    return KeepMail(replace(mail, outcome=outcome))


def test_mail_that_came_in_is_listed_newest_first_with_its_beginning(store: Store) -> None:
    reads = admin_reads(store)
    long = b"Subject: Hi\r\n\r\n" + b"x" * 20_000
    commit(store, came_in("old", NINE), came_in("a", TOMORROW), came_in("b", TOMORROW, raw=long))

    assert [each.id for each in reads.mails(MailFilter(), limit=9)] == ["b", "a", "old"]
    assert reads.mails(MailFilter(), limit=1, offset=1) == [
        MailRow(MailId("a"), TOMORROW, "a@example.net", "desk@example.org", "", b"Subject: Hi")
    ]
    [head] = [each.head for each in reads.mails(MailFilter(), limit=1)]
    assert head == long[:16_000]
    assert reads.mail_count(MailFilter()) == 3


def test_mail_is_found_by_address_person_and_what_became_of_it(store: Store) -> None:
    reads = admin_reads(store)
    commit(store, add_person("ann"))
    commit(store, came_in("one", NINE, FOR_A_PERSON), came_in("two", TOMORROW, FOR_A_PERSON))
    commit(store, came_in("ten", TOMORROW))
    commit(store, SettleMail(MailId("two"), "", DEALT_WITH))
    commit(store, SettleMail(MailId("ten"), person_id("ann"), "a seat"))

    def ids(wanted: MailFilter) -> list[str]:
        found: list[str] = [each.id for each in reads.mails(wanted, limit=9)]
        assert reads.mail_count(wanted) == len(found)
        return found

    assert ids(MailFilter(for_a_person=True)) == ["one"]
    assert ids(MailFilter(search="TWO@")) == ["two"]
    assert ids(MailFilter(search="ann")) == ["ten"]
    assert ids(MailFilter(search="dealt")) == ["two"]
    assert ids(MailFilter(search="one", for_a_person=True)) == ["one"]
    assert ids(MailFilter(search="desk@")) == ["two", "ten", "one"]


@pytest.mark.spec("FD-20")
def test_a_persons_mail_is_exported_unchanged(store: Store) -> None:
    commit(store, add_person("ann"))
    for mail_id, at in (("late", TOMORROW), ("early", NINE), ("another", NINE)):
        commit(store, came_in(mail_id, at, raw=mail_id.encode()))
    for mail_id in ("late", "early"):
        commit(store, SettleMail(MailId(mail_id), person_id("ann"), "a seat"))

    reads = admin_reads(store)

    early, late = ("early", NINE, b"early"), ("late", TOMORROW, b"late")
    assert reads.raw_mails(person_id("ann"), 9) == [early, late]
    assert reads.raw_mails(person_id("ann"), 1) == [early]


# --- facts ----------------------------------------------------------------------------------


def test_facts_are_found_newest_first_by_desk_kind_and_whom_they_are_about(store: Store) -> None:
    given(store)
    signed_in = SignedIn(ANNS, person_id("ann"), "Firefox")
    removed = MemberRemoved(BOBS, person_id("bob"))
    first, second = commit(store, facts=(signed_in, fact())).facts
    (third,) = commit(store, facts=(removed,)).facts
    (fourth,) = commit(store, facts=(signed_in,)).facts
    reads = admin_reads(store)

    assert reads.facts(FactFilter(), 9) == [fourth, third, second, first]
    assert reads.facts(FactFilter(), 2) == [fourth, third]
    assert reads.facts(FactFilter(before=third.seq), 9) == [second, first]
    assert reads.facts(FactFilter(desk="ev"), 9) == [second]
    assert reads.facts(FactFilter(kind=signed_in.kind), 9) == [fourth, first]
    assert reads.facts(FactFilter(about=person_id("ann")), 9) == [fourth, first]
    assert reads.facts(FactFilter(about=person_id("bob"), desk="ev"), 9) == []
    assert reads.fact(third.seq) == third
    assert reads.fact(fourth.seq + 1) is None


# --- tidying up -----------------------------------------------------------------------------


@pytest.mark.spec("FD-20")
def test_the_oldest_mails_go_first_so_many_at_a_time(store: Store) -> None:
    reads = admin_reads(store)
    for number in (3, 1, 2):
        commit(store, came_in(f"mail-{number}", NINE + number * HOUR))
    before = NINE + 3 * HOUR
    assert reads.old_count(OldRows.MAILS, before, 9) == 2
    assert reads.old_count(OldRows.MAILS, before, 1) == 1

    commit(store, DeleteOldRows(OldRows.MAILS, before, 1))
    assert [each.id for each in reads.mails(MailFilter(), limit=9)] == ["mail-3", "mail-2"]
    assert store.reads().engine.raw_mail(MailId("mail-1")) is None
    commit(store, DeleteOldRows(OldRows.MAILS, before, 9))

    assert [each.id for each in reads.mails(MailFilter(), limit=9)] == ["mail-3"]
    assert reads.old_count(OldRows.MAILS, before, 9) == 0


@pytest.mark.spec("FD-20")
def test_the_text_of_an_old_message_is_deleted_while_its_record_stays(store: Store) -> None:
    reads = admin_reads(store)
    commit(store, add_person("ann"))
    sent(store, queued("ann", "offer"), "A seat for you")
    sent(store, queued("ann", "reminder"), "Tomorrow", TOMORROW)
    assert reads.old_count(OldRows.MESSAGES, TOMORROW, 9) == 1

    commit(store, DeleteOldRows(OldRows.MESSAGES, TOMORROW, 9))

    engine = store.reads().engine
    wordless = replace(
        kept("ann-offer", "A seat for you"), text="", html="", calendar=None, unsubscribe_url=""
    )
    assert engine.sent_message(SendId("ann-offer")) == wordless
    assert engine.sent_message(SendId("ann-reminder")) == kept("ann-reminder", "Tomorrow", TOMORROW)
    assert reads.old_count(OldRows.MESSAGES, TOMORROW, 9) == 0


@pytest.mark.parametrize("what", [OldRows.SESSIONS, OldRows.SIGN_INS, OldRows.KEYS])
def test_valid_rows_are_not_deleted(store: Store, what: OldRows) -> None:
    reads = team(store)
    commit(store, opened("one"), AddSignIn(LINK))
    assert reads.old_count(what, NINE, 9) == 0

    commit(store, DeleteOldRows(what, NINE, 9))

    assert reads.session("one", NINE) == session("one")
    assert reads.sign_in(ANNS, 7) == LINK


# --- outside systems --------------------------------------------------------------------------


def test_troubles_are_written_from_what_was_read(store: Store) -> None:
    first = Trouble(Part.MODEL, NINE, "403", staff_know=True, told_at=NINE)
    both = (replace(first, ended_at=NINE + HOUR), Trouble(Part.RULES, NINE, "?"))
    assert admin_reads(store).troubles() == ()

    commit(store, WriteSetting(SAVED_TROUBLES, (), (first,)))
    assert admin_reads(store).troubles() == (first,)
    assert refused(store, WriteSetting(SAVED_TROUBLES, (), both))
    commit(store, WriteSetting(SAVED_TROUBLES, (first,), both))

    assert admin_reads(store).troubles() == both


def test_staff_are_owners_and_staff_with_an_address_of_their_own(store: Store) -> None:
    gone = membership("dan", Role.STAFF)
    reads = team(
        store,
        membership("bob", Role.STAFF),
        membership("cat", Role.HOST, PARTY),
        gone,
    )
    commit(store, EndMembership(gone.id, NINE))

    assert list(reads.staff()) == sorted([person_id("ann"), person_id("bob")])
