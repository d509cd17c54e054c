"""A model and embeddings in the whole product on one machine: settings choose them, and they are
seldom called."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from frontdesk.connect.embeddings.openai import OpenAiEmbedder
from frontdesk.connect.embeddings.titan import TitanEmbedder
from frontdesk.desks.booking.commands import SetDirectLane
from frontdesk.desks.booking.lanes import DirectLane, value_of
from frontdesk.desks.booking.model import RequestStatus
from frontdesk.errors import BadSettings
from frontdesk.settings import Settings, load
from frontdesk.wiring.embeddings import nearest_on_this_machine
from tests.desks.booking.pages.shop import at, shop_at
from tests.journeys.test_booking_mail import ASKS, OWNER, Salon
from tests.support.embeddings import meaning
from tests.support.mail import VOUCHED, mail_lane
from tests.support.models import KEY, MODEL, ModelServer, completion, openai_server

FRINGE = "Hello,\n\nmy fringe is in my eyes. Could I come tomorrow at 15:00?\n\nAnn Lee\n"


@pytest.fixture
def served() -> Iterator[ModelServer]:
    with openai_server() as found:
        found.answers = [(200, completion("{}"))]
        found.embeds = meaning
        yield found


def both(served: ModelServer) -> dict[str, Any]:
    return {
        "model_by": "openai",
        "model_url": served.url,
        "model_name": MODEL,
        "model_key": KEY,
        "embeddings_by": "openai",
        "embeddings_name": "text-embedding-3-small",
    }


@pytest.fixture
def salon(tmp_path: Path, served: ModelServer) -> Iterator[Salon]:
    with mail_lane(tmp_path, **both(served)) as lane:
        one = Salon(lane).given()
        yield one
        assert lane.desk.settle().dead_letters() == []


def asked(served: ModelServer) -> tuple[int, list[str]]:
    return len(served.asked), served.embedded


@pytest.mark.spec("BK-04", "BK-05")
def test_a_mail_that_names_no_service_is_a_draft_with_a_proposed_one(
    salon: Salon, served: ModelServer
) -> None:
    salon.writes(FRINGE)

    draft = salon.request(RequestStatus.DRAFT)
    assert (value_of(draft.fields, "service"), value_of(draft.fields, "check")) == (
        *("Haircut", "unsure: service"),
    )
    assert draft.reader == "model and embeddings"
    assert len(served.asked) == 1
    assert {"Haircut", "cut", "Head spa"} <= set(served.embedded)
    assert served.headers[-1]["authorization"] == f"Bearer {KEY}"
    assert salon.mails() == []
    assert len(salon.mails(OWNER)) == 1


@pytest.mark.spec("BK-05")
def test_a_mail_that_rules_read_for_certain_asks_nobody(salon: Salon, served: ModelServer) -> None:
    salon.writes(ASKS)

    assert len(salon.request(RequestStatus.OPEN).proposed) == 3
    assert asked(served) == (0, [])


@pytest.mark.spec("BK-03")
def test_the_direct_lane_asks_nobody(salon: Salon, served: ModelServer) -> None:
    salon.do(SetDirectLane(DirectLane(("ann@example.org",))))
    salon.writes(FRINGE, Authentication_Results=VOUCHED)

    assert salon.request(RequestStatus.FORWARDED).fields == ()
    assert asked(served) == (0, [])


@pytest.mark.spec("BK-01")
def test_the_fast_lane_asks_nobody(tmp_path: Path, served: ModelServer) -> None:
    with shop_at(tmp_path, **both(served)) as shop:
        shop.given()
        shop.book(at(10))
        shop.get("/book?q=Haircut+on+Thursday+after+5")
        shop.get("/book?q=my+fringe+is+in+my+eyes")

        assert len(shop.bookings()) == 1
        assert asked(served) == (0, [])


@pytest.mark.spec("BK-05", "FD-30")
def test_an_outage_of_both_leaves_the_work_to_the_rules(
    salon: Salon, served: ModelServer, capsys: pytest.CaptureFixture[str]
) -> None:
    served.answers, served.embeds = [(503, {})], None
    salon.writes(FRINGE)

    draft = salon.request(RequestStatus.DRAFT)
    assert value_of(draft.fields, "check") == "no service"
    logged = capsys.readouterr().err
    assert '"event": "model.failed"' in logged
    assert '"event": "embedding.failed"' in logged
    assert KEY not in logged


# --- settings ---------------------------------------------------------------------------------


@pytest.mark.spec("FD-19")
def test_embeddings_are_chosen_by_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    def embedder(**settings: Any) -> object:
        made = nearest_on_this_machine(Settings(**settings))(dict)
        return made and made._embedder  # type: ignore[attr-defined]

    assert embedder() is None
    assert embedder(embeddings_by="none") is None
    local = {"model_url": "http://127.0.0.1:9/v1", "embeddings_name": "m"}
    assert isinstance(embedder(embeddings_by="openai", **local), OpenAiEmbedder)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    titan = embedder(embeddings_by="bedrock", embeddings_region="us-west-2")
    assert isinstance(titan, TitanEmbedder)
    assert titan._client.meta.region_name == "us-west-2"


@pytest.mark.spec("FD-19")
def test_settings_about_embeddings_are_checked(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="needs model_url and embeddings_name"):
        nearest_on_this_machine(Settings(embeddings_by="openai"))
    with pytest.raises(BadSettings, match="model_key could be read"):
        nearest_on_this_machine(
            Settings(
                embeddings_by="openai",
                embeddings_name="m",
                model_url="http://models.example/v1",
                model_key=KEY,
            )
        )
    for name, wrong in (("EMBEDDINGS_REGION", "Virginia"), ("EMBEDDINGS_BY", "magic")):
        with pytest.raises(BadSettings, match=f"FRONTDESK_{name} should be"):
            load({f"FRONTDESK_{name}": wrong}, data_dir=tmp_path)
