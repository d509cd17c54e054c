"""Mail from guests: from the SMTP conversation to the reply."""

import smtplib
from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP

import pytest

from frontdesk.core.ids import new_id
from frontdesk.core.jobs import JobId
from frontdesk.core.members import Role
from frontdesk.desks.admin.commands import CorrectContact
from frontdesk.desks.rsvp.commands import CallOff, CreateEvent, ResendLink
from frontdesk.desks.rsvp.model import EventId, Lane, State
from tests.support.mail import AUTHSERV, DESK, DOMAIN, PARTY, VOUCHED, MailLane, a_mail
from tests.support.rsvp import HOUR, STARTS

CANCELS = "Sorry, I can't make it after all. Please cancel my seat.\n"


def text_of(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def heading(mail: EmailMessage) -> str:
    return text_of(mail).splitlines()[0]


def link_below(mail: EmailMessage, label: str) -> str:
    lines = text_of(mail).splitlines()
    return next(lines[n + 1] for n, line in enumerate(lines) if label in line)


# --- signing up -------------------------------------------------------------------------------


@pytest.mark.spec("EV-07", "EV-14")
def test_a_mail_to_the_event_signs_its_sender_up_and_is_answered_in_its_thread(
    lane: MailLane,
) -> None:
    lane.desk.given(cap=2)
    raw = a_mail()

    assert lane.takes(raw) == {}

    answer = lane.answer("ann")
    assert lane.guests() == {"ann@example.org": "confirmed"}
    assert answer["Subject"] == "You're in: Pottery workshop"
    assert answer["To"] == "Ann Lee <ann@example.org>"
    assert answer["In-Reply-To"] == "<one@example.org>"
    assert answer["References"] == "<one@example.org>"
    assert answer["Reply-To"] == PARTY
    assert answer["Auto-Submitted"] == "auto-replied"
    assert lane.kept == [(PARTY, "signed up")]
    assert lane.rows("SELECT raw FROM fd_mail") == [(raw,)]
    row = lane.desk.reads.guest_rows(lane.desk.event_id)[0]
    assert (row.person.name, row.guest.lane) == ("Ann Lee", Lane.EMAIL)


@pytest.mark.spec("EV-07", "EV-13")
@pytest.mark.parametrize(
    ("results", "state"),
    [(VOUCHED, "confirmed"), (f"{AUTHSERV}; dmarc=fail", "pending"), ("", "pending")],
)
def test_a_mail_without_proof_does_not_accept_an_invitation_but_gets_its_link_again(
    lane: MailLane, results: str, state: str
) -> None:
    desk = lane.desk.given(cap=2)
    desk.sign_up("ann", lane=Lane.IMPORT, invite=True)
    desk.settle()

    lane.takes(a_mail(**({"Authentication-Results": results} if results else {})))

    answer = lane.answers("ann")[-1]
    assert lane.guests() == {"ann@example.org": state}
    assert answer["In-Reply-To"] == "<one@example.org>"
    if state == "pending":
        assert answer["Subject"] == "You're invited: Pottery workshop"


@pytest.mark.spec("EV-07")
@pytest.mark.parametrize(
    ("heading", "results", "subject"),
    [
        ("Pottery?", VOUCHED, "Re: Pottery?"),
        ("re: Pötte", VOUCHED, "re: Pötte"),
        ("", VOUCHED, "You're in: Pottery workshop"),
        ("Cheap pills", f"{AUTHSERV}; dmarc=fail", "You're in: Pottery workshop"),
        ("Cheap pills", "mx.evil.example; dmarc=pass", "You're in: Pottery workshop"),
    ],
)
def test_an_answer_keeps_the_heading_of_an_authenticated_sender(
    lane: MailLane, heading: str, results: str, subject: str
) -> None:
    """With another heading some mail programs start a new thread. The words of a stranger are not
    repeated."""
    lane.desk.given(cap=1)

    lane.takes(a_mail(subject=heading, **{"Authentication-Results": results}))

    assert lane.answer("ann")["Subject"] == subject


@pytest.mark.spec("EV-07")
@pytest.mark.parametrize(
    ("sender", "name"),
    [
        ("ann@example.org", "Ann"),
        ("=?utf-8?q?Zo=C3=AB_M=C3=BCller?= <ann@example.org>", "Zoë Müller"),
        ('"Lee, Ann" <ANN@example.org>', "Lee, Ann"),
        ("ann@example.org (Ann Lee)", "Ann Lee"),
        ('"bob@example.net" <ann@example.org>', "Ann"),
    ],
)
def test_the_name_comes_from_the_header_or_else_from_the_address(
    lane: MailLane, sender: str, name: str
) -> None:
    lane.desk.given(cap=1)
    raw = a_mail().replace(b"Ann Lee <ann@example.org>", sender.encode())

    lane.takes(raw)

    (row,) = lane.desk.reads.guest_rows(lane.desk.event_id)
    assert (row.person.name, row.person.email.lower()) == (name, "ann@example.org")
    assert [mail.rcpt_to[0].lower() for mail in lane.sink.received] == ["ann@example.org"]


@pytest.mark.spec("EV-07")
@pytest.mark.parametrize(
    ("header", "envelope"),
    [
        (f"pottery+friends@{DOMAIN}", [f"pottery+friends@{DOMAIN}"]),
        (f"POTTERY@{DOMAIN.upper()}", [f"POTTERY@{DOMAIN.upper()}"]),
        ("a-friend@example.net", [PARTY]),  # a blind copy
        (f"{PARTY}, pottery+two@{DOMAIN}", [PARTY, f"pottery+two@{DOMAIN}", PARTY.upper()]),
        (f"{PARTY}, {DESK}", [DESK, PARTY]),
    ],
)
def test_however_the_event_is_addressed_it_is_one_sign_up_and_one_answer(
    lane: MailLane, header: str, envelope: list[str]
) -> None:
    lane.desk.given(cap=2)

    assert lane.takes(a_mail(to=header), to=envelope) == {}

    assert lane.guests() == {"ann@example.org": "confirmed"}
    assert heading(lane.answer("ann")) == "You're in."


@pytest.mark.spec("EV-07")
def test_of_two_recipients_only_ours_is_taken(lane: MailLane) -> None:
    lane.desk.given(cap=2)

    refused = lane.takes(a_mail(Cc="friend@example.net"), to=["friend@example.net", PARTY])

    assert refused == {"friend@example.net": (550, b"5.1.1 No such recipient here")}
    assert lane.guests() == {"ann@example.org": "confirmed"}


@pytest.mark.spec("EV-07", "FD-03")
def test_a_mail_that_is_delivered_again_has_one_effect_and_one_answer(lane: MailLane) -> None:
    lane.desk.given(cap=2)
    raw = a_mail()

    lane.takes(raw)
    lane.takes(raw)
    lane.takes(b"Received: from a.example.org by b.example.org; today\r\n" + raw)
    lane.takes(raw, to=f"pottery+again@{DOMAIN}")

    assert len(lane.answers("ann")) == 1
    assert lane.kept == [(PARTY, "signed up")]
    assert [one.fact.kind for one in lane.desk.facts()] == ["ev.created", "ev.confirmed"]


@pytest.mark.spec("FD-03")
def test_another_persons_mail_with_the_same_id_is_another_mail(lane: MailLane) -> None:
    lane.desk.given(cap=2)

    lane.takes(a_mail())
    lane.takes(a_mail(sender="bob@example.org"), sender="bob@example.org")

    assert lane.guests() == {"ann@example.org": "confirmed", "bob@example.org": "confirmed"}


@pytest.mark.spec("EV-06", "EV-07")
def test_a_listed_guest_is_told_their_state_once_for_each_mail(
    lane: MailLane,
) -> None:
    lane.desk.given(cap=1)
    lane.takes(a_mail())
    lane.takes(a_mail(message_id="<two@example.org>"))
    lane.takes(a_mail(message_id=""))
    lane.takes(a_mail("Hello, it's me again.\n", message_id=""))

    answers = lane.answers("ann")
    assert [mail["Subject"] for mail in answers] == [
        "You're in: Pottery workshop",
        *3 * ["Pottery workshop: where you stand"],
    ]
    assert [mail["In-Reply-To"] for mail in answers] == [
        "<one@example.org>",
        "<two@example.org>",
        None,
        None,
    ]
    assert lane.desk.seats.taken == 1
    assert lane.kept == [(PARTY, "signed up"), *3 * [(PARTY, "already_on_the_list")]]


@pytest.mark.spec("EV-07", "EV-14")
def test_when_it_is_full_the_answer_says_the_place_in_line(lane: MailLane) -> None:
    lane.desk.given(cap=1, confirmed=["ann"], line=["bob"])

    lane.takes(a_mail(sender="cat@example.org"), sender="cat@example.org")

    answer = lane.answer("cat")
    assert heading(answer) == "You're second in line."
    assert answer["In-Reply-To"] == "<one@example.org>"
    assert [part.get_content_type() for part in answer.walk()] == [
        "multipart/alternative",
        "text/plain",
        "text/html",
    ]


@pytest.mark.spec("EV-07")
@pytest.mark.parametrize(
    ("later", "says"),
    [(0 * HOUR, "This event has begun."), (2 * HOUR, "This event is over.")],
)
def test_a_late_mail_is_answered_and_adds_nobody_to_the_list(
    lane: MailLane, later: timedelta, says: str
) -> None:
    lane.desk.given(cap=1).wait_until(STARTS + later)

    lane.takes(a_mail())
    lane.takes(a_mail())

    answer = lane.answer("ann")
    assert (heading(answer), answer["In-Reply-To"]) == (says, "<one@example.org>")
    assert lane.guests() == {}
    assert lane.kept == [(PARTY, "begun")]


@pytest.mark.spec("EV-07")
def test_a_mail_to_a_cancelled_event_is_answered_that_it_is_called_off(lane: MailLane) -> None:
    lane.desk.given(cap=1, confirmed=["bob"])
    lane.desk.do(CallOff(lane.desk.event_id, JobId(new_id(bytes(16)))))

    lane.takes(a_mail())
    lane.takes(a_mail(sender="bob@example.org"), sender="bob@example.org")

    assert heading(lane.answer("ann")) == "This event has been called off."
    assert heading(lane.answers("bob")[-1]) == "This event has been called off."
    assert list(lane.guests()) == ["bob@example.org"]
    assert lane.kept == 2 * [(PARTY, "called_off")]


# --- cancelling -------------------------------------------------------------------------------


def calendar_answer(partstat: str, **headers: str) -> bytes:
    """Builds the reply of a calendar when somebody presses 'No'."""
    mail = EmailMessage(policy=SMTP)
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail["From"] = "ann@example.org"
    mail["To"] = PARTY
    mail["Subject"] = f"{partstat}: Pottery workshop"
    mail["Message-ID"] = "<reply@example.org>"
    mail.set_content(f"Ann has answered: {partstat.lower()}\n")
    mail.add_alternative(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:REPLY\r\nBEGIN:VEVENT\r\nUID:x\r\n"
        f"ATTENDEE;PARTSTAT={partstat}:mailto:ann@example.org\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
        subtype="calendar",
        params={"method": "REPLY"},
    )
    return mail.as_bytes()


@pytest.mark.spec("EV-08", "EV-20")
@pytest.mark.parametrize("vouched", [True, False])
@pytest.mark.parametrize("by", ["words", "calendar"])
def test_a_clear_cancel_frees_the_seat_if_it_certainly_is_them(
    lane: MailLane, vouched: bool, by: str
) -> None:
    lane.desk.given(cap=1, confirmed=["ann"], line=["bob"])
    lane.sink.received.clear()
    headers = {"Authentication-Results": VOUCHED if vouched else f"{AUTHSERV}; dmarc=fail"}
    raw = calendar_answer("DECLINED", **headers) if by == "calendar" else a_mail(CANCELS, **headers)

    lane.takes(raw)

    if vouched:
        assert lane.desk.states() == {"ann": State.CANCELLED, "bob": State.OFFERED}
        assert heading(lane.answer("ann")) == "You've cancelled."
        assert heading(lane.answer("bob")) == "This seat is yours until 15:00 today (SGT)."
        assert lane.kept == [(PARTY, "cancelled")]
    else:
        assert lane.desk.states() == {"ann": State.CONFIRMED, "bob": State.WAITING}
        assert heading(lane.answer("ann")) == "Do you want to cancel?"
        assert lane.answers("bob") == []
        assert lane.kept == [(PARTY, "answered")]
    assert lane.answer("ann")["In-Reply-To"] in ("<one@example.org>", "<reply@example.org>")


@pytest.mark.spec("EV-08", "FD-09")
@pytest.mark.parametrize(
    "results",
    [
        "",
        "mx.evil.example; dmarc=pass header.from=example.org",
        f"{AUTHSERV}; dmarc=pass header.from=evil.example",
        f"{AUTHSERV}; spf=pass smtp.mailfrom=me@evil.example",
    ],
)
def test_without_proof_nothing_changes_until_the_link_is_pressed(
    lane: MailLane, results: str
) -> None:
    lane.desk.given(cap=1, confirmed=["ann"], line=["bob"])
    lane.takes(a_mail(CANCELS, **({"Authentication-Results": results} if results else {})))
    link = link_below(lane.answers("ann")[-1], "Yes, cancel:").removesuffix("?do=cancel")

    page = lane.served.visitor.get(f"{link}?do=cancel")
    assert page.buttons[0] == "Give my seat back"
    assert lane.desk.settle().state("ann") is State.CONFIRMED

    lane.served.visitor.post(link, do="cancel")
    assert lane.desk.settle().states() == {"ann": State.CANCELLED, "bob": State.OFFERED}


@pytest.mark.spec("EV-08")
def test_a_calendar_sends_its_answer_to_the_event(lane: MailLane) -> None:
    """The answer goes to the organizer that the calendar file names."""
    lane.desk.given(cap=1)
    lane.takes(a_mail())

    (file,) = [part for part in lane.answer("ann").walk() if part.get_filename() == "invite.ics"]
    organizer = file.get_payload(decode=True).decode().replace("\r\n ", "")  # type: ignore[union-attr]
    assert f"mailto:{PARTY}" in organizer


@pytest.mark.spec("EV-08")
@pytest.mark.parametrize("partstat", ["ACCEPTED", "TENTATIVE"])
def test_a_calendar_that_says_yes_is_not_answered(lane: MailLane, partstat: str) -> None:
    lane.desk.given(cap=2, confirmed=["ann"])
    before = len(lane.sink.received)

    lane.takes(calendar_answer(partstat, **{"Authentication-Results": VOUCHED}))

    assert len(lane.sink.received) == before
    assert lane.kept == [(PARTY, f"a calendar's answer: {partstat.lower()}")]
    assert lane.desk.states() == {"ann": State.CONFIRMED}


@pytest.mark.spec("EV-08")
@pytest.mark.parametrize(
    "body",
    [
        "See you there!\n\nOn Monday, Events wrote:\n> Can't make it? Please cancel my seat.\n",
        "Great!\n\n-----Original Message-----\nFrom: Events\n\nPlease cancel my seat.\n",
        "I will not cancel.\n",
    ],
)
def test_words_that_are_quoted_or_unclear_cancel_nothing(lane: MailLane, body: str) -> None:
    lane.desk.given(cap=1, confirmed=["ann"])

    lane.takes(a_mail(body, **{"Authentication-Results": VOUCHED}))

    assert lane.desk.state("ann") is State.CONFIRMED
    assert heading(lane.answers("ann")[-1]) == "You're in."


@pytest.mark.spec("EV-08", "FD-03")
def test_a_cancel_that_comes_twice_frees_one_seat(lane: MailLane) -> None:
    lane.desk.given(cap=1, confirmed=["ann"], line=["bob", "cat"])
    lane.sink.received.clear()
    raw = a_mail(CANCELS, **{"Authentication-Results": VOUCHED})

    lane.takes(raw)
    lane.takes(raw)
    assert len(lane.answers("ann")) == 1

    lane.takes(raw.replace(b"<one@", b"<two@"))
    assert heading(lane.answers("ann")[-1]) == "You're not on the list any more."
    assert lane.desk.states() == {
        "ann": State.CANCELLED,
        "bob": State.OFFERED,
        "cat": State.WAITING,
    }
    assert lane.kept == [(PARTY, "cancelled"), (PARTY, "already_cancelled")]


@pytest.mark.spec("EV-08")
def test_a_cancellation_by_somebody_who_is_not_on_the_list_is_answered(lane: MailLane) -> None:
    lane.desk.given(cap=1, confirmed=["bob"])

    lane.takes(a_mail(CANCELS))

    assert heading(lane.answer("ann")) == "You're not on the list."
    assert lane.guests() == {"bob@example.org": "confirmed"}
    assert lane.kept == [(PARTY, "cancelled, but was not on the list")]


# --- machines ---------------------------------------------------------------------------------


@pytest.mark.spec("EV-09")
@pytest.mark.parametrize(
    ("headers", "sender", "envelope", "outcome"),
    [
        ({"Auto-Submitted": "auto-replied"}, "ann@example.org", "ann@example.org", "auto-reply"),
        ({"X-Autoreply": "yes"}, "ann@example.org", "ann@example.org", "auto-reply"),
        ({"Subject": "Out of office: away"}, "ann@example.org", "ann@example.org", "auto-reply"),
        ({}, "noreply@example.org", "noreply@example.org", "auto-reply"),
        ({"List-Id": "<list.example.org>"}, "ann@example.org", "l@example.org", "mailing list"),
        ({"Precedence": "bulk"}, "ann@example.org", "ann@example.org", "mailing list"),
        ({"X-Frontdesk": "yes"}, "ann@example.org", "ann@example.org", "loop"),
        ({}, DESK, DESK, "loop"),
        ({}, f"other@{DOMAIN}", f"other@{DOMAIN}", "loop"),
        ({}, "ann@example.org", "", "bounce"),
        ({}, "MAILER-DAEMON@example.org", "", "bounce"),
    ],
)
def test_machines_sign_nobody_up_and_are_not_answered(
    lane: MailLane, headers: dict[str, str], sender: str, envelope: str, outcome: str
) -> None:
    lane.desk.given(cap=2)
    another_event(lane, "other")
    subject = headers.pop("Subject", "Hello")

    lane.takes(a_mail(sender=sender, subject=subject, **headers), sender=envelope)

    assert lane.kept == [(PARTY, f"not answered: {outcome}")]
    assert lane.guests() == {}
    assert lane.sink.received == []


def another_event(lane: MailLane, slug: str) -> None:
    event = lane.desk.event
    event_id = EventId(new_id(bytes(range(16))))
    lane.desk.do(CreateEvent(event_id, slug, event.details, event.settings, cap=2))


@pytest.mark.spec("EV-09")
def test_a_loop_between_two_desks_ends_with_the_first_answer(lane: MailLane) -> None:
    """The address of another desk signs up here, and that desk answers the mail automatically."""
    lane.desk.given(cap=2)
    lane.takes(a_mail(sender="events@desk.example.org"), sender="events@desk.example.org")
    (sent,) = lane.sink.received

    lane.takes(sent.raw, sender=sent.mail_from)

    assert lane.kept == [(PARTY, "signed up"), (PARTY, "not answered: loop")]
    assert len(lane.sink.received) == 1


@pytest.mark.spec("EV-09")
def test_a_machine_that_does_not_say_so_is_answered_only_so_often(lane: MailLane) -> None:
    lane.desk.given(cap=2)

    for n in range(20):
        lane.takes(a_mail("Your mail is important to us.\n", message_id=f"<{n}@example.org>"))

    assert len(lane.answers("ann")) == 1 + 10
    assert lane.kept[-1] == (PARTY, "not answered: many mails in one day")

    lane.takes(a_mail(CANCELS, message_id="<c@example.org>", **{"Authentication-Results": VOUCHED}))
    assert lane.guests() == {"ann@example.org": "cancelled"}

    lane.desk.wait(days=1, minutes=1)
    lane.takes(a_mail("Again.\n", message_id="<later@example.org>"))
    assert lane.guests() == {"ann@example.org": "confirmed"}


# --- bounces ----------------------------------------------------------------------------------


def a_bounce(
    of: str, *, action: str = "failed", status: str = "5.1.1", report: str = "delivery-status"
) -> bytes:
    fields = (
        f"Final-Recipient: rfc822; bob@example.org\r\nAction: {action}\r\nStatus: {status}\r\n"
        "Diagnostic-Code: smtp; 550 5.1.1 <bob@example.org> unknown here\r\n"
    )
    if report == "feedback-report":
        fields = "Feedback-Type: abuse\r\nUser-Agent: Feedback/1.0\r\nVersion: 1\r\n"
    lines = (
        "From: Mail Delivery System <MAILER-DAEMON@example.org>",
        f"To: {DESK}",
        "Subject: Undelivered Mail Returned to Sender",
        f"Message-ID: <bounce-of-{of.strip('<>')}>",
        "MIME-Version: 1.0",
        f'Content-Type: multipart/report; report-type={report}; boundary="b"',
        "",
        "--b",
        "Content-Type: text/plain",
        "",
        "This is the mail system.",
        "--b",
        f"Content-Type: message/{report}",
        "",
        f"Reporting-MTA: dns; example.org\r\n\r\n{fields}",
        "--b",
        "Content-Type: text/rfc822-headers",
        "",
        f"From: {DESK}\r\nMessage-ID: {of}\r\nSubject: A seat for you",
        "--b--",
        "",
    )
    return "\r\n".join(lines).encode()


def bounced(lane: MailLane, who: str) -> str:
    person = lane.desk.reads.person(lane.desk.guest(who).person_id)
    assert person is not None
    return person.bounced


@pytest.mark.spec("FD-15", "EV-09")
def test_an_offer_that_comes_back_marks_the_person_and_the_seat_rolls_on(lane: MailLane) -> None:
    lane.desk.given(cap=1, confirmed=["ann"], line=["bob", "cat"])
    lane.takes(a_mail(CANCELS, **{"Authentication-Results": VOUCHED}))
    offer = lane.answers("bob")[-1]
    assert heading(offer) == "This seat is yours until 15:00 today (SGT)."

    lane.takes(a_bounce(offer["Message-ID"]), sender="", to=DESK)
    lane.takes(a_bounce(offer["Message-ID"]), sender="", to=DESK)

    assert bounced(lane, "bob") == "550 5.1.1 <(address)> unknown here"
    assert lane.desk.states() == {
        "ann": State.CANCELLED,
        "bob": State.WAITING,
        "cat": State.OFFERED,
    }
    assert lane.kept[1:] == [(DESK, "a mail of ours that came back")]
    told = len(lane.answers("bob"))
    lane.desk.do(ResendLink(lane.desk.id("bob")))
    assert len(lane.answers("bob")) == told, "nothing more to an address that takes no mail"


@pytest.mark.spec("FD-15", "FD-10")
def test_a_corrected_address_is_written_to_again_and_the_old_links_are_dead(
    lane: MailLane,
) -> None:
    lane.desk.given(cap=1, confirmed=["bob"])
    sent = lane.answer("bob")
    old = link_below(sent, "See my ticket:")
    assert "Bob" in lane.served.visitor.get(old).says
    lane.takes(a_bounce(sent["Message-ID"]), sender="", to=DESK)
    assert bounced(lane, "bob")

    person_id = lane.desk.guest("bob").person_id
    lane.desk.do(CorrectContact(person_id, "Bob", "bobby@example.org", Role.OWNER))
    lane.desk.do(ResendLink(lane.desk.id("bob")))

    assert bounced(lane, "bob") == ""
    again = lane.answer("bobby")
    assert heading(again) == "You're in."
    assert lane.served.visitor.get(old).status == 410
    assert lane.served.visitor.get(link_below(again, "See my ticket:")).status == 200

    lane.takes(a_bounce(sent["Message-ID"]).replace(b"<bounce@", b"<late@"), sender="", to=DESK)
    assert bounced(lane, "bob") == "", "a late bounce is about the old address"


@pytest.mark.spec("FD-15")
def test_a_complaint_about_spam_stops_our_mail(lane: MailLane) -> None:
    lane.desk.given(cap=1, confirmed=["bob"])

    report = a_bounce(lane.answer("bob")["Message-ID"], report="feedback-report")
    lane.takes(report, sender="fbl@example.net", to=DESK)

    assert bounced(lane, "bob") == "was reported as unwanted"


@pytest.mark.spec("FD-15")
@pytest.mark.parametrize(
    ("action", "status", "of"),
    [("delayed", "4.4.1", ""), ("failed", "4.2.2", ""), ("failed", "5.1.1", "<other@example.org>")],
)
def test_a_delay_or_somebody_elses_bounce_changes_nothing(
    lane: MailLane, action: str, status: str, of: str
) -> None:
    lane.desk.given(cap=1, confirmed=["bob"])
    before = lane.served.dump()
    of = of or lane.answer("bob")["Message-ID"]

    lane.takes(a_bounce(of, action=action, status=status), sender="", to=DESK)

    assert bounced(lane, "bob") == ""
    assert [line for line in lane.served.dump() if "fd_mail" not in line] == [
        line for line in before if "fd_mail" not in line
    ]


def test_mail_for_nobody_is_refused_before_it_is_sent(lane: MailLane) -> None:
    lane.desk.given(cap=1)
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        lane.takes(a_mail(), to=f"nobody@{DOMAIN}")
    assert lane.kept == []
