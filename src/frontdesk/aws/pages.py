"""The pages of the product, as each of the functions with an address serves them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from frontdesk.aws.doors import OF_THE_WAITLIST, Door, OneDoor
from frontdesk.aws.home import Home, container, home
from frontdesk.aws.http import Answer, Payload, serve
from frontdesk.core.links import Keys
from frontdesk.desks.admin.branding import branding_of
from frontdesk.logs import log
from frontdesk.store.dynamodb.schema import FD_RATELIMIT, WL_RATELIMIT
from frontdesk.values import Frozen, replace
from frontdesk.web.app import create_app
from frontdesk.web.limits import RateLimits
from frontdesk.web.site import Site
from frontdesk.web.unseen_work import Padded
from frontdesk.wiring.application import Application
from frontdesk.wiring.aws import limits_of
from frontdesk.wiring.site import site_on

Routes = Callable[[Home], Sequence[BaseRoute]]


@dataclass(slots=True)
class Pages:
    """Built for the home as it is, and again when that has changed."""

    door: Door
    routes: Routes
    furnish: Callable[[Site, Starlette, Home], None] = lambda _site, _app, _home: None
    _built: _Built | None = None

    def answer(self, payload: Payload) -> Answer:
        now = home()
        if self._built is None or self._built.home is not now:
            self._built = self._build(now)
        elif self._built.reading != container.readings:
            self._built.site.renderer.set_branding(
                branding_of(now.back.engine.reads(), now.settings)
            )
            self._built = replace(self._built, reading=container.readings)
        return serve(self._built.app, payload)

    def _build(self, home: Home) -> _Built:
        site = site_on(home.back, self._keys(home), self._limits(home))
        site.live.streams = False
        site.unseen_work = Padded()
        site.bad_link = lambda: _bad_link(home.back)
        app = create_app(site, self.routes(home))
        self.furnish(site, app, home)
        door = OneDoor(app, self.door, home.settings)
        return _Built(home, site, door, container.readings)

    def _keys(self, home: Home) -> Callable[[], Keys]:
        return home.claim_keys if self.door in OF_THE_WAITLIST else home.keys

    def _limits(self, home: Home) -> RateLimits:
        table = WL_RATELIMIT if self.door in OF_THE_WAITLIST else FD_RATELIMIT
        return limits_of(home.account, table)


class _Built(Frozen):
    home: Home
    site: Site
    app: ASGIApp
    reading: int


def _bad_link(back: Application) -> None:
    """Counted by an alarm: somebody may be guessing."""
    log("link.bad_signature")
    back.bad_signatures.seen(back.clock.now())
