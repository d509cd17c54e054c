"""A link works for one person and one purpose; a changed, old or misused link does nothing."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from frontdesk.core.ids import id_bytes
from frontdesk.core.links import BadLink, Keys, Link, LinkKey, read, sign
from frontdesk.core.members import Role
from frontdesk.desks.admin.commands import CorrectContact
from frontdesk.desks.rsvp.links import Purpose
from frontdesk.embedded import control
from frontdesk.engine.keys import rotate
from tests.security.world import World, open_world
from tests.support.guest_links import links_of
from tests.support.rsvp import DETAILS, NINE

KEYS = Keys(LinkKey(3, b"k" * 32), (LinkKey(2, b"o" * 32),))


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[World]:
    """A separate world for tests that change something."""
    with open_world(tmp_path) as world:
        yield world


@pytest.mark.spec("FD-08")
def test_no_bit_of_a_token_can_be_flipped() -> None:
    token = sign(Link(2, b"a" * 16, 7, NINE + timedelta(days=1)), KEYS)
    signed = urlsafe_b64decode(token)

    for place in range(8 * len(signed)):
        bent = bytearray(signed)
        bent[place // 8] ^= 1 << place % 8
        with pytest.raises(BadLink):
            read(urlsafe_b64encode(bent).decode(), KEYS, NINE)


@pytest.mark.spec("FD-08")
def test_a_link_of_one_kind_does_not_work_at_another_route(world: World) -> None:
    visitor, sign_in = world.visitor, world.sign_in_token()
    before = world.dump()

    for method in ("GET", "POST"):
        assert visitor.ask(method, f"/l/{sign_in}").status == 404
        for token in world.links().values():
            assert visitor.ask(method, f"/sign-in/{token}").status == 404
    at_the_door = {
        name: world.host.get(f"/console/door/{token}").status
        for name, token in {**world.links(), "sign_in": sign_in}.items()
    }
    assert {name for name, status in at_the_door.items() if status == 200} == {"ticket"}
    assert world.dump() == before


#: The actions that links can have.
PRESSES = ("yes", "no", "take", "pass", "cancel", "party", "unsubscribe", "List-Unsubscribe")


@pytest.mark.spec("FD-08")
@pytest.mark.parametrize("name", ["confirm", "ticket", "unsubscribe", "decline"])
def test_a_link_gives_up_no_seat_and_takes_none_unless_it_is_for_that(
    world: World, name: str
) -> None:
    states = world.con.desk.states()

    for press in PRESSES:
        if (name, press) != ("decline", "pass"):
            world.visitor.post(f"/l/{world.links()[name]}", do=press, party="1")

    assert world.con.desk.states() == states


@pytest.mark.spec("FD-08")
def test_a_link_signed_for_nobody_or_for_no_purpose_opens_nothing(world: World) -> None:
    keys, before = world.con.desk.product.keys, world.dump()
    ann, later = id_bytes(world.con.desk.id("ann")), DETAILS.ends_at
    odd = [
        Link(Purpose.MANAGE, b"\xff" * 16, 0, later),
        Link(Purpose.MANAGE, id_bytes(world.con.desk.event_id), 0, later),
        Link(Purpose.MANAGE, ann, 9, later),
        Link(Purpose.OFFER, ann, 2**32 - 1, later),
        Link(0, ann, 0, later),
        Link(99, ann, 0, later),
        Link(200, b"\xff" * 16, 0, later),
    ]

    for link in odd:
        for path in ("/l", "/sign-in"):
            url = f"{path}/{sign(link, keys)}"
            assert world.visitor.get(url).status in (404, 410), link
            assert world.visitor.post(url, do="cancel").status in (404, 410), link
    assert world.dump() == before


@pytest.mark.spec("FD-08")
def test_after_new_keys_old_links_and_sessions_work_and_flashes_of_old_keys_do_not_break(
    fresh: World,
) -> None:
    old, sign_in = fresh.links(), fresh.sign_in_token()
    fresh.owner.post(f"{fresh.con.url}/cap", cap="9", csrf=fresh.owner.get("/console/you").csrf)

    control.rotate_keys(fresh.con.desk.product, {})

    assert fresh.owner.get("/console/settings").status == 200
    assert fresh.links()["manage"] != old["manage"]
    for token in old.values():
        assert fresh.visitor.get(f"/l/{token}").status == 200
    assert fresh.visitor.get(f"/sign-in/{sign_in}").heading == "Sign in to Frontdesk"


@pytest.mark.spec("FD-08")
def test_keys_are_kept_as_long_as_any_link_lives(fresh: World) -> None:
    desk, now = fresh.con.desk, fresh.con.desk.clock.now()
    token = links_of(desk, "ann").unsubscribe().rpartition("/")[2]
    expires_at = read(token, desk.product.keys, now).expires_at

    rotate(desk.product.settings.data_dir, now)
    keys = rotate(desk.product.settings.data_dir, expires_at - timedelta(days=1))

    assert read(token, keys, expires_at - timedelta(days=1)).expires_at == expires_at


@pytest.mark.spec("FD-10")
def test_links_to_an_earlier_address_are_dead_at_every_route(fresh: World) -> None:
    desk, old = fresh.con.desk, fresh.links()
    person = desk.guest("ann").person_id
    desk.do(CorrectContact(person, "Ann", "new@example.org", Role.OWNER))
    before = fresh.dump()

    for name in ("confirm", "manage", "ticket", "unsubscribe"):
        assert fresh.visitor.get(f"/l/{old[name]}").status == 410, name
        assert fresh.visitor.post(f"/l/{old[name]}", do="cancel").status == 410, name
    assert fresh.visitor.get(f"/l/{old['manage']}/calendar.ics").status == 410
    assert fresh.host.get(f"/console/door/{old['ticket']}").status == 404
    assert fresh.dump() == before


@pytest.mark.spec("FD-09", "FD-21")
def test_a_sign_in_link_is_spent_by_one_press_and_by_nothing_else(fresh: World) -> None:
    url = f"/sign-in/{fresh.sign_in_token()}"
    for method in ("HEAD", "GET", "OPTIONS", "PUT", "DELETE", "PATCH"):
        fresh.visitor.ask(method, url)
    first, second = fresh.visitor, fresh.visitor

    assert (first.post(url).status, second.post(url).status) == (303, 410)
    assert second.cookies == {}
    assert first.get("/console/settings").status == 200


@pytest.mark.spec("FD-21")
def test_a_session_ends_with_its_member_and_when_its_days_are_over(fresh: World) -> None:
    mia = fresh.con.desk.product.engine.reads().desk("fd")
    member = next(row for row in mia.team(fresh.con.desk.clock.now()) if row.person.name == "Mia")
    csrf = fresh.owner.get("/console/you").csrf
    assert fresh.host.get("/console/you").status == 200

    fresh.owner.post(f"/console/team/{member.membership.id}/remove", csrf=csrf)
    assert fresh.host.get("/console/you").status == 303
    fresh.con.desk.wait(days=400)
    assert fresh.owner.get("/console/you").status == 303
