"""A separate function opens links about the waitlist; the other functions redirect there."""

from __future__ import annotations

from datetime import timedelta

import pytest

from frontdesk.aws.container import deployment
from frontdesk.aws.rsvp.pages import link_handler
from frontdesk.aws.waitlist.pages import claim_handler
from frontdesk.core.links import BadLink, read, sign_short
from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.commands import JoinList, SetCatalogue
from frontdesk.desks.waitlist.model import EntryId, Lane, Wish
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.store.dynamodb.schema import FD_RATELIMIT, WL_RATELIMIT
from tests.aws.cloud import Cloud
from tests.aws.cloud import cloud as cloud
from tests.aws.payloads import Context, request
from tests.support.dynamodb import needs_dynamodb

pytestmark = needs_dynamodb


@pytest.fixture
def link(cloud: Cloud) -> str:
    """Returns the path of the link to somebody's place on the list."""
    engine, now = deployment().back.engine, cloud.clock.now()
    wish = Wish("Cut", 1, now.date(), now.date() + timedelta(days=20))
    entry_id, person_id = EntryId(engine.new_id()), PersonId(engine.new_id())
    join = JoinList(entry_id, person_id, "Ann", "ann@example.org", wish, Lane.FORM)
    for command in (SetCatalogue(Catalogue((Service("Cut"),), (), "S$")), join):
        engine.run(command, by="test", now=now)
    cloud.settle()
    return cloud.link()


@pytest.mark.spec("WL-06")
def test_somebody_sees_their_place(link: str) -> None:
    answer = claim_handler(request("GET", link), Context("claim-handler"))

    assert answer["statusCode"] == 200
    assert "first in line" in answer["body"]


def test_a_link_opened_at_the_wrong_function_is_redirected(link: str) -> None:
    answer = link_handler(request("GET", link), Context("link-handler"))

    assert (answer["statusCode"], answer["headers"]["location"]) == (
        307,
        f"https://claims.example{link}",
    )


@pytest.mark.spec("FD-08")
def test_claim_links_are_signed_with_their_own_key(cloud: Cloud, link: str) -> None:
    token, now = link.removeprefix("/l/"), cloud.clock.now()
    said = read(token, deployment().claim_keys(), now)

    with pytest.raises(BadLink):
        read(token, deployment().keys(), now)
    forged = f"/l/{sign_short(said, deployment().keys())}"
    answer = claim_handler(request("GET", forged), Context("claim-handler"))
    assert answer["statusCode"] == 404
    assert sign_short(said, deployment().claim_keys()) == token


@pytest.mark.spec("FD-28")
def test_link_limits_are_counted_in_the_waitlists_own_table(cloud: Cloud, link: str) -> None:
    claim_handler(request("GET", link), Context("claim-handler"))

    assert len(cloud.rows(WL_RATELIMIT)) == 1
    assert cloud.rows(FD_RATELIMIT) == []
