"""People, sends, jobs and mail: each change with a condition that holds, and with one that does
not."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from frontdesk.core.contacts import contact_key
from frontdesk.core.jobs import AddJob, AdvanceJob, Job, JobId
from frontdesk.core.mail import KeepMail, MailId, RawMail, SettleMail
from frontdesk.core.notes import Note, Quiet
from frontdesk.core.people import (
    AddPerson,
    CorrectPerson,
    ErasePerson,
    MarkBounced,
    MarkNumber,
    OptOut,
    Person,
    PersonId,
    ResumeNumber,
    StopNumber,
)
from frontdesk.core.sends import (
    CountText,
    DeferSend,
    EndSend,
    FinishSend,
    MarkUndelivered,
    QueueSend,
    Send,
    SendId,
    SendState,
    SentMessage,
    SpendOnText,
    StartSend,
    Via,
)
from frontdesk.desks.rsvp.changes import AddImport, ImportRow
from frontdesk.engine.ports import Store
from frontdesk.values import replace
from tests.store.samples import HOUR, NINE, PARTY, add_person, commit, person_id, refused, rsvp

ANN = person_id("ann")
S1 = SendId("s1")


# --- snapshots ------------------------------------------------------------------------------


def test_a_snapshot_has_what_is_committed_and_ends_with_its_block(store: Store) -> None:
    commit(store, add_person("ann"))
    with store.snapshot() as reads:
        ann = reads.engine.person(ANN)
    commit(store, OptOut(ANN))
    with store.snapshot() as reads:
        later = reads.engine.person(ANN)

    assert ann is not None
    assert later is not None
    assert (ann.opted_out, later.opted_out) == (False, True)


# --- texts ----------------------------------------------------------------------------------


@pytest.mark.spec("FD-28")
def test_texts_are_counted_by_the_day_and_one_at_a_time(store: Store) -> None:
    today, tomorrow = NINE.date(), NINE.date() + timedelta(days=1)
    none = store.reads().engine.texts_on(today)
    commit(store, CountText(today, 0))
    commit(store, CountText(today, 1))

    assert refused(store, CountText(today, 0))
    assert refused(store, CountText(today, 1))
    assert refused(store, CountText(tomorrow, 1))
    assert (none, *map(store.reads().engine.texts_on, (today, tomorrow))) == (0, 2, 0)


@pytest.mark.spec("AR-07")
def test_the_cost_of_texts_is_summed_by_the_month_and_one_at_a_time(store: Store) -> None:
    november, december = date(2026, 11, 1), date(2026, 12, 1)
    none = store.reads().engine.text_spend(november)
    commit(store, SpendOnText(november, 0, 50_000))
    commit(store, SpendOnText(november, 50_000, 70_000))

    assert refused(store, SpendOnText(november, 0, 1))
    assert refused(store, SpendOnText(november, 50_000, 1))
    assert refused(store, SpendOnText(december, 50_000, 1))
    assert (none, *map(store.reads().engine.text_spend, (november, december))) == (0, 120_000, 0)


# --- people ---------------------------------------------------------------------------------


def ann(store: Store) -> Person | None:
    return store.reads().engine.person(ANN)


@pytest.mark.spec("EV-06")
def test_a_person_is_found_by_id_and_by_address(store: Store) -> None:
    commit(store, add_person())

    expected = Person(ANN, "Ann", "ann@example.org")
    assert ann(store) == expected
    assert store.reads().engine.person_by_email("ann@example.org") == expected
    assert store.reads().engine.person_by_email("bob@example.org") is None


@pytest.mark.spec("EV-06")
def test_an_address_belongs_to_one_person(store: Store) -> None:
    commit(store, add_person())

    assert refused(store, AddPerson(PersonId("other"), "A", "Ann@example.org", "ann@example.org"))
    assert refused(store, AddPerson(ANN, "A", "a@example.org", "a@example.org"))
    assert ann(store) == Person(ANN, "Ann", "ann@example.org")


def test_a_corrected_address_kills_old_links_and_forgets_the_bounce(store: Store) -> None:
    commit(store, add_person())
    commit(store, MarkBounced(ANN, 0, "no such mailbox"))
    assert ann(store) == Person(ANN, "Ann", "ann@example.org", bounced="no such mailbox")

    commit(store, CorrectPerson(ANN, 0, "Ann", "new@example.org", "new@example.org", True))

    assert ann(store) == Person(ANN, "Ann", "new@example.org", contact_version=1)
    assert refused(store, MarkBounced(ANN, 0, "late news of the old address"))


@pytest.mark.spec("AR-20")
def test_a_number_that_fails_is_marked_until_it_is_another_one(store: Store) -> None:
    commit(store, add_person())
    commit(store, CorrectPerson(ANN, 0, "Ann", "ann@example.org", "ann@example.org", False, "+651"))
    assert refused(store, MarkNumber(ANN, "+652"))
    commit(store, MarkNumber(ANN, "+651"))
    marked = ann(store)
    assert marked is not None
    assert marked.mobile_fails

    commit(store, MarkNumber(ANN, "+651", fails=False))
    again = ann(store)
    commit(store, MarkNumber(ANN, "+651"))
    commit(store, CorrectPerson(ANN, 1, "Ann", "ann@example.org", "ann@example.org", False, "+652"))
    other = ann(store)
    commit(store, ErasePerson(ANN))
    gone = ann(store)

    assert again is not None
    assert other is not None
    assert gone is not None
    assert not again.mobile_fails
    assert not other.mobile_fails
    assert gone.failed_mobile == ""


def test_a_corrected_name_leaves_links_alone(store: Store) -> None:
    commit(store, add_person())

    commit(store, CorrectPerson(ANN, 0, "Anne", "ann@example.org", "ann@example.org", False))

    assert ann(store) == Person(ANN, "Anne", "ann@example.org")


def test_a_correction_needs_the_version_as_read_and_an_address_of_ones_own(store: Store) -> None:
    commit(store, add_person())
    commit(store, add_person("bob"))

    assert refused(store, CorrectPerson(ANN, 1, "A", "a@example.org", "a@example.org", True))
    assert refused(store, CorrectPerson(ANN, 0, "A", "bob@example.org", "bob@example.org", True))
    assert ann(store) == Person(ANN, "Ann", "ann@example.org")


def test_a_correction_may_need_the_name_as_read(store: Store) -> None:
    commit(store, add_person())

    def named(name: str, before: str) -> CorrectPerson:
        email = "ann@example.org"
        return CorrectPerson(ANN, 0, name, email, email, False, name_before=before)

    assert refused(store, named("Anna", before=""))
    commit(store, named("Anne", before="Ann"))
    assert refused(store, named("Anna", before="Ann"))
    assert ann(store) == Person(ANN, "Anne", "ann@example.org")


def test_opting_out_can_be_undone(store: Store) -> None:
    commit(store, add_person())

    commit(store, OptOut(ANN))
    assert ann(store) == Person(ANN, "Ann", "ann@example.org", opted_out=True)
    commit(store, OptOut(ANN, out=False))
    assert ann(store) == Person(ANN, "Ann", "ann@example.org")
    assert refused(store, OptOut(PersonId("nobody")))


@pytest.mark.spec("FD-20")
def test_erasing_reaches_kept_messages_mail_and_imports_and_leaves_others_alone(
    store: Store,
) -> None:
    for name in ("ann", "bob"):
        commit(store, add_person(name))
        sent(store, name)
        commit(store, KeepMail(mail(name, person_id=person_id(name))))
        commit(store, KeepMail(mail(f"{name}-unread", sender=f" {name.upper()}@Example.org")))
    job = Job(JobId("j"), "ev", "import", PARTY)
    commit(store, AddJob(job), AddImport(job.id, (row(1, "ann"), row(2, "bob"))))

    commit(store, ErasePerson(ANN))

    engine = store.reads().engine
    assert ann(store) == Person(ANN, "", "", contact_version=1, erased=True)
    assert engine.person_by_email("ann@example.org") is None
    assert engine.sent_message(SendId("s-ann")) == replace(
        kept("ann"),
        to_email="",
        to_name="",
        subject="",
        text="",
        html="",
        calendar=None,
        reply_to="",
        in_reply_to="",
        unsubscribe_url="",
    )
    assert engine.raw_mail(MailId("ann")) is None
    assert engine.raw_mail(MailId("ann-unread")) is None
    assert rsvp(store).import_rows(job.id) == [
        ImportRow(1, "", "", 1, outcome="erased"),
        row(2, "bob"),
    ]
    assert engine.sent_message(SendId("s-bob")) == kept("bob")
    assert engine.raw_mail(MailId("bob")) == mail("bob", person_id=person_id("bob"))
    assert engine.raw_mail(MailId("bob-unread")) is not None


def test_an_erased_person_is_erased_once_and_their_address_is_free_again(store: Store) -> None:
    commit(store, add_person())
    commit(store, ErasePerson(ANN))
    commit(store, ErasePerson(ANN))

    commit(store, AddPerson(PersonId("again"), "Ann", "ann@example.org", "ann@example.org"))

    assert ann(store) == Person(ANN, "", "", contact_version=1, erased=True)
    assert refused(store, ErasePerson(PersonId("nobody")))
    assert refused(store, CorrectPerson(ANN, 1, "A", "a@example.org", "a@example.org", True))


# --- numbers --------------------------------------------------------------------------------

MOBILE = "+6591234567"
OTHER_MOBILE = "+6598765432"


def with_mobile(name: str, mobile: str = MOBILE, email: str = "") -> AddPerson:
    return AddPerson(person_id(name), name.title(), email, contact_key(email, mobile), mobile)


def test_a_person_without_an_address_is_known_by_their_number(store: Store) -> None:
    commit(store, with_mobile("ann"))

    expected = Person(ANN, "Ann", "", mobile=MOBILE)
    engine = store.reads().engine
    assert (ann(store), engine.person_by_email(MOBILE)) == (expected, expected)
    assert refused(store, with_mobile("bob"))
    assert engine.person_by_email(OTHER_MOBILE) is None


def test_a_family_may_share_a_number(store: Store) -> None:
    commit(store, with_mobile("bob", email="bob@example.org"))
    commit(store, with_mobile("ann"))
    commit(store, with_mobile("cat", OTHER_MOBILE, email="cat@example.org"), add_person("dan"))

    engine = store.reads().engine
    assert list(engine.people_by_mobile(MOBILE)) == [
        Person(ANN, "Ann", "", mobile=MOBILE),
        Person(person_id("bob"), "Bob", "bob@example.org", mobile=MOBILE),
    ]
    assert list(engine.people_by_mobile("+6580000000")) == []
    assert list(engine.people_by_mobile("")) == []


def test_people_are_read_by_their_ids(store: Store) -> None:
    commit(store, add_person("ann"), add_person("bob"))
    commit(store, add_person("cat"))

    engine, ids = store.reads().engine, [person_id(each) for each in ("cat", "ann", "zoe")]
    assert engine.people_with(ids) == {each: engine.person(each) for each in ids[:2]}
    assert engine.people_with([]) == {}


@pytest.mark.spec("FD-10")
def test_a_new_number_kills_old_links_and_the_same_one_does_not(store: Store) -> None:
    commit(store, with_mobile("ann", email="ann@example.org"))
    commit(store, MarkBounced(ANN, 0, "no such mailbox"))
    same = CorrectPerson(ANN, 0, "Ann", "ann@example.org", "ann@example.org", False)

    commit(store, same)
    commit(store, replace(same, mobile=MOBILE))
    assert ann(store) == Person(
        ANN, "Ann", "ann@example.org", bounced="no such mailbox", mobile=MOBILE
    )

    commit(store, replace(same, mobile=OTHER_MOBILE))
    assert ann(store) == Person(
        ANN, "Ann", "ann@example.org", 1, bounced="no such mailbox", mobile=OTHER_MOBILE
    )
    assert list(store.reads().engine.people_by_mobile(MOBILE)) == []

    commit(store, replace(same, contact_version=1, mobile=""))
    assert ann(store) == Person(ANN, "Ann", "ann@example.org", 2, bounced="no such mailbox")


def test_a_person_known_by_number_may_get_an_address_and_the_number_is_free(store: Store) -> None:
    commit(store, with_mobile("ann"))

    commit(store, CorrectPerson(ANN, 0, "Ann", "ann@example.org", "ann@example.org", True))

    expected = Person(ANN, "Ann", "ann@example.org", 1, mobile=MOBILE)
    engine = store.reads().engine
    assert (ann(store), engine.person_by_email("ann@example.org")) == (expected, expected)
    assert engine.person_by_email(MOBILE) is None
    commit(store, with_mobile("bob"))


@pytest.mark.spec("FD-15")
@pytest.mark.spec("WL-06")
def test_stop_sticks_to_the_number_until_it_is_resumed(store: Store) -> None:
    engine = store.reads().engine
    commit(store, with_mobile("ann"))
    assert not engine.number_stopped(MOBILE)

    commit(store, StopNumber(MOBILE))
    commit(store, StopNumber(MOBILE))
    commit(store, ErasePerson(ANN))
    commit(store, with_mobile("again"))

    assert engine.number_stopped(MOBILE)
    assert not engine.number_stopped(OTHER_MOBILE)
    commit(store, ResumeNumber(MOBILE))
    assert not engine.number_stopped(MOBILE)
    commit(store, ResumeNumber(MOBILE))


@pytest.mark.spec("FD-20")
def test_erasing_reaches_rows_with_an_earlier_address(store: Store) -> None:
    commit(store, add_person())
    sent(store, "ann")
    commit(store, CorrectPerson(ANN, 0, "Ann", "new@example.org", "new@example.org", True))
    commit(store, KeepMail(mail("former", sender="ann@example.org")))
    commit(store, KeepMail(mail("present", sender="new@example.org")))
    job = Job(JobId("j"), "ev", "import", PARTY)
    commit(store, AddJob(job), AddImport(job.id, (row(1, "ann"), row(2, "bob"))))

    commit(store, ErasePerson(ANN))

    engine = store.reads().engine
    assert (engine.raw_mail(MailId("former")), engine.raw_mail(MailId("present"))) == (None, None)
    assert rsvp(store).import_rows(job.id) == [
        ImportRow(1, "", "", 1, outcome="erased"),
        row(2, "bob"),
    ]


@pytest.mark.spec("FD-20")
def test_erasing_reaches_the_number_and_the_texts_to_it(store: Store) -> None:
    for name, mobile in (("ann", MOBILE), ("bob", OTHER_MOBILE)):
        commit(store, with_mobile(name, mobile))
        sent(store, name, replace(kept(name), to_email="", to_mobile=mobile))
        commit(store, KeepMail(mail(name, sender=mobile)))

    commit(store, ErasePerson(ANN))

    engine = store.reads().engine
    assert ann(store) == Person(ANN, "", "", contact_version=1, erased=True)
    assert engine.person_by_email(MOBILE) is None
    assert list(engine.people_by_mobile(MOBILE)) == []
    erased = engine.sent_message(SendId("s-ann"))
    assert erased is not None
    assert (erased.to_mobile, erased.text) == ("", "")
    assert engine.raw_mail(MailId("ann")) is None
    assert engine.raw_mail(MailId("bob")) == mail("bob", sender=OTHER_MOBILE)
    assert engine.sent_message(SendId("s-bob")) == replace(
        kept("bob"), to_email="", to_mobile=OTHER_MOBILE
    )


@pytest.mark.spec("FD-20")
@pytest.mark.parametrize(
    "said",
    [
        {"text": "Ann booked.\n\nann@example.org, +65 9123 4567\n"},
        {"text": "She has another number: +65 9123 4567"},
        {"subject": "From Ann@Example.org"},
        {"reply_to": "ann@example.org"},
    ],
)
def test_erasing_empties_messages_to_others_that_mention_the_contact(
    store: Store, said: dict[str, Any]
) -> None:
    """Staff get mails that mention customers."""
    commit(store, with_mobile("ann", "+6591234567", email="ann@example.org"), add_person("bob"))
    sent(store, "bob", replace(kept("bob"), **said))

    commit(store, ErasePerson(ANN))

    left = store.reads().engine.sent_message(SendId("s-bob"))
    assert left is not None
    assert (left.to_email, left.to_name) == ("bob@example.org", kept("bob").to_name)
    assert (left.subject, left.text, left.html, left.reply_to, left.calendar) == (
        *("", "", "", ""),
        None,
    )


@pytest.mark.spec("FD-20")
def test_erasing_leaves_messages_that_mention_a_longer_contact(store: Store) -> None:
    commit(store, with_mobile("ann", "+6591234567", email="ann@example.org"), add_person("bob"))
    words = "joann@example.org, ann@example.org.au, +659123456789"
    sent(store, "bob", replace(kept("bob"), text=words))

    commit(store, ErasePerson(ANN))

    left = store.reads().engine.sent_message(SendId("s-bob"))
    assert left is not None
    assert left.text == words


@pytest.mark.spec("FD-20")
def test_erasing_reaches_texts_from_a_number_that_we_never_wrote_to(store: Store) -> None:
    commit(store, with_mobile("ann", email="ann@example.org"))
    commit(store, KeepMail(mail("a text", sender=MOBILE)))

    commit(store, ErasePerson(ANN))

    assert store.reads().engine.raw_mail(MailId("a text")) is None


def row(line: int, name: str) -> ImportRow:
    return ImportRow(line, name.title(), f"{name.title()}@example.org ", 1)


def sent(store: Store, name: str, message: SentMessage | None = None) -> None:
    send_id = SendId(f"s-{name}")
    commit(store, QueueSend(send_id, "ev", note(), person_id(name), NINE))
    commit(store, StartSend(send_id, SendState.QUEUED, 0))
    commit(store, FinishSend(send_id, SendState.SENDING, message or kept(name)))


# --- sends ----------------------------------------------------------------------------------


def note(key: str = "ev/party/ann/confirmed") -> Note:
    return Note("confirmed", "ann", key, PARTY, "ann", Quiet.IGNORE, NINE + HOUR, {"seq": 2})


def kept(name: str = "ann") -> SentMessage:
    return SentMessage(
        send_id=SendId(f"s-{name}"),
        channel="mailbox",
        to_email=f"{name}@example.org",
        to_name=name.title(),
        from_email="desk@example.org",
        subject="You have a seat",
        text="Hello",
        html="<p>Hello</p>",
        calendar=b"BEGIN:VCALENDAR",
        calendar_method="REQUEST",
        message_id=f"<s-{name}@example.org>",
        sent_at=NINE + HOUR,
        from_name="The desk",
        reply_to="party@example.org",
        in_reply_to="<one@example.org>",
        unsubscribe_url="https://example.org/l/sample",
    )


def queued(store: Store, **columns: object) -> Send:
    commit(store, add_person(), QueueSend(S1, "ev", note(), ANN, NINE))
    return send(**columns)


def send(**columns: object) -> Send:
    plain = Send(
        id=S1,
        key="ev/party/ann/confirmed",
        desk="ev",
        kind="confirmed",
        person_id=ANN,
        subject=PARTY,
        about="ann",
        state=SendState.QUEUED,
        queued_at=NINE,
        due_at=NINE,
        quiet=Quiet.IGNORE,
        tell_by=NINE + HOUR,
        params={"seq": 2},
    )
    return replace(plain, **columns)  # type: ignore[arg-type]


def ledger(store: Store) -> Send | None:
    return store.reads().engine.send(S1)


@pytest.mark.spec("FD-03")
def test_a_send_that_is_queued_twice_is_one_send(store: Store) -> None:
    expected = queued(store)

    commit(store, QueueSend(S1, "ev", note(), ANN, NINE + HOUR))

    assert ledger(store) == expected
    assert list(store.due_sends(NINE, 10)) == [expected]
    assert store.next_send_at() == NINE


def test_a_send_starts_once_for_each_attempt(store: Store) -> None:
    queued(store)

    commit(store, StartSend(S1, SendState.QUEUED, 0))

    assert ledger(store) == send(state=SendState.SENDING, attempts=1)
    assert refused(store, StartSend(S1, SendState.QUEUED, 0))
    assert refused(store, StartSend(S1, SendState.SENDING, 0))
    assert list(store.due_sends(NINE + HOUR, 10)) == []
    assert list(store.sends_in(SendState.SENDING, 10)) == [
        send(state=SendState.SENDING, attempts=1)
    ]


@pytest.mark.spec("FD-04")
def test_a_send_records_its_channel(store: Store) -> None:
    queued(store)
    sending = send(state=SendState.SENDING, attempts=1, via=Via.TEXT)

    commit(store, StartSend(S1, SendState.QUEUED, 0, Via.TEXT))

    assert ledger(store) == sending
    assert list(store.sends_in(SendState.SENDING, 10)) == [sending]


def test_a_send_that_is_only_stored_records_its_channel_too(store: Store) -> None:
    queued(store)
    text = replace(kept(), send_id=S1, to_email="", to_mobile=MOBILE)

    commit(store, FinishSend(S1, SendState.QUEUED, text))

    assert ledger(store) == send(state=SendState.SENT, sent_at=NINE + HOUR, via=Via.TEXT)
    assert store.reads().engine.sent_message(S1) == text


def test_a_finished_send_keeps_its_message(store: Store) -> None:
    queued(store)
    commit(store, StartSend(S1, SendState.QUEUED, 0))
    message = replace(kept(), send_id=S1)

    commit(store, FinishSend(S1, SendState.SENDING, message))

    assert ledger(store) == send(state=SendState.SENT, attempts=1, sent_at=NINE + HOUR)
    assert store.reads().engine.sent_message(S1) == message
    assert refused(store, FinishSend(S1, SendState.SENDING, message))


@pytest.mark.spec("AR-20")
def test_a_text_that_was_not_delivered_is_noted_once_and_keeps_the_id_of_the_network(
    store: Store,
) -> None:
    queued(store)
    text = replace(kept(), send_id=S1, to_mobile="+6591234567", provider_id="sns-1")
    assert refused(store, MarkUndelivered(S1, "unreachable"))
    commit(store, FinishSend(S1, SendState.QUEUED, text))

    commit(store, MarkUndelivered(S1, "unreachable"))

    assert refused(store, MarkUndelivered(S1, "again"))
    found, copy = ledger(store), store.reads().engine.sent_message(S1)
    assert found is not None
    assert copy is not None
    assert (found.state, found.why, copy.provider_id) == (SendState.SENT, "unreachable", "sns-1")


@pytest.mark.spec("AR-20")
def test_sends_to_a_person_come_the_newest_first_and_bounded(store: Store) -> None:
    commit(store, add_person(), add_person("bob"))
    for hours, name in enumerate(("one", "two", "three")):
        at = NINE + hours * HOUR
        commit(store, QueueSend(SendId(name), "ev", note(name), ANN, at))
    commit(store, QueueSend(SendId("other"), "ev", note("other"), person_id("bob"), NINE))

    newest = store.reads().engine.newest_sends_to
    assert [send.id for send in newest(ANN, 9)] == ["three", "two", "one"]
    assert [send.id for send in newest(ANN, 2)] == ["three", "two"]


def test_a_send_is_held_or_tried_again_later(store: Store) -> None:
    queued(store)
    late = NINE + HOUR

    commit(store, DeferSend(S1, SendState.QUEUED, SendState.HELD, late, "quiet hours"))

    assert ledger(store) == send(state=SendState.HELD, due_at=late, why="quiet hours")
    assert list(store.due_sends(NINE, 10)) == []
    assert store.next_send_at() == late
    assert list(store.due_sends(late, 10)) == [
        send(state=SendState.HELD, due_at=late, why="quiet hours")
    ]
    assert refused(store, DeferSend(S1, SendState.QUEUED, SendState.HELD, late, ""))


@pytest.mark.parametrize("after", [SendState.FAILED, SendState.DROPPED, SendState.UNKNOWN])
def test_a_send_ends_and_is_not_due_any_more(store: Store, after: SendState) -> None:
    queued(store)

    commit(store, EndSend(S1, SendState.QUEUED, after, "too late"))

    assert ledger(store) == send(state=after, why="too late")
    assert list(store.due_sends(NINE, 10)) == []
    assert store.next_send_at() is None
    assert list(store.sends_in(after, 10)) == [send(state=after, why="too late")]
    assert refused(store, EndSend(S1, SendState.QUEUED, after, "too late"))


def test_due_sends_come_the_longest_due_first_and_bounded(store: Store) -> None:
    commit(store, add_person())
    for hours, name in ((2, "c"), (0, "a"), (1, "b")):
        change = QueueSend(SendId(name), "ev", note(name), ANN, NINE + hours * HOUR)
        commit(store, change)

    assert [each.id for each in store.due_sends(NINE + HOUR, 10)] == ["a", "b"]
    assert [each.id for each in store.due_sends(NINE + 2 * HOUR, 2)] == ["a", "b"]


# --- jobs, mail -----------------------------------------------------------------------------


def test_a_job_advances_only_from_the_cursor_as_read(store: Store) -> None:
    job = Job(JobId("j1"), "ev", "move", PARTY, total=3, params={"sequence": 2})
    commit(store, AddJob(job))
    assert refused(store, AddJob(job))

    commit(store, AdvanceJob(job.id, "", "g2", 2, finished=False))

    halfway = replace(job, cursor="g2", done=2)
    assert refused(store, AdvanceJob(job.id, "", "g2", 2, finished=False))
    assert store.reads().engine.job(job.id) == halfway
    assert list(store.open_jobs(10)) == [halfway]
    assert list(store.open_jobs(10, kinds=frozenset({f"{job.desk}/{job.kind}"}))) == []
    mine = frozenset({f"{job.desk}/{job.kind}"})
    assert list(store.open_jobs(10, kinds=mine, others=False)) == [halfway]
    assert list(store.open_jobs(10, kinds=frozenset({"x/y"}))) == [halfway]
    assert list(store.open_jobs(10, kinds=frozenset({"x/y"}), others=False)) == []

    commit(store, AdvanceJob(job.id, "g2", "g3", 3, finished=True))

    assert list(store.open_jobs(10)) == []
    assert store.reads().engine.job(job.id) == replace(job, cursor="g3", done=3, finished=True)
    assert refused(store, AdvanceJob(job.id, "g3", "g4", 4, finished=True))


def test_mail_is_kept_once_and_settled(store: Store) -> None:
    commit(store, KeepMail(mail("m1")))
    assert refused(store, KeepMail(replace(mail("m1"), raw=b"another")))
    assert store.reads().engine.raw_mail(MailId("m1")) == mail("m1")

    commit(store, SettleMail(MailId("m1"), "p-ann", "signed up"))

    settled = mail("m1", person_id="p-ann", outcome="signed up")
    assert store.reads().engine.raw_mail(MailId("m1")) == settled
    assert refused(store, SettleMail(MailId("m2"), "", "lost"))


def mail(name: str, **columns: str) -> RawMail:
    plain = RawMail(MailId(name), NINE, f"{name}@example.org", "party@example.org", b"\x00\xff")
    return replace(plain, **columns)  # type: ignore[arg-type]
