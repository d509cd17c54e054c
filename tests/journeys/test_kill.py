"""A server killed at any instant keeps acknowledged requests and sends each message once."""

import http.client
import random
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.support.machine import Machine, machine, until
from tests.support.server_kills import KillingSink

CLIENTS = 6
PATIENCE_SECONDS = 120.0


@dataclass
class Crowd:
    """Lets people sign up and retry until they get an answer; `told` has the answers."""

    one: Machine
    people: int
    told: dict[str, str] = field(default_factory=dict)
    asked: int = 0
    answered: threading.Event = field(default_factory=threading.Event)

    def sign_up(self, number: int) -> None:
        email = f"guest{number}@example.org"
        give_up_at = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < give_up_at:
            try:
                self.asked += 1
                status, answer = self.one.post(
                    "/api/events/supper/guests",
                    {"name": f"Guest {number}", "email": email},
                    {"idempotency-key": f"key{number}", "x-forwarded-for": f"198.51.100.{number}"},
                )
            except (OSError, http.client.HTTPException):
                time.sleep(0.02)  # the server is down: try again
                continue
            assert status == 200, answer
            self.told[email] = answer["state"]
            self.answered.set()
            return
        raise AssertionError(f"{email} was never answered")

    def all_sign_up(self, kills: int, strike: Callable[[], None]) -> None:
        """Calls `strike` before each kill; it returns when the server is to be killed."""
        with ThreadPoolExecutor(CLIENTS) as pool:
            asking = [pool.submit(self.sign_up, number) for number in range(self.people)]
            for _ in range(kills):
                strike()
                self.one.kill()
                self.one.start(may_end=True)
            for each in asking:
                each.result()

    def wait_for_answers(self, more: int) -> None:
        enough = min(len(self.told) + more, self.people)
        until(lambda: len(self.told) >= enough, PATIENCE_SECONDS)


def states(one: Machine) -> dict[str, str]:
    found = one.rows("SELECT p.email, g.state FROM ev_guest g JOIN fd_person p USING (person_id)")
    return {email: {"waiting": "waitlisted"}.get(state, state) for email, state in found}


@pytest.mark.spec("FD-02")
@pytest.mark.spec("FD-03")
@pytest.mark.spec("EV-04")
def test_everybody_who_was_answered_is_on_the_list_as_told_and_has_the_mail(
    tmp_path: Path,
) -> None:
    with machine(tmp_path, behind_proxy="yes") as one:
        crowd = Crowd(one.with_event("supper", seats=40).start(), people=90)

        chance = random.Random(7)
        crowd.all_sign_up(kills=3, strike=lambda: crowd.wait_for_answers(chance.randint(1, 15)))

        until(one.is_settled, PATIENCE_SECONDS)
        assert states(one) == crowd.told
        counted = sorted(crowd.told.values())
        assert counted == ["confirmed"] * 40 + ["waitlisted"] * 50
        assert one.data("doctor")["problems"] == []
        assert one.data("rebuild")["same"] is True
        mails = sent(one)
        assert sorted(email for email, _ in mails) == sorted(crowd.told)
        assert len({message_id for _, message_id in mails}) == len(mails)


@pytest.mark.spec("FD-02")
@pytest.mark.spec("FD-04")
def test_mail_that_may_have_gone_out_is_repeated_with_the_same_message_id(tmp_path: Path) -> None:
    with (
        KillingSink() as sink,
        machine(
            tmp_path,
            behind_proxy="yes",
            channel="smtp",
            smtp_host=sink.host,
            smtp_port=str(sink.port),
            smtp_tls="none",
        ) as one,
    ):
        sink.one, sink.kill_at = one.with_event("supper", seats=20).start(), (5, 17)
        crowd = Crowd(one, people=40)

        crowd.all_sign_up(kills=2, strike=lambda: until(one.has_ended, PATIENCE_SECONDS))

        until(one.is_settled, PATIENCE_SECONDS)
        assert states(one) == crowd.told
        assert one.data("doctor")["problems"] == []
        ids: dict[str, list[str]] = defaultdict(list)
        for mail in sink.received:
            ids[mail.rcpt_to[0]].append(str(mail.message["message-id"]))
        assert max(map(len, ids.values())) > 1
        assert {email: set(each) for email, each in ids.items()} == {
            email: {message_id} for email, message_id in sent(one)
        }
        assert set(ids) == set(crowd.told)


def sent(one: Machine) -> list[tuple[str, str]]:
    return one.rows("SELECT to_email, message_id FROM fd_message")
