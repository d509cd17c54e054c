"""A language model in the whole product on one machine: chosen by settings, and its answers
checked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from frontdesk.connect.models.bedrock import BedrockModel
from frontdesk.connect.models.openai import OpenAiModel
from frontdesk.desks.rsvp.guest_questions import NO_MODEL
from frontdesk.desks.waitlist.commands import ClaimOffer
from frontdesk.errors import BadSettings
from frontdesk.settings import Settings, load
from frontdesk.values import replace
from frontdesk.wiring.model import HAIKU, model_of, of_this_machine
from tests.desks.rsvp.console_desk import console_desk
from tests.desks.waitlist.console.counter import owner
from tests.support.models import (
    KEY,
    MODEL,
    WRONG_KEY,
    Answer,
    ModelServer,
    completion,
    openai_server,
)
from tests.support.salon import HOUR, MINUTE, OPENING, Salon, salon

OURS = "In November 2026 the list filled 1 of 2 slots that came free. It took 3 minutes on average."


@pytest.fixture
def served() -> Iterator[ModelServer]:
    with openai_server() as found:
        found.answers = [(200, completion("Nothing."))]
        yield found


def at(served: ModelServer) -> dict[str, Any]:
    return {
        "model_by": "openai",
        "model_url": served.url,
        "model_name": MODEL,
        "model_key": KEY,
    }


def a_month(one: Salon) -> str:
    """Plays a month in which one of two slots is filled; returns the owner's summary."""
    one.with_staff("mia@example.org")
    one.joins("Ann")
    slot = one.frees()
    one.later(3 * MINUTE)
    one.run(ClaimOffer(slot.id, one.current(slot).seq))
    one.frees("test:2", replace(OPENING, starts_at=OPENING.starts_at + 2 * HOUR))
    one.later(timedelta(days=25))
    [mail] = [
        each for each in one.messages("mia@example.org") if "November 2026" in each["subject"]
    ]
    return str(mail["text"])


TRUE = [
    "In November 2026 the list filled 1 slot out of the 2 that came free. It recovered S$45.00.",
    "Last month 2 slots came free, 1 was filled, on average in 3 minutes. It recovered S$45.",
]


@pytest.mark.spec("WL-25")
@pytest.mark.parametrize("said", TRUE)
def test_the_month_is_told_in_a_models_words(
    tmp_path: Path, served: ModelServer, said: str
) -> None:
    served.answers = [(200, completion(said))]
    with salon(tmp_path, **at(served)) as one:
        mail = a_month(one)

    assert said.replace("\n", " ") in mail
    assert OURS not in mail
    [asked] = served.asked
    assert asked["messages"][1]["content"] == (
        "Month: November 2026\nCame free: 2\nFilled: 1\nOffers made: 1\n"
        "Time to fill, on average: 3 minutes\nRecovered: S$45.00"
    )


LIES = [
    "In November 2026 the list filled 2 slots of the 2 that came free. It recovered S$45.00.",
    "In November 2026, 1 slot came free and 2 were filled, which recovered S$45.00.",
    "In November 2026 the list filled 1 of 2 slots that came free. It recovered S$450.00.",
    "In November 2026 the list filled 1 of 2 slots that came free. It recovered €45.00.",
    "The list filled 1 of 2 slots that came free.",
    "The list filled 2 of 1 slots that came free. It recovered S$45.00.",
    "In October 2026 the list filled 1 of 2 slots that came free. It recovered S$45.00.",
    "The list filled 1 of 2 slots that came free, 50 % of them. It recovered S$45.00.",
    "The list filled 1 of 2 slots that came free, half of them. It recovered S$45.00.",
    "The list filled 1 of 2 slots that came free. It recovered S$45.00. Jo did well.",
    "The list filled 1 of 2 slots that came free. It recovered S$45.00, more than in spring.",
    "The list filled 1 of 2 slots that came free within 5 minutes on average. Revenue: S$45.00.",
]


@pytest.mark.spec("WL-25")
@pytest.mark.parametrize("said", LIES)
def test_a_month_that_a_model_tells_wrongly_is_told_in_our_words(
    tmp_path: Path, served: ModelServer, said: str
) -> None:
    served.answers = [(200, completion(said))]
    with salon(tmp_path, **at(served)) as one:
        mail = a_month(one)

    assert OURS in mail
    assert said not in mail


@pytest.mark.spec("WL-25")
def test_without_a_model_the_month_is_told_in_our_words(tmp_path: Path) -> None:
    with salon(tmp_path) as one:
        assert OURS in a_month(one)


@pytest.mark.spec("WL-25", "FD-30")
def test_a_denied_model_reaches_staff_by_one_mail_and_health(
    tmp_path: Path, served: ModelServer
) -> None:
    served.answers = [(401, WRONG_KEY)]
    with salon(tmp_path, **at(served)) as one:
        assert OURS in a_month(one)
        one.later(timedelta(days=35))

        what = "The language model cannot be used."
        mails = [each for each in one.messages("mia@example.org") if each["subject"] == what]
        assert len(mails) == 1
        assert "the model: 401 invalid_api_key" in mails[0]["text"]
        assert KEY not in mails[0]["text"] + mails[0]["html"]
        assert one.product.health().alarms == (what,)

        host, page = owner(one), "/console/problems"
        action = f"{page}/troubles/model/try"
        assert host.submit(page, action).flash == "It was tried again, and failed again."
        assert what in host.get(page).says
        served.answers = [(200, completion("Hello."))]
        assert host.submit(page, action).flash == "It works again."
        assert "No problems" in host.get(page).says
        assert one.product.health().alarms == ()
        assert host.act(page, f"{page}/troubles/rules/try").status == 404
        assert host.act(page, f"{page}/troubles/moon/try").status == 404


@pytest.mark.spec("FD-19")
def test_bedrock_on_one_machine_needs_a_region_and_waits_no_longer_than_it_may(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings = Settings(model_by="bedrock")
    for name in ("AWS_DEFAULT_REGION", "AWS_REGION", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    with pytest.raises(BadSettings, match="model_by = bedrock needs a region of AWS"):
        of_this_machine(settings)

    monkeypatch.setenv("AWS_DEFAULT_REGION", "ap-southeast-1")
    made = vars(of_this_machine(settings))

    assert made["_client"].meta.config.read_timeout == 40
    assert made["_quick"].meta.config.read_timeout == 8


# --- the choice of a model --------------------------------------------------------------------


class _Client:
    """A client that these tests never call."""


def chosen(usual: str = "", **settings: str) -> object:
    return model_of(Settings(**settings), lambda _quick: _Client(), usual)  # type: ignore[arg-type]


@pytest.mark.spec("FD-19")
def test_a_model_is_chosen_by_settings_in_both_homes() -> None:
    address = {"model_url": "https://models.example/v1", "model_name": "m"}

    assert chosen() is None
    assert chosen("usual", model_by="none") is None
    assert isinstance(chosen("usual"), BedrockModel)
    assert isinstance(chosen(model_by="bedrock"), BedrockModel)
    assert isinstance(chosen("usual", model_by="openai", **address), OpenAiModel)
    assert vars(chosen(model_by="bedrock"))["_model"] == HAIKU
    assert vars(chosen(HAIKU, model_by="bedrock", model_name="m"))["_model"] == "m"


@pytest.mark.spec("FD-19")
@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"model_name": "m"}, "model_by = openai needs model_url and model_name."),
        ({"model_url": "https://models.example/v1"}, "needs model_url and model_name"),
        (
            {"model_url": "http://models.example/v1", "model_name": "m", "model_key": KEY},
            "model_url should begin with https://, or model_key could be read.",
        ),
    ],
)
def test_an_incomplete_setting_is_named_without_its_key(wrong: dict[str, str], says: str) -> None:
    with pytest.raises(BadSettings, match=says) as bad:
        chosen(model_by="openai", **wrong)

    assert KEY not in str(bad.value)


@pytest.mark.spec("FD-19")
def test_settings_about_models_are_checked(tmp_path: Path) -> None:
    for name, value in (("MODEL_BY", "parrot"), ("MODEL_URL", "models.example")):
        with pytest.raises(BadSettings, match=f"FRONTDESK_{name} should be"):
            load({f"FRONTDESK_{name}": value}, data_dir=tmp_path)


# --- questions --------------------------------------------------------------------------------


@pytest.mark.spec("EV-29")
def test_a_question_that_rules_do_not_understand_is_answered_with_a_model(
    tmp_path: Path, served: ModelServer
) -> None:
    served.answers = [_assistant("Good news: of the 3 seats, 2 are still free.")]
    with console_desk(tmp_path, **at(served)) as con:
        con.desk.given(cap=3, confirmed=["ann"])
        host = con.owner()
        before = con.dump()
        page = host.get(f"{con.url}?ask=wie+viele+noch")

        assert "Good news: of the 3 seats, 2 are still free." in page.says
        assert "Ann" not in json.dumps(served.asked)
        served.answers = [_assistant("Good news: of the 3 seats, 3 are still free.")]
        assert "2 seats of 3 are free." in host.get(f"{con.url}?ask=wie+viele+noch").says
        assert con.dump() == before


@pytest.mark.spec("EV-29", "FD-09")
def test_a_denied_model_leaves_the_common_questions_and_changes_nothing(
    tmp_path: Path, served: ModelServer, capsys: pytest.CaptureFixture[str]
) -> None:
    served.answers = [(401, WRONG_KEY)]
    with console_desk(tmp_path, **at(served)) as con:
        con.desk.given(cap=3, confirmed=["ann"])
        host = con.owner()
        before = con.dump()
        page = host.get(f"{con.url}?ask=how+many+seats+are+open")

        assert "2 seats of 3 are free." in page.says
        assert NO_MODEL in page.says
        assert con.dump() == before
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    [failed] = [line for line in lines if line["event"] == "model.failed"]
    assert (failed["task"], failed["denied"]) == ("question", True)
    assert KEY not in json.dumps(lines) + page.text


def _assistant(said: str) -> Any:
    """Answers every question with the query for free seats, and then with this sentence."""
    choice = json.dumps({"query": "free", "person": "", "span": "", "names": False})

    def answer(asked: Any) -> Answer:
        return 200, completion(choice if "response_format" in asked else said)

    return answer
