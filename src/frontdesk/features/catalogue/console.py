"""The console pages of the catalogue: services, team and currency."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, Final, Protocol
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Command, Refused
from frontdesk.core.saved_settings import SavedSetting
from frontdesk.core.words import count, how_long
from frontdesk.features.catalogue.form import (
    Values,
    errors_in_staff,
    read_service,
    staff_of,
    values_of,
)
from frontdesk.features.catalogue.model import MOST_CURRENCY, Catalogue, Reason, Service
from frontdesk.values import Frozen, replace
from frontdesk.web.console.forms import confirm_page, is_confirmed
from frontdesk.web.console.shell import done, form_of, run, staff
from frontdesk.web.site import site_of

_CANNOT: Final = "That could not be saved: please look at the names again. Nothing was changed."


class UserTexts(Frozen):
    """How a desk speaks of the people who use a service."""

    lead: str
    column: str
    """The heading above how many they are."""
    empty: str
    """What holds while there are no services."""
    staff_gone: str
    """Behind '3 people wait'-like words: whom they asked for."""
    unlisted: str
    """What to do about people who use a service that is not in the catalogue."""
    renaming: str
    removing: str
    """What renaming or removing a service means for them."""
    verbs: tuple[str, str]
    """'person waits', 'people wait'."""
    on_list: str
    """'on the list': where they are."""
    is_unused: str
    was_unused: str
    """Nobody uses, or used, a service that is taken off."""
    moved: str
    """With '{before}' and '{to}'."""


class ServiceUsers(Protocol):
    """The people of a desk who use its services."""

    @property
    def texts(self) -> UserTexts: ...
    def by_service(self, request: Request) -> Mapping[str, int]:
        """How many people use each service."""

    def asking_for(self, request: Request, members: Collection[str]) -> int:
        """How many of them asked for one of these members of the team."""

    def url(self, service: str) -> str:
        """The page with those who use this service."""

    async def move(self, request: Request, before: str, to: str) -> int:
        """Gives them another service. Returns how many could not be moved yet."""


class CatalogueConsole(Frozen):
    """What a desk hands over for its pages."""

    path: str
    setting: SavedSetting[Catalogue]
    save: Callable[[Catalogue], Command]
    users: ServiceUsers
    page: Callable[..., Response]
    """Shows a template, which extends `frame`, in the frame of the desk."""
    desk: tuple[str, str]
    """Its name and address, for the breadcrumbs."""

    def routes(self) -> list[BaseRoute]:
        return [
            Route(f"{self.path}{more}", staff(partial(handler, self)), methods=[method])
            for method, more, handler in (
                ("GET", "", _services),
                ("POST", "", _save_team),
                ("GET", "/one", _service),
                ("POST", "/one", _save_service),
                ("POST", "/another", _give_another),
                ("POST", "/remove", _remove),
            )
        ]

    def known(self, request: Request) -> Catalogue:
        return site_of(request).reads().engine.setting(self.setting)


# --- all services ---------------------------------------------------------------------------


async def _services(console: CatalogueConsole, request: Request) -> Response:
    known = console.known(request)
    values = {"staff": "\n".join(known.staff), "currency": known.currency}
    return await _page(console, request, values, {})


async def _page(
    console: CatalogueConsole,
    request: Request,
    values: Values,
    errors: Mapping[str, str],
    *,
    status: int = 200,
) -> Response:
    known, users = console.known(request), console.users
    using = await run_in_threadpool(users.by_service, request)
    listed = {one.name for one in known.services}
    return console.page(
        request,
        "catalogue/services.html",
        tab="Services",
        page_title="Services",
        status=status,
        path=console.path,
        texts=users.texts,
        rows=[
            _row(console, one, known, using.get(one.name, 0))
            for one in sorted(known.services, key=lambda each: each.name.casefold())
        ],
        unlisted=[
            {"name": name, "people": _people(users.texts, using[name]), "url": users.url(name)}
            for name in (sorted(using.keys() - listed) if listed else ())
        ],
        services=[(one.name, one.name) for one in known.services],
        v=values,
        errors=errors,
        most_currency=MOST_CURRENCY,
    )


def _row(
    console: CatalogueConsole, service: Service, known: Catalogue, using: int
) -> dict[str, Any]:
    return {
        "url": f"{console.path}/one?{urlencode({'name': service.name})}",
        "name": service.name,
        "takes": how_long(service.duration),
        "price": known.price(service.price_cents) if service.price_cents else "",
        "party": "" if service.most == 1 else f"up to {service.most}",
        "aliases": ", ".join(service.aliases),
        "using": using,
    }


def _people(texts: UserTexts, n: int) -> str:
    """'3 people wait'."""
    return count(n, *texts.verbs)


async def _save_team(console: CatalogueConsole, request: Request) -> Response:
    """Saves team and currency, and says how many people asked for a member who is gone."""
    form, users = form_of(request), console.users
    values = {"staff": form.fields.get("staff", ""), "currency": form["currency"]}
    members, before = staff_of(values["staff"]), console.known(request)
    errors = errors_in_staff(members)
    if len(values["currency"]) > MOST_CURRENCY:
        errors["currency"] = f"Please write at most {MOST_CURRENCY} characters, like S$."
    if errors:
        return await _page(console, request, values, errors, status=422)
    if not await _save(
        console, request, replace(before, staff=members, currency=values["currency"])
    ):
        return done(request, console.path, _CANNOT, kind="problem")
    gone = {*before.staff} - {*members}
    if missed := await run_in_threadpool(users.asking_for, request, gone):
        says = f"Saved. {_people(users.texts, missed)} {users.texts.staff_gone}"
        return done(request, console.path, says, kind="problem")
    return done(request, console.path, "Saved.")


async def _save(console: CatalogueConsole, request: Request, after: Catalogue) -> bool:
    outcome = await run(request, console.save(after))
    return not isinstance(outcome, Refused) or outcome.reason == Reason.UNCHANGED


# --- one service ----------------------------------------------------------------------------


def _named(known: Catalogue, name: str) -> Service:
    found = next((one for one in known.services if one.name == name), None)
    if found is None:
        raise HTTPException(404)
    return found


async def _service(console: CatalogueConsole, request: Request) -> Response:
    """An existing one by its name, or a new one without."""
    name, known = request.query_params.get("name", ""), console.known(request)
    values = values_of(_named(known, name) if name else Service(""))
    return await _form(console, request, name, values, {})


async def _form(
    console: CatalogueConsole,
    request: Request,
    before: str,
    values: Values,
    errors: Mapping[str, str],
    *,
    status: int = 200,
) -> Response:
    using = await _using(console, request, before)
    return console.page(
        request,
        "catalogue/service.html",
        tab="Services",
        page_title=before or "Add a service",
        status=status,
        path=console.path,
        texts=console.users.texts,
        before=before,
        using=count(using, "person", "people") if before and using else "",
        users_url=console.users.url(before),
        currency=console.known(request).currency,
        v=values,
        errors=errors,
    )


async def _using(console: CatalogueConsole, request: Request, name: str) -> int:
    return (await run_in_threadpool(console.users.by_service, request)).get(name, 0)


async def _save_service(console: CatalogueConsole, request: Request) -> Response:
    form, known = form_of(request), console.known(request)
    before = form["before"]
    others = [one for one in known.services if one.name != before]
    if before:
        _named(known, before)
    values = {key: form[key] for key in values_of(Service(""))}
    read = read_service(values, others)
    if isinstance(read, dict):
        return await _form(console, request, before, values, read, status=422)
    is_renamed = bool(before) and read.name != before
    using = await _using(console, request, before) if is_renamed else 0
    if using and not is_confirmed(request):
        question = f"Rename {before} to {read.name}?"
        means = _means(console.users.texts, using, console.users.texts.renaming)
        return _ask(console, request, question, means, "Rename it")
    services = tuple(read if one.name == before else one for one in known.services)
    after = replace(known, services=services if before else (*services, read))
    if not await _save(console, request, after):
        return done(request, console.path, _CANNOT, kind="problem")
    if using and (left := await console.users.move(request, before, read.name)):
        return done(request, console.path, f"Saved. {_not_moved(left)}", kind="problem")
    return done(request, console.path, "Saved.")


def _not_moved(left: int) -> str:
    return f"{count(left, 'person', 'people')} could not be taken along yet: see below."


async def _give_another(console: CatalogueConsole, request: Request) -> Response:
    """For people who use a service that is not in the catalogue."""
    form = form_of(request)
    before, to = form["name"], _named(console.known(request), form["to"]).name
    if left := await console.users.move(request, before, to):
        return done(request, console.path, _not_moved(left), kind="problem")
    return done(request, console.path, console.users.texts.moved.format(before=before, to=to))


async def _remove(console: CatalogueConsole, request: Request) -> Response:
    """People who use it keep it, and staff are told how many they are."""
    name, known, texts = form_of(request)["name"], console.known(request), console.users.texts
    service = _named(known, name)
    using = await _using(console, request, name)
    if not is_confirmed(request):
        means = _means(texts, using, texts.removing) if using else texts.is_unused
        question = f"Take {name} off the list of services?"
        return _ask(console, request, question, means, "Take it off")
    services = tuple(one for one in known.services if one is not service)
    if not await _save(console, request, replace(known, services=services)):
        return done(request, console.path, _CANNOT, kind="problem")
    if using:
        people = count(using, "person", "people")
        says = f"Taken off. {people} still {texts.on_list} for it: see below."
        return done(request, console.path, says, kind="problem")
    return done(request, console.path, f"Taken off. {texts.was_unused}")


def _means(texts: UserTexts, using: int, more: str) -> str:
    noun, verb = texts.verbs[0 if using == 1 else 1].split()
    return f"{using:,} {noun} {texts.on_list} {verb} for it. {more}"


def _ask(
    console: CatalogueConsole, request: Request, question: str, means: str, label: str
) -> Response:
    return confirm_page(
        request,
        question=question,
        means=means,
        label=label,
        keep_url=console.path,
        active=console.desk[1],
        crumbs=(console.desk, ("Services", console.path), ("Please confirm", "")),
    )
