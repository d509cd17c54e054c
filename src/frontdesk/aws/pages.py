"""Builds Lambda handlers from routes, for the functions that have a URL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from frontdesk.aws.container import Deployment, container, deployment
from frontdesk.aws.http import Answer, Payload, serve
from frontdesk.aws.routing import OF_THE_WAITLIST, Endpoint, EndpointRouter
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

Routes = Callable[[Deployment], Sequence[BaseRoute]]


@dataclass(slots=True)
class Pages:
    """A Lambda handler that serves some routes; rebuilt when the settings change."""

    endpoint: Endpoint
    routes: Routes
    furnish: Callable[[Site, Starlette, Deployment], None] = lambda _site, _app, _deployment: None
    _built: _Built | None = None

    def __call__(self, payload: Payload, _context: object) -> Answer:
        now = deployment()
        if self._built is None or self._built.deployment is not now:
            self._built = self._build(now)
        elif self._built.reading != container.readings:
            self._built.site.renderer.set_branding(
                branding_of(now.back.engine.reads(), now.settings)
            )
            self._built = replace(self._built, reading=container.readings)
        return serve(self._built.app, payload)

    def _build(self, deployment: Deployment) -> _Built:
        site = site_on(deployment.back, self._keys(deployment), self._limits(deployment))
        site.live.streams = False
        site.unseen_work = Padded()
        site.bad_link = lambda: _bad_link(deployment.back)
        app = create_app(site, self.routes(deployment))
        self.furnish(site, app, deployment)
        endpoint = EndpointRouter(app, self.endpoint, deployment.settings)
        return _Built(deployment, site, endpoint, container.readings)

    def _keys(self, deployment: Deployment) -> Callable[[], Keys]:
        return deployment.claim_keys if self.endpoint in OF_THE_WAITLIST else deployment.keys

    def _limits(self, deployment: Deployment) -> RateLimits:
        table = WL_RATELIMIT if self.endpoint in OF_THE_WAITLIST else FD_RATELIMIT
        return limits_of(deployment.account, table)


class _Built(Frozen):
    deployment: Deployment
    site: Site
    app: ASGIApp
    reading: int


def _bad_link(back: Application) -> None:
    """Counts links with a bad signature for the alarm: somebody may be guessing."""
    log("link.bad_signature")
    back.bad_signatures.seen(back.clock.now())
