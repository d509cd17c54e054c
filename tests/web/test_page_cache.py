"""Cached pages: each response has its own values, and one answer serves simultaneous requests."""

import asyncio
import re
from collections.abc import Coroutine
from datetime import UTC, datetime

import pytest

from frontdesk.web.page_cache import CachedPage, MomentCache
from frontdesk.web.renderer import HEADERS, Branding, Renderer

NINE = datetime(2026, 11, 16, 9, tzinfo=UTC)
TEN = NINE.replace(hour=10)


class Kitchen:
    """Makes numbered dishes. While `may_finish` is not set, they wait."""

    def __init__(self) -> None:
        self.made = 0
        self.fails = False
        self.may_finish = asyncio.Event()
        self.may_finish.set()

    async def dish(self) -> int:
        self.made += 1
        number = self.made
        await self.may_finish.wait()
        if self.fails:
            raise ValueError("burnt")
        return number


def test_an_answer_is_made_once_while_its_stamp_stays() -> None:
    async def ask() -> list[int]:
        cache, kitchen = MomentCache[int](), Kitchen()
        asked = [("nine", "a"), ("nine", "a"), ("nine", "b"), ("ten", "a"), ("nine", "a")]
        return [await cache.get(stamp, key, kitchen.dish) for stamp, key in asked]

    assert asyncio.run(ask()) == [1, 1, 2, 3, 4]


def test_simultaneous_requests_wait_for_one_answer() -> None:
    async def ask() -> tuple[list[int], int]:
        cache, kitchen = MomentCache[int](), Kitchen()
        kitchen.may_finish.clear()
        asking = [asyncio.create_task(cache.get("nine", "a", kitchen.dish)) for _ in range(20)]
        later = asyncio.create_task(cache.get("ten", "a", kitchen.dish))
        await asyncio.sleep(0)
        kitchen.may_finish.set()
        return await asyncio.gather(*asking, later), kitchen.made

    assert asyncio.run(ask()) == ([1] * 20 + [2], 2)


def test_a_visitor_who_leaves_takes_the_answer_from_nobody() -> None:
    async def ask() -> int:
        cache, kitchen = MomentCache[int](), Kitchen()
        kitchen.may_finish.clear()
        first = asyncio.create_task(cache.get("nine", "a", kitchen.dish))
        second = asyncio.create_task(cache.get("nine", "a", kitchen.dish))
        await asyncio.sleep(0)
        first.cancel()
        kitchen.may_finish.set()
        return await second

    assert asyncio.run(ask()) == 1


def test_a_failure_is_not_kept() -> None:
    async def ask() -> int:
        cache, kitchen = MomentCache[int](), Kitchen()
        kitchen.fails = True
        with pytest.raises(ValueError, match="burnt"):
            await cache.get("nine", "a", kitchen.dish)
        kitchen.fails = False
        return await cache.get("nine", "a", kitchen.dish)

    assert asyncio.run(ask()) == 2


def test_only_so_many_answers_are_kept() -> None:
    async def ask() -> list[int]:
        cache, kitchen = MomentCache[int](most=2), Kitchen()
        return [await cache.get("nine", key, kitchen.dish) for key in "abccab"]

    assert asyncio.run(ask()) == [1, 2, 3, 4, 1, 2]


def test_an_answer_that_a_stopped_server_left_behind_is_made_anew() -> None:
    cache = MomentCache[int]()

    async def leave() -> None:
        kitchen = Kitchen()
        kitchen.may_finish.clear()
        asyncio.create_task(_ignore(cache.get("nine", "a", kitchen.dish)))  # noqa: RUF006
        await asyncio.sleep(0)

    asyncio.run(leave())

    async def ask() -> int:
        return await cache.get("nine", "a", Kitchen().dish)

    assert asyncio.run(ask()) == 1


async def _ignore(asked: Coroutine[None, None, int]) -> None:
    await asked


def test_each_response_of_a_cached_page_has_its_own_nonce_and_time() -> None:
    renderer = Renderer(Branding("Salon", "#336699"), {})
    values = {"page_title": "Gone", "happened": "Gone.", "means": "", "way_out": None, "calm": True}
    page = CachedPage(renderer, "problem.html", NINE, values)

    responses = [page.page(NINE), page.page(TEN, status=409, embeddable=True)]

    bodies = [bytes(each.body).decode() for each in responses]
    nonces = [set(re.findall(r'nonce="([0-9a-f]{32})"', body)) for body in bodies]
    assert [len(each) for each in nonces] == [1, 1]
    assert nonces[0] != nonces[1]
    for response, (nonce,) in zip(responses, nonces, strict=True):
        policy = response.headers["content-security-policy"]
        assert policy.count(f"'nonce-{nonce}'") == policy.count("nonce-") == 2
        assert response.headers["content-length"] == str(len(response.body))
        assert response.headers["content-type"] == "text/html; charset=utf-8"
        assert HEADERS.items() <= dict(response.headers).items()
    assert [re.findall('data-now="([^"]+)"', body) for body in bodies] == [
        [NINE.isoformat()],
        [TEN.isoformat()],
    ]
    assert [each.status_code for each in responses] == [200, 409]
    assert [each.headers.get("x-frame-options") for each in responses] == ["DENY", None]
    assert "frame-ancestors 'none'" in responses[0].headers["content-security-policy"]
    assert "frame-ancestors *" in responses[1].headers["content-security-policy"]


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("https://list.example/desk/waitlist", "'self' https://list.example"),
        ("/waitlist", "'self'"),
        ("", "'self'"),
    ],
)
def test_a_page_names_the_other_address_that_a_form_of_it_goes_to(url: str, allowed: str) -> None:
    renderer = Renderer(Branding("Salon", "#336699"), {})
    values = {"page_title": "Gone", "happened": "Gone.", "means": "", "way_out": None, "calm": True}

    page = CachedPage(renderer, "problem.html", NINE, values, posts_to=url)

    policy = page.page(NINE).headers["content-security-policy"]
    assert f"form-action {allowed};" in policy
