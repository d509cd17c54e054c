from datetime import datetime

import pytest

from frontdesk.core.links import Keys, LinkKey
from frontdesk.desks.rsvp.links import (
    GuestLink,
    GuestLinkRead,
    GuestLinks,
    LinkExpired,
    LinkOutdated,
    NotOurs,
    Purpose,
    read_guest_link,
)
from frontdesk.desks.rsvp.model import GuestId
from tests.desks.rsvp.rows import DAY, KEYS, NOW, SUPPER, an_id

ANN = GuestId(an_id("ann"))
LINKS = GuestLinks("https://desk.example", KEYS, ANN, contact_version=3, details=SUPPER)


def opened(url: str, *, at: datetime = NOW, version: int | None = 3) -> GuestLinkRead:
    token = url.partition("/l/")[2].partition("#")[0]
    return read_guest_link(token, KEYS, at, lambda _guest_id: version)


@pytest.mark.spec("FD-08")
def test_each_link_has_one_guest_and_one_purpose() -> None:
    urls = {
        Purpose.CONFIRM: LINKS.confirm(),
        Purpose.MANAGE: LINKS.manage(),
        Purpose.TICKET: LINKS.ticket(),
        Purpose.UNSUBSCRIBE: LINKS.unsubscribe(),
    }

    assert {purpose: opened(url) for purpose, url in urls.items()} == {
        purpose: GuestLink(purpose, ANN) for purpose in urls
    }
    assert opened(LINKS.offer(7)) == GuestLink(Purpose.OFFER, ANN, 7)
    assert opened(LINKS.decline(7)) == GuestLink(Purpose.DECLINE, ANN, 7)


@pytest.mark.spec("FD-10")
def test_a_new_address_kills_the_old_links() -> None:
    assert opened(LINKS.manage(), version=4) == LinkOutdated()
    assert opened(LINKS.offer(7), version=4) == LinkOutdated()
    assert opened(LINKS.manage(), version=None) == LinkOutdated()


def test_an_expired_link_still_says_what_it_was_for() -> None:
    late = SUPPER.ends_at + DAY

    assert opened(LINKS.offer(7), at=SUPPER.ends_at) == LinkExpired(
        GuestLink(Purpose.OFFER, ANN, 7)
    )
    assert opened(LINKS.manage(), at=SUPPER.ends_at) == GuestLink(Purpose.MANAGE, ANN)
    assert opened(LINKS.manage(), at=late) == LinkExpired(GuestLink(Purpose.MANAGE, ANN))
    assert opened(LINKS.unsubscribe(), at=late) == GuestLink(Purpose.UNSUBSCRIBE, ANN)


def test_a_token_that_is_not_ours_reveals_nothing() -> None:
    other = GuestLinks("", Keys(LinkKey(1, b"x" * 32)), ANN, 3, SUPPER)

    assert opened(other.manage()) == NotOurs()
    assert opened(LINKS.manage()[:-1]) == NotOurs()
    assert opened("") == NotOurs()


def test_a_link_sent_again_is_a_fresh_one() -> None:
    again = GuestLinks("https://desk.example", KEYS, ANN, 3, SUPPER, nth=5)

    assert again.manage() != LINKS.manage()
    assert opened(again.manage()) == opened(LINKS.manage())
