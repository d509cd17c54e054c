"""Journeys of guests and hosts on the deployed application."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from frontdesk.cli import main
from frontdesk.core.people import PersonId
from frontdesk.desks.rsvp.commands import SignUp
from frontdesk.desks.rsvp.model import GuestId, Lane, State
from frontdesk.store.dynamodb.schema import FD_SENDS
from tests.aws.stack import DOMAIN, AwsDesk, Stack, bounce, host
from tests.journeys.test_mail_lane import a_bounce
from tests.support.emulator import REGION

pytestmark = pytest.mark.needs("ministack")

IN = "You're in: Pottery workshop"
FIRST = "You're first in line: Pottery workshop"
OFFER = "A seat for you: Pottery workshop"
CANCELLED = "You've cancelled: Pottery workshop"
PASSED_ON = "Your offer has ended: Pottery workshop"


@pytest.mark.spec("FD-18", "EV-04", "EV-05", "EV-14")
def test_the_last_seat_is_taken_and_the_next_guest_waits(desk: AwsDesk) -> None:
    desk.given(cap=1)

    ann, bob = desk.signs_up("ann"), desk.signs_up("bob")

    assert (ann.heading, bob.heading) == ("You're in.", "You're first in line.")
    assert (desk.wait_for_mails("ann", 1), desk.wait_for_mails("bob", 1)) == ([IN], [FIRST])
    assert desk.states() == {"ann": State.CONFIRMED, "bob": State.WAITING}


@pytest.mark.spec("EV-18", "EV-20", "EV-21", "EV-22", "FD-18")
def test_a_seat_that_is_given_up_is_offered_and_claimed(desk: AwsDesk) -> None:
    desk.given(cap=1, reminders=("1d",))
    desk.signs_up("ann")
    desk.signs_up("bob")
    desk.wait_for_mails("ann", 1)

    desk.gives_up("ann")
    desk.wait_for_mails("bob", 2)
    desk.takes("bob")

    desk.wait_for_mails("bob", 3)
    desk.settle()
    assert desk.states() == {"ann": State.CANCELLED, "bob": State.CONFIRMED}
    assert (desk.subjects("ann"), desk.subjects("bob")) == ([IN, CANCELLED], [FIRST, OFFER, IN])
    assert desk.schedules() == desk.own_timers()


@pytest.mark.spec("EV-23", "FD-18")
def test_an_offer_lapses_by_its_schedule_and_rolls_on(desk: AwsDesk) -> None:
    desk.given(cap=1, claim_window=timedelta(seconds=3))
    for who in ("ann", "bob", "cat"):
        desk.signs_up(who)
    desk.wait_for_mails("ann", 1)

    desk.gives_up("ann")

    assert desk.wait_for_mails("bob", 3) == [FIRST, OFFER, PASSED_ON]
    assert desk.wait_for_mails("cat", 3)[1:] == [OFFER, PASSED_ON]


@pytest.mark.spec("EV-15", "EV-16", "FD-18")
def test_a_reminder_goes_out_by_its_schedule(desk: AwsDesk) -> None:
    gap = timedelta(minutes=10)  # as long ago as the sign-up
    desk.given(cap=1, starts_in=timedelta(days=1, seconds=20), reminders=("1d",), reminder_gap=gap)
    ids = (GuestId(desk.product.engine.new_id()), PersonId(desk.product.engine.new_id()))
    desk.run_long_ago(SignUp(desk.event_id, *ids, "Ann", desk.email("ann"), 1, Lane.FORM))

    assert desk.wait_for_mails("ann", 2) == [IN, "Pottery workshop is tomorrow"]


@pytest.mark.spec("EV-07", "EV-08", "FD-18")
def test_a_guest_signs_up_and_cancels_by_mail(desk: AwsDesk) -> None:
    desk.given(cap=1)

    desk.writes("ann", "Count me in!\n", 1)
    desk.wait_for_mails("ann", 1)
    desk.writes("ann", "Please cancel my seat.\n", 2)

    assert desk.wait_for_mails("ann", 2) == ["Re: Pottery?", "Re: Pottery?"]
    assert desk.guest_states() == {desk.email("ann"): State.CANCELLED}


@pytest.mark.spec("EV-07", "FD-18")
def test_a_guest_who_writes_again_is_told_their_state(desk: AwsDesk) -> None:
    desk.given(cap=2)

    desk.writes("ann", "Count me in!\n", 1)
    desk.wait_for_mails("ann", 1)
    desk.writes("ann", "Am I in?\n", 2)

    assert desk.wait_for_mails("ann", 2) == ["Re: Pottery?", "Re: Pottery?"]
    assert desk.guest_states() == {desk.email("ann"): State.CONFIRMED}


@pytest.mark.spec("EV-10", "EV-27", "FD-18", "FD-21")
def test_a_host_brings_a_list(desk: AwsDesk) -> None:
    desk.given(cap=2)
    visitor = host(desk.stack)
    event = f"{desk.stack.addresses['fd-console']}console/events/{desk.event_id}"
    people = [f"{who.title()}, {desk.email(who)}" for who in ("ann", "bob", "cat")]

    shown = visitor.get(f"{event}/import")
    preview = visitor.post(f"{event}/import", **shown.fields, pasted="\n".join(people))
    visitor.post(f"{event}/import/begin", **{**preview.fields, "how": "confirm"})

    assert desk.wait_for_mails("cat", 1) == [FIRST]
    assert desk.wait_for_mails("bob", 1) == [IN]
    desk.settle()
    assert desk.guest_states() == {
        desk.email("ann"): State.CONFIRMED,
        desk.email("bob"): State.CONFIRMED,
        desk.email("cat"): State.WAITING,
    }
    page = visitor.get(event)
    assert "2 of 2" in page.says


@pytest.mark.spec("FD-15", "FD-18")
def test_a_mail_that_came_back_is_shown_and_stops_further_mail(desk: AwsDesk, stack: Stack) -> None:
    desk.given(cap=1)
    desk.signs_up("ann")
    desk.wait_for_mails("ann", 1)
    desk.settle()

    report = bounce(desk.email("ann"), only_send_to(desk, "ann"))
    stack.publish("ev-mail-feedback", report)

    stack.until("the address is marked", lambda: desk.person("ann").bounced)
    desk.gives_up("ann")
    desk.settle()
    assert desk.subjects("ann") == [IN]


@pytest.mark.spec("FD-15", "FD-18")
def test_a_mail_that_came_back_by_mail_is_shown(desk: AwsDesk, stack: Stack) -> None:
    desk.given(cap=1)
    desk.signs_up("ann")
    desk.wait_for_mails("ann", 1)
    desk.settle()

    report = a_bounce(of=f"<{only_send_to(desk, 'ann')}@{DOMAIN}>")
    stack.mail_comes_in(f"{desk.slug}-bounce", report)

    stack.until("the address is marked", lambda: desk.person("ann").bounced)


def only_send_to(desk: AwsDesk, who: str) -> str:
    person = desk.person(who).id
    [send] = [row for row in desk.stack.rows(FD_SENDS) if row["person_id"]["S"] == person]
    return str(send["send_id"]["S"])


@pytest.mark.spec("FD-25", "FD-18")
def test_an_operator_looks_after_the_deployment_from_the_command_line(
    desk: AwsDesk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in {
        "AWS_ENDPOINT_URL": desk.stack.emulator.url,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
    }.items():
        monkeypatch.setenv(name, value)

    def says(*command: str) -> str:
        assert main([*command, "--aws"]) == 0, capsys.readouterr()
        return capsys.readouterr().out

    desk.given(cap=1)
    desk.signs_up("ann")
    desk.wait_for_mails("ann", 1)
    desk.settle()
    [confirmed] = desk.facts("ev.confirmed")
    store = desk.product.store
    store.add_dead_letter("fact", f"ev.tell/{confirmed.seq}", "no", at=desk.clock.now(), cause=None)
    [letter] = [
        each.id
        for each in desk.product.engine.reads().engine.dead_letters(100)
        if each.ref.endswith(str(confirmed.seq))
    ]

    replayed = json.loads(says("replay", str(letter), "--json"))
    desk.settle()

    assert replayed == {str(letter): "It was tried again, and it worked."}
    assert desk.subjects("ann") == [IN]
    listed = json.loads(says("export", desk.event.slug, "--format", "json"))
    assert [(row["email"], row["state"]) for row in listed] == [(desk.email("ann"), "confirmed")]
    assert "Ann" in says("story", desk.event.slug)
    main(["rebuild", "--json", "--aws"])  # events of other tests may be in the middle of a change
    rebuilt = json.loads(capsys.readouterr().out)
    [here] = [each for each in rebuilt["events"] if each["event"] == desk.event.slug]
    assert here == {"event": desk.event.slug, "guests": 1, "differences": []}
