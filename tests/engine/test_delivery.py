"""A due send is checked again and goes out once; each kind of failure has its own treatment."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from frontdesk.core.decision import Accepted, Change, Command, Decision
from frontdesk.core.messages import (
    Message,
    SendFailed,
    SendLater,
    SendRefused,
    SendUnknown,
    Text,
)
from frontdesk.core.notes import Note
from frontdesk.core.people import (
    CorrectPerson,
    ErasePerson,
    MarkBounced,
    OptOut,
    Person,
    PersonId,
    StopNumber,
)
from frontdesk.core.sends import EndSend, Send, SendState, SentMessage, Via
from frontdesk.engine.delivery import MOST_ATTEMPTS
from frontdesk.engine.desk import DeliveryRules, Desk, Drop, HoldUntil, Rule, SendNow
from frontdesk.engine.ports import Reads
from frontdesk.engine.runtime import Runtime
from frontdesk.values import replace
from tests.engine.bell import (
    BELL,
    Arm,
    BellRung,
    Echo,
    Prize,
    Ring,
    Withdraw,
    WritePrize,
    arm,
    prize_note,
    render,
)
from tests.engine.driver import HOUR, NINE, EngineDriver
from tests.support.flaky_channel import FlakyChannel

DriverOpener = Callable[..., EngineDriver]
MINUTE = timedelta(minutes=1)
PRIZE = "bl/door/1/prize"
MOBILE = "+6591234567"


def ledger(driver: EngineDriver) -> list[tuple[str, SendState, str]]:
    return [(send.key, send.state, send.why) for send in driver.ledger()]


def delivery(**changed: object) -> Desk:
    return replace(BELL, delivery=replace(BELL.delivery, **changed))  # type: ignore[arg-type]


def change_person(driver: EngineDriver, change: Change) -> None:
    driver.store.commit(Accepted((change,)), by="cli", at=driver.clock.now())


# --- the mailbox ----------------------------------------------------------------------------


@pytest.mark.spec("FD-16")
def test_the_mailbox_keeps_the_message_as_its_recipient_would_see_it(
    open_driver: DriverOpener,
) -> None:
    driver = open_driver().people("ann")
    driver.do(Ring("door", "ann"))

    driver.settle()

    (send,) = driver.ledger()
    kept = driver.store.reads().engine.sent_message(send.id)
    assert kept is not None
    assert (kept.channel, kept.to_email, kept.to_name) == ("mailbox", "ann@example.org", "Ann")
    assert (kept.subject, kept.text) == ("prize", "a prize for ring 1, until 02 15:00:00")
    assert kept.message_id == f"<{send.id}@bell.example>"
    assert (send.state, send.sent_at, send.attempts) == (SendState.SENT, NINE, 0)


# --- checks before delivery -----------------------------------------------------------------


def test_a_send_in_quiet_hours_is_held_and_goes_out_when_they_end(
    open_driver: DriverOpener,
) -> None:
    def until_ten(_reads: Reads, _send: Send, now: datetime) -> HoldUntil | None:
        return HoldUntil(NINE + HOUR) if now < NINE + HOUR else None

    driver = open_driver(desk=delivery(when=until_ten)).people("ann")
    driver.do(Ring("door", "ann"))

    driver.settle()
    assert ledger(driver) == [(PRIZE, SendState.HELD, "quiet hours")]
    assert driver.prizes() == {("door", 1): "pending"}
    driver.wait(HOUR)

    assert driver.texts()[PRIZE] == "a prize for ring 1, until 02 16:00:00"


@pytest.mark.parametrize("part", ["when", "render"])
def test_a_send_that_its_desk_drops_says_why(open_driver: DriverOpener, part: str) -> None:
    def never(_reads: Reads, _send: Send, _now: datetime) -> Drop:
        return Drop("the bell is broken")

    driver = open_driver(desk=delivery(**{part: never})).people("ann")
    driver.do(Ring("door", "ann"))

    driver.settle()

    assert ledger(driver) == [(PRIZE, SendState.DROPPED, "the bell is broken")]
    assert driver.prizes() == {("door", 1): "pending"}


def test_a_send_past_its_last_useful_instant_is_dropped_and_its_offer_withdrawn(
    open_driver: DriverOpener,
) -> None:
    def useful_until_nine(fact: BellRung) -> Note:
        return replace(prize_note(fact), tell_by=NINE)

    driver = open_driver(desk=replace(BELL, notes={BellRung: useful_until_nine})).people("ann")
    driver.do(Ring("door", "ann"))

    driver.settle()

    assert ledger(driver) == [(PRIZE, SendState.DROPPED, "too late")]
    assert driver.prizes() == {("door", 1): "gone"}


def test_a_send_whose_arming_is_refused_is_dropped_with_the_reason(
    open_driver: DriverOpener,
) -> None:
    driver = open_driver().people("ann")
    driver.do(Ring("door", "ann"))
    driver.do(Withdraw("door", 1))

    driver.settle()

    assert ledger(driver) == [(PRIZE, SendState.DROPPED, "the prize is gone")]


@pytest.mark.spec("FD-15")
def test_an_address_that_bounced_gets_nothing(open_driver: DriverOpener) -> None:
    driver = open_driver().people("ann")
    change_person(driver, MarkBounced(PersonId("ann"), 0, "no such mailbox"))
    driver.do(Ring("door", "ann"))

    driver.settle()

    assert ledger(driver) == [(PRIZE, SendState.DROPPED, "this address does not take mail")]
    assert driver.prizes() == {("door", 1): "gone"}


@pytest.mark.spec("FD-15")
def test_a_refusal_of_the_old_address_does_not_mark_the_new_one(open_driver: DriverOpener) -> None:
    """The address is corrected during the delivery."""
    new = CorrectPerson(
        PersonId("ann"), 0, "Ann", "ann@example.com", "ann@example.com", new_address=True
    )

    class Slow(FlakyChannel):
        def send(self, message: Message | Text) -> None:
            change_person(driver, new)
            raise SendRefused("no such mailbox", about_recipient=True)

    driver = open_driver(channel=Slow()).people("ann")
    driver.do(Ring("door", "ann"))

    driver.settle()

    assert [state for _, state, _ in ledger(driver)] == [SendState.FAILED]
    ann = driver.store.reads().engine.person(PersonId("ann"))
    assert ann == Person(PersonId("ann"), "Ann", "ann@example.com", contact_version=1)


@pytest.mark.spec("FD-15")
def test_a_corrected_address_gets_mail_again(open_driver: DriverOpener) -> None:
    driver = open_driver().people("ann")
    change_person(driver, MarkBounced(PersonId("ann"), 0, "no such mailbox"))
    new = CorrectPerson(
        PersonId("ann"), 0, "Ann", "ann@example.com", "ann@example.com", new_address=True
    )
    change_person(driver, new)
    driver.do(Ring("door", "ann"))

    driver.settle()

    assert driver.states() == {PRIZE: "sent"}


@pytest.mark.spec("FD-15")
def test_a_person_who_opted_out_gets_no_optional_messages(open_driver: DriverOpener) -> None:
    driver = open_driver().people("ann")
    change_person(driver, OptOut(PersonId("ann")))
    driver.do(Ring("door", "ann"))
    driver.do(Echo("door", 1, "ann"))

    driver.settle()

    why = "this person has unsubscribed"
    assert ledger(driver) == [
        ("bl/door/1/echo", SendState.DROPPED, why),
        (PRIZE, SendState.SENT, ""),
    ]


def test_nothing_is_sent_to_somebody_who_was_erased(open_driver: DriverOpener) -> None:
    driver = open_driver().people("ann")
    driver.do(Ring("door", "ann"))
    change_person(driver, ErasePerson(PersonId("ann")))

    driver.settle()

    assert ledger(driver) == [(PRIZE, SendState.DROPPED, "this person was erased")]


# --- the mail server fails ------------------------------------------------------------------


def posted(
    open_driver: DriverOpener, post: FlakyChannel, mobile: str = "", **named: object
) -> EngineDriver:
    driver = open_driver(channel=post, texts=post, **named).people("ann", mobile=mobile)
    driver.do(Ring("door", "ann"))
    return driver.settle()


def test_a_message_that_leaves_the_machine_is_in_the_ledger_before_it_goes(
    open_driver: DriverOpener,
) -> None:
    driver = open_driver().people("ann")
    seen = []

    class Looking(FlakyChannel):
        def send(self, message: object) -> None:
            seen.append(ledger(later))

    driver.close()
    later = open_driver(channel=Looking())
    later.do(Ring("door", "ann"))
    later.settle()

    assert seen == [[(PRIZE, SendState.SENDING, "")]]
    assert ledger(later) == [(PRIZE, SendState.SENT, "")]


@pytest.mark.spec("FD-04")
@pytest.mark.parametrize(
    "failure", [SendLater("greylisted"), SendRefused("greylisted", permanent=False)]
)
def test_a_message_that_did_not_go_out_is_tried_again_with_growing_waits_and_a_new_window(
    open_driver: DriverOpener, failure: SendFailed
) -> None:
    post = FlakyChannel(failures=[failure, failure])
    driver = posted(open_driver, post, chance=lambda: 1.0)

    (send,) = driver.ledger()
    assert (send.state, send.why, send.attempts) == (SendState.QUEUED, "greylisted", 1)
    assert send.due_at == NINE + timedelta(seconds=30)
    assert driver.prizes() == {("door", 1): "pending"}

    driver.wait(timedelta(seconds=30))
    assert driver.ledger()[0].due_at == NINE + timedelta(seconds=90)
    driver.wait(MINUTE)

    assert [message.text for message in post.delivered] == ["a prize for ring 1, until 02 15:01:30"]
    assert driver.prizes() == {("door", 1): "live"}


def test_waits_differ_by_chance_so_that_not_all_come_back_at_once(
    open_driver: DriverOpener,
) -> None:
    driver = posted(open_driver, FlakyChannel(failures=[SendLater("busy")]), chance=lambda: 0.0)

    assert driver.ledger()[0].due_at == NINE + timedelta(seconds=15)


@pytest.mark.spec("FD-07")
def test_a_message_that_never_goes_out_fails_in_the_end_and_its_offer_is_withdrawn(
    open_driver: DriverOpener,
) -> None:
    post = FlakyChannel(failures=[SendLater("busy")] * 50)
    driver = posted(open_driver, post).wait(timedelta(days=1))

    (send, *_) = (send for send in driver.ledger() if send.key == PRIZE)
    assert (send.state, send.why, send.attempts) == (SendState.FAILED, "busy", MOST_ATTEMPTS)
    assert ("send", send.id, "busy") in driver.complaints()
    assert driver.prizes() == {("door", 1): "gone"}


@pytest.mark.spec("FD-07", "FD-15")
def test_a_refusal_about_the_recipient_marks_the_person_and_withdraws_the_offer(
    open_driver: DriverOpener,
) -> None:
    refusal = SendRefused("550 no such user <ann@example.org>", about_recipient=True)
    driver = posted(open_driver, FlakyChannel(failures=[refusal]))

    (send,) = driver.ledger()
    assert (send.state, send.why) == (SendState.FAILED, "550 no such user <(address)>")
    assert driver.complaints() == [("send", send.id, "550 no such user <(address)>")]
    assert driver.person("ann").bounced == "550 no such user <ann@example.org>"
    assert driver.prizes() == {("door", 1): "gone"}


def test_a_refusal_of_the_message_does_not_mark_the_person(open_driver: DriverOpener) -> None:
    driver = posted(open_driver, FlakyChannel(failures=[SendRefused("554 too long")]))

    assert ledger(driver) == [(PRIZE, SendState.FAILED, "554 too long")]
    assert driver.person("ann").bounced == ""


def test_without_an_undeliverable_command_an_offer_is_disarmed(
    open_driver: DriverOpener,
) -> None:
    desk = delivery(undeliverable=lambda _send: None)
    driver = posted(open_driver, FlakyChannel(failures=[SendRefused("554 no")]), desk=desk)

    assert driver.prizes() == {("door", 1): "pending"}


@pytest.mark.spec("FD-04")
@pytest.mark.parametrize("failure", [SendUnknown("connection lost"), OSError("broken pipe")])
def test_mail_of_unknown_outcome_is_repeated_with_the_same_id_words_and_deadline(
    open_driver: DriverOpener, failure: Exception
) -> None:
    post = FlakyChannel(failures=[failure, SendLater("busy")], lose_answers=True)
    driver = posted(open_driver, post)

    (send,) = driver.ledger()
    assert (send.state, send.due_at) == (SendState.QUEUED, NINE + MINUTE)
    assert send.why.startswith("may have been sent; ")
    driver.wait(5 * MINUTE)

    assert driver.states() == {PRIZE: "sent"}
    assert len({(message.message_id, message.text) for message in post.delivered}) == 1
    assert len(post.delivered) == 3


@pytest.mark.spec("FD-04", "FD-07")
def test_mail_whose_outcome_stays_unknown_is_repeated_a_limited_number_of_times(
    open_driver: DriverOpener,
) -> None:
    lost: list[SendFailed | BaseException] = [SendUnknown("connection lost")] * (10 * MOST_ATTEMPTS)
    post = FlakyChannel(failures=lost, lose_answers=True)
    driver = posted(open_driver, post)

    driver.wait(50 * MINUTE)

    assert len(post.delivered) == MOST_ATTEMPTS
    assert ledger(driver) == [
        (PRIZE, SendState.FAILED, "may have been sent; connection lost"),
    ]
    assert [what for what, _, _ in driver.complaints()] == ["send"]


@pytest.mark.spec("FD-04")
def test_an_offer_whose_mail_may_have_gone_out_stays_even_if_the_repeat_fails(
    open_driver: DriverOpener,
) -> None:
    post = FlakyChannel(failures=[SendUnknown("connection lost"), SendRefused("554 no")])
    driver = posted(open_driver, post).wait(5 * MINUTE)

    assert ledger(driver) == [(PRIZE, SendState.FAILED, "may have been sent; 554 no")]
    assert driver.prizes() == {("door", 1): "live"}


@pytest.mark.spec("FD-04", "FD-07")
def test_a_text_of_unknown_outcome_is_shown_to_staff_and_not_repeated(
    open_driver: DriverOpener,
) -> None:
    post = FlakyChannel(failures=[SendUnknown("time-out")], lose_answers=True)
    driver = posted(open_driver, post, MOBILE).wait(5 * MINUTE)

    (send,) = driver.ledger()
    assert (send.state, send.via) == (SendState.UNKNOWN, Via.TEXT)
    assert send.why == "may have been sent; time-out"
    assert driver.complaints() == [("send", send.id, "may have been sent; time-out")]
    assert (len(post.delivered), driver.prizes()) == (1, {("door", 1): "live"})


# --- texts ----------------------------------------------------------------------------------


@pytest.mark.spec("FD-30")
@pytest.mark.parametrize(("mobile", "via"), [("", "mail"), (MOBILE, "text")])
@pytest.mark.parametrize(
    ("failures", "event"), [([], "send.sent"), ([SendRefused("554 no")], "send.failed")]
)
def test_the_log_names_the_channel_of_a_message(
    open_driver: DriverOpener,
    capfd: pytest.CaptureFixture[str],
    mobile: str,
    via: str,
    failures: list[SendFailed | BaseException],
    event: str,
) -> None:
    posted(open_driver, FlakyChannel(failures=list(failures)), mobile)

    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert [line["via"] for line in lines if line["event"] == event] == [via]


@pytest.mark.spec("FD-16")
def test_the_mailbox_keeps_a_text_with_the_number_that_it_went_to(
    open_driver: DriverOpener,
) -> None:
    driver = open_driver().people("ann", mobile=MOBILE)
    driver.do(Ring("door", "ann"))

    driver.settle()

    (send,) = driver.ledger()
    assert (send.state, send.via) == (SendState.SENT, Via.TEXT)
    assert driver.store.reads().engine.sent_message(send.id) == SentMessage(
        send_id=send.id,
        channel="mailbox",
        to_email="",
        to_mobile=MOBILE,
        to_name="Ann",
        from_email="",
        subject="a prize for ring 1, until 02 15:00:00",
        text="a prize for ring 1, until 02 15:00:00",
        html="",
        calendar=None,
        calendar_method="",
        message_id=f"<{send.id}@bell.example>",
        sent_at=NINE,
    )


@pytest.mark.spec("FD-15")
def test_a_number_that_said_stop_gets_nothing_and_its_offer_is_withdrawn(
    open_driver: DriverOpener,
) -> None:
    driver = open_driver().people("ann", mobile=MOBILE).people("bob")
    change_person(driver, StopNumber(MOBILE))
    driver.do(Ring("door", "ann"))
    driver.do(Ring("gate", "bob"))

    driver.settle()

    assert ledger(driver) == [
        (PRIZE, SendState.DROPPED, "this number wants no texts"),
        ("bl/gate/1/prize", SendState.SENT, ""),
    ]
    assert driver.prizes() == {("door", 1): "gone", ("gate", 1): "live"}


@pytest.mark.spec("FD-15")
def test_an_address_that_bounced_says_nothing_about_texts(open_driver: DriverOpener) -> None:
    driver = open_driver().people("ann", mobile=MOBILE)
    change_person(driver, MarkBounced(PersonId("ann"), 0, "no such mailbox"))
    driver.do(Ring("door", "ann"))

    driver.settle()

    assert driver.states() == {PRIZE: "sent"}


@pytest.mark.spec("FD-15")
def test_a_mail_to_an_address_that_bounced_is_dropped_whatever_the_number(
    open_driver: DriverOpener,
) -> None:
    def by_mail(reads: Reads, send: Send, now: datetime) -> SendNow | Drop:
        return SendNow(a_mail(send, now))

    driver = open_driver(desk=delivery(render=by_mail)).people("ann", mobile=MOBILE)
    change_person(driver, MarkBounced(PersonId("ann"), 0, "no such mailbox"))
    driver.do(Ring("door", "ann"))

    driver.settle()

    assert ledger(driver) == [(PRIZE, SendState.DROPPED, "this address does not take mail")]
    assert driver.prizes() == {("door", 1): "gone"}


def test_a_mail_to_a_person_without_an_address_is_dropped(open_driver: DriverOpener) -> None:
    def nowhere(reads: Reads, send: Send, now: datetime) -> SendNow | Drop:
        return SendNow(a_mail(send, now, to_email=""))

    driver = open_driver(desk=delivery(render=nowhere)).people("ann", mobile=MOBILE)
    driver.do(Ring("door", "ann"))

    driver.settle()

    assert ledger(driver) == [(PRIZE, SendState.DROPPED, "this person has no e-mail address")]
    assert driver.prizes() == {("door", 1): "gone"}


def a_mail(send: Send, now: datetime, to_email: str = "ann@example.org") -> Message:
    return Message(
        message_id=f"<{send.id}@bell.example>",
        to_email=to_email,
        from_email="bell@bell.example",
        subject="prize",
        text="a prize",
        date=now,
    )


def test_a_refused_number_withdraws_the_offer_and_leaves_the_address_alone(
    open_driver: DriverOpener,
) -> None:
    refusal = SendRefused(f"{MOBILE} is opted out", about_recipient=True)
    driver = posted(open_driver, FlakyChannel(failures=[refusal]), MOBILE)

    assert ledger(driver) == [(PRIZE, SendState.FAILED, "(number) is opted out")]
    assert [why for _, _, why in driver.complaints()] == ["(number) is opted out"]
    assert driver.person("ann").bounced == ""
    assert driver.prizes() == {("door", 1): "gone"}


@pytest.mark.spec("FD-04")
def test_a_text_that_did_not_go_out_is_tried_again(open_driver: DriverOpener) -> None:
    post = FlakyChannel(failures=[SendLater("throttled")])
    driver = posted(open_driver, post, MOBILE).wait(MINUTE)

    assert ledger(driver) == [(PRIZE, SendState.SENT, "")]
    assert [message.text for message in post.delivered] == ["a prize for ring 1, until 02 15:00:22"]


@pytest.mark.spec("FD-04")
def test_each_text_starts_by_itself_and_mails_start_together(open_driver: DriverOpener) -> None:
    """A power failure after a text has started means that it can never be repeated."""
    seen = []

    class Looking(FlakyChannel):
        def send(self, message: Message | Text) -> None:
            kind = "text" if isinstance(message, Text) else "mail"
            seen.append((kind, len(driver.store.sends_in(SendState.SENDING, 10))))

    driver = open_driver(channel=Looking(), texts=Looking())
    driver.people("ann", "bob", mobile=MOBILE).people("cat", "dan")
    for person in ("ann", "bob", "cat", "dan"):
        driver.do(Ring(person, person))

    driver.settle()

    assert seen == [("mail", 2), ("mail", 1), ("text", 1), ("text", 1)]


@pytest.mark.spec("FD-04")
@pytest.mark.parametrize("local", [True, False])
def test_a_send_that_ends_while_its_batch_is_rendered_does_not_go_out(
    open_driver: DriverOpener, *, local: bool
) -> None:
    def ending_bob(reads: Reads, send: Send, now: datetime) -> SendNow | Drop:
        if send.subject == "cat":
            bob = next(each for each in driver.ledger() if each.subject == "bob")
            change_person(driver, EndSend(bob.id, bob.state, SendState.DROPPED, "cancelled"))
        return BELL.delivery.render(reads, send, now)

    post = FlakyChannel()
    channels = {} if local else {"channel": post}
    driver = open_driver(desk=delivery(render=ending_bob), **channels).people("ann", "bob", "cat")
    for person in ("ann", "bob", "cat"):
        driver.do(Ring(person, person))

    driver.settle()

    assert driver.states() == {
        "bl/ann/1/prize": "sent",
        "bl/bob/1/prize": "dropped",
        "bl/cat/1/prize": "sent",
    }
    assert len(post.delivered) == (0 if local else 2)


def test_without_a_channel_for_texts_the_offer_is_withdrawn_and_says_why(
    open_driver: DriverOpener,
) -> None:
    driver = open_driver().people("ann", mobile=MOBILE)
    driver.runtime = Runtime(driver.engine, {Via.MAIL: FlakyChannel()}, chance=lambda: 0.5)
    driver.do(Ring("door", "ann"))

    driver.settle()

    assert ledger(driver) == [(PRIZE, SendState.DROPPED, "texts are not set up")]
    assert driver.prizes() == {("door", 1): "gone"}


# --- the desk fails -------------------------------------------------------------------------


@pytest.mark.spec("FD-07")
@pytest.mark.parametrize("part", ["when", "render", "arm"])
def test_a_send_that_breaks_its_desk_is_a_dead_letter_of_its_own(
    open_driver: DriverOpener, part: str
) -> None:
    driver = open_driver(desk=broken_for_bob(part)).people("ann", "bob", "cat")
    for person in ("ann", "bob", "cat"):
        driver.do(Ring(person, person))

    driver.settle()

    assert driver.states() == {
        "bl/ann/1/prize": "sent",
        "bl/bob/1/prize": "failed",
        "bl/cat/1/prize": "sent",
    }
    assert [(each.what, each.why) for each in driver.letters()] == [("send", "KeyError: 'bob'")]
    assert driver.prizes()[("bob", 1)] == "pending"


def broken_for_bob(part: str) -> Desk:
    whole: DeliveryRules = BELL.delivery

    def broken(*args: object) -> object:
        send = next(each for each in args if isinstance(each, Send))
        if send.subject == "bob":
            raise KeyError("bob")
        return getattr(whole, part)(*args)

    return delivery(**{part: broken})


@pytest.mark.spec("FD-07")
def test_an_offer_that_can_never_be_armed_holds_up_no_other(open_driver: DriverOpener) -> None:
    def never_holds(prize: Prize, command: Arm, now: datetime) -> Decision:
        if command.bell != "bob":
            return arm(prize, command, now)
        return Accepted((WritePrize(command.bell, command.n, "unheard of", prize),))

    rules: dict[type[Command], Rule] = {**BELL.rules, Arm: Rule(BELL.rules[Arm].load, never_holds)}
    driver = open_driver(desk=replace(BELL, rules=rules)).people("ann", "bob")
    for person in ("bob", "ann"):
        driver.do(Ring(person, person))

    driver.wait(MINUTE)

    assert driver.states() == {"bl/ann/1/prize": "sent", "bl/bob/1/prize": "failed"}
    assert [letter.what for letter in driver.letters()] == ["send"]


@pytest.mark.spec("FD-04")
def test_a_message_without_the_id_of_its_send_is_not_sent(open_driver: DriverOpener) -> None:
    def other_id(reads: Reads, send: Send, now: datetime) -> SendNow | Drop:
        said = render(reads, send, now)
        assert isinstance(said, SendNow)
        return SendNow(replace(said.message, message_id="<chance@bell.example>"))

    driver = open_driver(desk=delivery(render=other_id)).people("ann")
    driver.do(Ring("door", "ann"))

    driver.settle()

    assert driver.states() == {PRIZE: "failed"}
