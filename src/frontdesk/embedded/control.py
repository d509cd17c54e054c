"""Orders of the command line, done by the running server or by the command itself."""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from ipaddress import ip_address
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.contacts import BadContact, email_key
from frontdesk.desks.admin.commands import Erase
from frontdesk.embedded.orders import BY, NotDone, Order, run
from frontdesk.engine.keys import rotate
from frontdesk.errors import Busy, Conflict
from frontdesk.logs import failure, log, where
from frontdesk.web.forms import BadForm, json_object
from frontdesk.wiring.desks import desk_modules
from frontdesk.wiring.one_machine import Frontdesk

MOST_BYTES: Final = 32_000_000
MOST_LETTERS: Final = 10_000


def erase(product: Frontdesk, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Erases a person's name, address, mail and messages; the audit keeps the facts."""
    person = product.engine.reads().engine.person_by_email(_key(arguments["email"]))
    if person is None:
        raise NotDone("Nobody has this address.")
    run(product, Erase(person.id))
    return {"person": person.id}


def replay(product: Frontdesk, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Replays dead letters, by number or all of them; returns the outcome of each."""
    wanted: Sequence[int] = arguments.get("letters") or [
        letter.id
        for letter in product.engine.reads().engine.dead_letters(MOST_LETTERS)
        if letter.replayed_at is None
    ]
    return {str(each): product.replay(each, BY).value for each in wanted}


def rotate_keys(product: Frontdesk, _said: Mapping[str, Any]) -> Mapping[str, Any]:
    """Signs with a new key from now on; links that were sent work until they expire."""
    keys = rotate(product.settings.data_dir, product.clock.now())
    product.site.read_keys = lambda: keys
    return {"key": product.keys.current.id, "older": [key.id for key in product.keys.old]}


ORDERS: Final[Mapping[str, Order]] = {
    **{
        name: order
        for desk in desk_modules("frontdesk.embedded.orders")
        for name, order in desk.ORDERS.items()
    },
    "erase": erase,
    "replay": replay,
    "rotate-keys": rotate_keys,
}


def _key(email: str) -> str:
    try:
        return email_key(email)
    except BadContact as error:
        raise NotDone(str(error)) from error


# --- by HTTP --------------------------------------------------------------------------------


def routes(product: Frontdesk, token: str) -> list[BaseRoute]:
    """Only for clients on this machine that can read the lock file; others get a 404."""

    async def control(request: Request) -> Response:
        order = ORDERS.get(request.path_params["order"])
        if order is None or not _may(request, token):
            raise HTTPException(404)
        arguments = await _body(request)
        try:
            return JSONResponse(await run_in_threadpool(order, product, arguments))
        except Conflict:
            says = "Something else changed the same data at this moment. Try again."
            return JSONResponse({"problem": says}, 409)
        except (NotDone, Busy) as error:
            return JSONResponse({"problem": str(error)}, 409)
        except (LookupError, TypeError, ValueError) as error:
            log("order.not_understood", why=failure(error), where=where(error))
            return JSONResponse({"problem": "This order was not understood."}, 400)

    return [Route("/control/{order}", control, methods=["POST"])]


def _may(request: Request, token: str) -> bool:
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    was_passed_on = "x-forwarded-for" in request.headers or "forwarded" in request.headers
    return (
        not was_passed_on
        and _is_local(request)
        and hmac.compare_digest(given.encode(), token.encode())
    )


def _is_local(request: Request) -> bool:
    try:
        return request.client is not None and ip_address(request.client.host).is_loopback
    except ValueError:
        return False


async def _body(request: Request) -> Mapping[str, Any]:
    """Parses in a thread: a list of 20,000 people takes 12 ms, in which pages would wait."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise HTTPException(413, "This is too much at once.")
    try:
        return await run_in_threadpool(json_object, bytes(body))
    except BadForm as bad:
        raise HTTPException(400, str(bad)) from None
