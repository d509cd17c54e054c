"""The objects that every page needs: engine, clock, keys, renderer, limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request

from frontdesk.core.decision import Command
from frontdesk.core.links import Keys
from frontdesk.core.page_urls import is_among
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.engine.live import LiveUpdates
from frontdesk.engine.ports import Outcome, Reads
from frontdesk.settings import Settings
from frontdesk.web.limits import Limits, Rate, RateLimits
from frontdesk.web.renderer import Renderer
from frontdesk.web.shared_objects import SharedObjects
from frontdesk.web.unseen_work import ImmediateWork, UnseenWork

T = TypeVar("T")


@dataclass(slots=True)
class Site:
    """The shared objects of one server; a page gets them with `site_of(request)`."""

    engine: Engine
    settings: Settings
    clock: Clock
    read_keys: Callable[[], Keys]
    """Returns the current keys for links; they rotate at run time."""
    live: LiveUpdates
    renderer: Renderer
    limits: RateLimits = field(default_factory=Limits)
    bad_link: Callable[[], None] = lambda: None
    """Called for every link with a bad signature, for the alarm."""
    page_broke: Callable[[], None] = lambda: None
    """Called for every page that fails, for the alarm."""
    unseen_work: UnseenWork = field(default_factory=ImmediateWork)
    """Runs work that must not affect the response time."""
    shared: SharedObjects = field(default_factory=SharedObjects)
    """Objects that the wiring gives to the pages of the desks."""

    closed_pages: tuple[str, ...] = ()
    """The pages of desks that are switched off: no page links to them."""

    def open_url(self, url: str) -> str:
        """Returns the address; empty if the desk of this page is switched off."""
        return "" if is_among(url, self.closed_pages) else url

    @property
    def keys(self) -> Keys:
        return self.read_keys()

    async def run(self, command: Command, *, by: str, key: str | None = None) -> Outcome:
        """Decides and commits at the time of the request."""
        return await self.engine.run_async(command, by=by, now=self.clock.now(), key=key)

    def reads(self) -> Reads:
        return self.engine.reads()

    def new_id(self) -> str:
        return self.engine.new_id()


def site_of(request: Request) -> Site:
    site = request.app.state.site
    assert isinstance(site, Site)
    return site


def limit_visitor(request: Request, purpose: str, rate: Rate) -> None:
    """Raises a 429 if this address sends too many requests for this purpose."""
    if not site_of(request).limits.take(purpose, visitor_of(request), rate):
        raise HTTPException(429)


def visitor_of(request: Request) -> str:
    """Returns the address of the client; empty if it is unknown."""
    return request.client.host if request.client else ""


def or_404(found: T | None) -> T:
    """Raises 404 if there is nothing at this address."""
    if found is None:
        raise HTTPException(404)
    return found
