"""Requests in Slack: shown with the words that were read, and settled there with a button."""

import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from frontdesk.connect.mail_headers import Envelope
from frontdesk.core.decision import Accepted
from frontdesk.core.people import StopNumber
from frontdesk.desks.admin.commands import Erase
from frontdesk.desks.waitlist.commands import DiscardProposal, TakeBackSlot
from frontdesk.desks.waitlist.model import Lane, Wish
from frontdesk.desks.waitlist.slack import news
from frontdesk.engine.clock import VirtualClock
from frontdesk.errors import BadSettings
from frontdesk.features.proposals.model import Proposal, ProposalStatus
from frontdesk.features.slack.news import PostToSlack
from frontdesk.intake.mail import MailIn
from frontdesk.settings import Settings
from frontdesk.values import replace
from frontdesk.wiring.one_machine import build
from tests.support.salon import HOUR, MINUTE, TODAY, WISH, Salon, salon
from tests.support.slack import CHANNEL, SlackRoom, payload, press, slack

LIST = "waitlist@frontdesk.example"
REQUEST = """Hello,

could I have a cut with Mia between 18 and 20 November? You can reach me on +65 9123 4567.

Ann Lee
"""
NO_DATES = "Hi, please put me on the list for a cut.\n\nAnn Lee"


@pytest.fixture
def room() -> Iterator[SlackRoom]:
    with slack() as one:
        yield one


@pytest.fixture
def shop(tmp_path: Path, room: SlackRoom) -> Iterator[Salon]:
    with salon(tmp_path, **room.settings) as one:
        yield one


def asks(shop: Salon, text: str = REQUEST, *, name: str = "Ann Lee") -> Proposal:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = f'"{name}" <ann@example.org>', LIST, "A cut"
    mail["Date"] = "Mon, 16 Nov 2026 09:00:00 +0800"
    mail["Message-ID"] = "<1@example.org>"
    mail.set_content(text)
    envelope = Envelope("ann@example.org", (LIST,), mail.as_bytes(), "127.0.0.1")
    MailIn(shop.product).take(envelope)
    shop.settle()
    [proposal] = shop.wl.proposals(ProposalStatus.OPEN, 10)
    return proposal


def status(shop: Salon, proposal: Proposal) -> str:
    found = shop.wl.proposal(proposal.id)
    assert found is not None
    return found.status


def words(message: Any) -> list[str]:
    [section] = [each for each in message["blocks"] if each["type"] == "section"]
    return [each["text"] for each in section.get("fields", ())]


# --- posts ------------------------------------------------------------------------------------


@pytest.mark.spec("WL-03")
@pytest.mark.spec("FD-16")
def test_a_request_is_shown_with_how_sure_we_are_of_each_part_and_three_buttons(
    shop: Salon, room: SlackRoom
) -> None:
    proposal = asks(shop)

    assert room.texts == ["Ann Lee asks for a place on the waitlist."]
    assert words(room.last) == [
        "Name\nAnn Lee (Certain)",
        "Mobile\n+65 9123 4567 (Certain)",
        "E-mail\nann@example.org (Certain)",
        "Service\nCut (Certain)",
        "Party\nNot in the text",
        "Earliest\n18 Nov 2026 (Certain)",
        "Latest\n20 Nov 2026 (Certain)",
        "Staff\nMia (Certain)",
    ]
    [*_, actions] = room.last["blocks"]
    edit = f"{shop.visitor.base_url}/console/waitlist/requests/{proposal.id}"
    assert [
        (each["text"]["text"], each["action_id"], each.get("value"), each.get("url"))
        for each in actions["elements"]
    ] == [
        ("Approve", "wl.approve", proposal.id, None),
        ("Edit", "wl.edit", None, edit),
        ("Discard", "wl.discard", proposal.id, None),
    ]


@pytest.mark.spec("FD-29")
def test_text_from_strangers_contains_no_mentions_or_links(shop: Salon, room: SlackRoom) -> None:
    asks(shop, "A cut please.\n\n<!channel> <https://evil.example|Mia>", name="<!channel> & co")

    assert "<" not in room.last["text"]
    texts = [each for block in room.last["blocks"] for each in block.get("fields", ())]
    assert {each["type"] for each in texts} == {"plain_text"}


# --- buttons ----------------------------------------------------------------------------------


@pytest.mark.spec("WL-03")
def test_approve_puts_them_on_the_list_and_the_message_says_who_did_it(
    shop: Salon, room: SlackRoom
) -> None:
    proposal = asks(shop)

    assert press(shop, payload("wl.approve", proposal.id)).status == 200
    shop.settle()

    [entry] = shop.wl.entries()
    wish = Wish("Cut", 1, TODAY.replace(day=18), TODAY.replace(day=20), "Mia")
    assert (entry.wish, entry.lane, entry.joined_at) == (wish, Lane.INBOX, proposal.received_at)
    assert room.texts == ["*Ann Lee* is on the waitlist. <@U01MIA> approved the request."]
    assert "9123" not in json.dumps(room.last), "what is settled is in the console"
    assert room.whispers == []
    assert [each.by for each in shop.wl.facts(proposal.id)][-1] == "slack:U01MIA"


@pytest.mark.spec("WL-03")
def test_a_request_without_dates_is_not_approved_but_leads_to_the_form(
    shop: Salon, room: SlackRoom
) -> None:
    proposal = asks(shop, NO_DATES)

    assert press(shop, payload("wl.approve", proposal.id)).status == 200

    url = f"{shop.visitor.base_url}/console/waitlist/requests/{proposal.id}"
    says = (
        "They are not on the list yet. Please give the first day that suits them."
        f" Please give the last day that suits them. <{url}|Put it right in the console>."
    )
    assert room.whispers == [("U01MIA", says)]
    assert status(shop, proposal) == "open"
    assert shop.wl.entries() == []


@pytest.mark.spec("WL-03")
def test_discard_discards_and_the_message_says_who_did_it(shop: Salon, room: SlackRoom) -> None:
    proposal = asks(shop)

    press(shop, payload("wl.discard", proposal.id))
    shop.settle()

    assert status(shop, proposal) == "discarded"
    assert room.texts == ["*Ann Lee*: <@U01MIA> discarded the request."]


@pytest.mark.spec("FD-03")
def test_of_two_simultaneous_presses_one_acts_and_the_other_sees_the_outcome(
    shop: Salon, room: SlackRoom
) -> None:
    proposal = asks(shop)
    bodies = [payload("wl.approve", proposal.id, user) for user in ("U01MIA", "U02JO")]

    with ThreadPoolExecutor(2) as both:
        answers = list(both.map(lambda body: press(shop, body).status, bodies))
    shop.settle()

    assert answers == [200, 200]
    assert len(shop.wl.entries()) == 1
    first = shop.wl.facts(proposal.id)[-1].by.removeprefix("slack:")
    [second] = {"U01MIA", "U02JO"} - {first}
    says = f"<@{first}> has approved it already: they are on the list. Nothing was changed."
    assert room.whispers == [(second, says)]


def test_a_request_settled_in_the_console_is_settled_in_the_channel(
    shop: Salon, room: SlackRoom
) -> None:
    proposal = asks(shop)

    shop.run(DiscardProposal(proposal.id), by="cli")
    shop.settle()
    press(shop, payload("wl.approve", proposal.id))

    assert room.texts == ["*Ann Lee*: Somebody discarded the request."]
    assert room.whispers == [("U01MIA", "Somebody has discarded it already. Nothing was changed.")]
    assert shop.wl.entries() == []


@pytest.mark.spec("FD-20")
@pytest.mark.parametrize("approved", [False, True])
def test_erasing_a_person_removes_them_from_the_channel(
    shop: Salon, room: SlackRoom, approved: bool
) -> None:
    shop.joins("Ann", wish=replace(WISH, service="Table"))
    proposal = asks(shop)
    if approved:
        press(shop, payload("wl.approve", proposal.id))
        shop.settle()

    shop.run(Erase(shop.wl.entries()[0].person_id))
    shop.settle()

    says = "This was about somebody who has asked to be forgotten."
    assert (room.texts, shop.wl.proposal(proposal.id)) == ([says], None)
    assert "Ann" not in json.dumps(room.last)


@pytest.mark.spec("FD-20")
def test_a_person_erased_while_slack_is_down_is_not_shown_afterwards(
    shop: Salon, room: SlackRoom
) -> None:
    shop.joins("Ann", wish=replace(WISH, service="Table"))
    room.lose = "chat.postMessage"
    asks(shop)
    shop.run(Erase(shop.wl.entries()[0].person_id))
    room.lose = ""
    shop.later(10 * MINUTE)

    assert room.texts == ["This was about somebody who has asked to be forgotten."]


def test_a_message_that_somebody_has_deleted_holds_nothing_up(shop: Salon, room: SlackRoom) -> None:
    proposal = asks(shop)
    room.messages.clear()

    press(shop, payload("wl.discard", proposal.id))
    shop.settle()

    assert status(shop, proposal) == "discarded"


# --- access -----------------------------------------------------------------------------------


@pytest.mark.spec("FD-28")
def test_an_unsigned_or_old_request_from_slack_changes_nothing(
    shop: Salon, room: SlackRoom
) -> None:
    proposal = asks(shop)
    body, now = payload("wl.approve", proposal.id), shop.clock.now().timestamp()

    answers = [
        press(shop, body, secret="another").status,
        press(shop, body, at=now - 301).status,
        press(shop, body, at=now + 301).status,
        shop.visitor.send("POST", "/hooks/slack", body).status,
    ]

    assert answers == [401, 401, 401, 401]
    assert status(shop, proposal) == "open"


@pytest.mark.spec("FD-28")
def test_a_request_that_was_here_before_is_refused(shop: Salon, room: SlackRoom) -> None:
    proposal = asks(shop, NO_DATES)
    body = payload("wl.approve", proposal.id)

    assert [press(shop, body).status for _ in range(3)] == [200, 409, 409]
    assert len(room.whispers) == 1


def test_a_press_in_another_channel_changes_nothing(shop: Salon, room: SlackRoom) -> None:
    proposal = asks(shop)

    assert press(shop, payload("wl.discard", proposal.id, channel="C9999999999")).status == 200
    assert status(shop, proposal) == "open"


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("nonsense", 422),
        ("[]", 422),
        ("[" * 5_000, 422),
        ("{}", 200),
        ('{"type":"view_submission"}', 200),
        ('{"type":"block_actions","actions":[]}', 200),
        ('{"type":"block_actions","actions":[{"action_id":"wl.edit"}]}', 200),
        ('{"type":"block_actions","actions":[{"action_id":"wl.approve","value":7}]}', 422),
        ('{"type":"block_actions","actions":[{"action_id":["wl.approve"]}]}', 200),
    ],
)
def test_any_other_request_gets_a_clear_answer(shop: Salon, said: str, answer: int) -> None:
    assert press(shop, urlencode({"payload": said}).encode()).status == answer


def test_a_body_that_is_no_form_or_too_much_gets_a_clear_answer(shop: Salon) -> None:
    assert press(shop, b"\xff\xfe").status == 422
    assert press(shop, b"payload=" + b"x" * 200_000).status == 413


@pytest.mark.spec("FD-29")
def test_the_address_that_slack_sends_along_is_never_called(shop: Salon, room: SlackRoom) -> None:
    press(shop, payload("wl.approve", "nobody"))

    assert room.whispers == [("U01MIA", "This request is not there any more.")]
    assert room.asked == ["chat.postEphemeral"]


def test_without_slack_its_route_does_not_exist(tmp_path: Path) -> None:
    with salon(tmp_path) as shop:
        assert press(shop, payload("wl.approve", "x")).status == 404


def test_a_process_that_only_commits_does_not_load_the_slack_client() -> None:
    heavy = ("starlette", "frontdesk.channels.slack.client", "frontdesk.features.slack.posts")
    code = (
        "import sys, frontdesk.desks.waitlist.slack.news, frontdesk.wiring.waitlist.slack;"
        f"print([each for each in {heavy} if each in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert loaded.stdout == b"[]\n"


def test_half_of_the_settings_is_not_enough(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="go together"):
        build(Settings(data_dir=tmp_path, slack_channel=CHANNEL))


# --- Slack fails ------------------------------------------------------------------------------


@pytest.mark.spec("FD-02")
@pytest.mark.parametrize("fault", [{"error": "fatal_error"}, {"status": 429}, {"status": 307}])
def test_a_failed_post_to_slack_is_retried(
    shop: Salon, room: SlackRoom, fault: dict[str, Any]
) -> None:
    for name, value in fault.items():
        setattr(room, name, value)
    proposal = asks(shop)
    assert room.messages == {}

    room.error, room.status = "", 200
    shop.later(MINUTE)

    assert room.texts == ["Ann Lee asks for a place on the waitlist."]
    assert status(shop, proposal) == "open"


@pytest.mark.spec("FD-02")
def test_posts_left_by_a_stopped_process_are_posted_after_the_next_start(
    tmp_path: Path, room: SlackRoom
) -> None:
    room.status = 503
    with salon(tmp_path, **room.settings) as shop:
        asks(shop)
        now = shop.clock.now()
    assert room.messages == {}

    room.status = 200
    for _ in range(2):
        product = build(Settings(data_dir=tmp_path, **room.settings), clock=VirtualClock(now))
        product.runtime.settle(now)
        product.close()

    assert room.texts == ["Ann Lee asks for a place on the waitlist."]


@pytest.mark.spec("FD-07")
def test_a_post_that_slack_always_refuses_is_a_dead_letter_without_our_token(
    tmp_path: Path, room: SlackRoom
) -> None:
    room.error = "invalid_auth"
    seen = []

    def fails_and_is_replayed() -> None:
        with salon(tmp_path, **room.settings) as shop:
            asks(shop)
            shop.later(MINUTE)
            [letter] = shop.product.engine.reads().engine.dead_letters(10)
            seen.append((letter.what, letter.why))
            room.error = ""
            shop.product.replay(letter.id, "member:test")

    with pytest.raises(AssertionError):
        fails_and_is_replayed()

    assert seen == [("job", "SlackFailed: conversations.history: invalid_auth")]
    assert room.texts == ["Ann Lee asks for a place on the waitlist."]


@pytest.mark.spec("FD-02")
@pytest.mark.parametrize("status", [503, 429])
def test_an_outage_of_some_minutes_is_waited_out(shop: Salon, room: SlackRoom, status: int) -> None:
    room.status = status
    asks(shop)
    shop.later(15 * MINUTE)

    assert (room.messages, shop.product.engine.reads().engine.dead_letters(10)) == ({}, [])
    room.status = 200
    shop.later(5 * MINUTE)

    assert room.texts == ["Ann Lee asks for a place on the waitlist."]


def test_during_an_outage_one_call_is_made_for_all_waiting_posts(
    shop: Salon, room: SlackRoom
) -> None:
    room.status = 503
    sayings = [PostToSlack("wl", news.REQUEST, each) for each in ("1", "2", "3")]
    for each in sayings:
        shop.product.engine.run(each, by="test", now=shop.clock.now())
    shop.settle()
    assert room.refused == 1

    room.status = 200
    shop.later(MINUTE)
    engine = shop.product.engine.reads().engine
    said = [job for each in sayings if (job := engine.job(each.job_id))]
    assert [job.finished for job in said] == [True, True, True]


@pytest.mark.spec("FD-07")
def test_an_outage_that_does_not_end_is_shown_to_staff(tmp_path: Path, room: SlackRoom) -> None:
    room.status = 503
    seen: list[tuple[str, str]] = []

    def waits() -> None:
        with salon(tmp_path, **room.settings) as shop:
            asks(shop)
            shop.later(30 * MINUTE)
            letters = shop.product.engine.reads().engine.dead_letters(10)
            seen.extend((each.what, each.why) for each in letters)

    with pytest.raises(AssertionError):
        waits()

    assert seen == [("job", "SlackUnavailable: Slack answers with 503")]


@pytest.mark.spec("FD-03")
def test_a_message_whose_answer_was_lost_is_found_and_not_said_again(
    shop: Salon, room: SlackRoom
) -> None:
    room.lose = "chat.postMessage"
    proposal = asks(shop)
    room.lose = ""
    shop.later(MINUTE)

    assert room.texts == ["Ann Lee asks for a place on the waitlist."]
    press(shop, payload("wl.discard", proposal.id))
    shop.settle()
    assert room.texts == ["*Ann Lee*: <@U01MIA> discarded the request."]


@pytest.mark.spec("FD-03")
def test_a_request_whose_post_got_no_answer_is_still_settled_in_the_channel(
    shop: Salon, room: SlackRoom
) -> None:
    room.lose = "chat.postMessage"
    proposal = asks(shop)
    shop.run(DiscardProposal(proposal.id), by="cli")
    room.lose = ""
    shop.later(MINUTE)

    assert room.texts == ["*Ann Lee*: Somebody discarded the request."]


@pytest.mark.spec("FD-03")
def test_without_read_access_a_second_message_may_appear_and_its_buttons_act_once(
    shop: Salon, room: SlackRoom
) -> None:
    room.lose, room.may_look = "chat.postMessage", False
    proposal = asks(shop)
    room.lose = ""
    shop.later(MINUTE)
    assert len(room.messages) == 2

    press(shop, payload("wl.approve", proposal.id, "U01MIA"))
    press(shop, payload("wl.approve", proposal.id, "U02JO"))
    shop.settle()

    assert len(shop.wl.entries()) == 1


@pytest.mark.spec("FD-01")
@pytest.mark.parametrize(("later", "told"), [(HOUR, 1), (48 * HOUR, 0)])
def test_slack_that_is_set_up_later_is_told_of_today_and_no_old_news(
    tmp_path: Path, room: SlackRoom, later: timedelta, told: int
) -> None:
    with salon(tmp_path) as shop:
        asks(shop)
        now = shop.clock.now()

    product = build(Settings(data_dir=tmp_path, **room.settings), clock=VirtualClock(now + later))
    product.runtime.settle(now + later)
    product.close()

    assert room.texts == ["Ann Lee asks for a place on the waitlist."] * told


# --- slots ------------------------------------------------------------------------------------


def test_a_slot_that_nobody_takes_is_posted(shop: Salon, room: SlackRoom) -> None:
    shop.joins("Bob")
    slot = shop.frees()
    shop.later(HOUR)

    says = (
        "*Cut with Mia, Monday 16 November, 15:00 (SGT)* is handed back to you."
        " It was offered to 1 person, and nobody else on the list suits it."
    )
    assert room.texts == [says]
    url = f"{shop.visitor.base_url}/console/waitlist/slots/{slot.id}"
    assert room.last["blocks"][0]["text"]["text"].endswith(f"<{url}|See the slot>")


def test_an_unreachable_person_is_posted(shop: Salon, room: SlackRoom) -> None:
    number = "+6591234567"
    shop.joins("Bob <b>", email="", mobile=number)
    stop = Accepted((StopNumber(number),))
    shop.product.store.commit(stop, by="test", at=shop.clock.now())
    shop.frees()

    says = (
        "*Cut with Mia, Monday 16 November, 15:00 (SGT)* could not be offered to"
        " Bob &lt;b&gt;: no message arrives."
    )
    assert says in room.texts


def test_a_slot_that_staff_take_back_is_no_news(shop: Salon, room: SlackRoom) -> None:
    shop.joins("Bob")
    slot = shop.frees()
    shop.run(TakeBackSlot(slot.id))
    shop.settle()

    assert room.messages == {}
