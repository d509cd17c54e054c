"""What every page needs: the engine, the clock, the keys and how things are put on the screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.requests import Request

from frontdesk.core.decision import Command
from frontdesk.core.links import Keys
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.engine.live import LiveUpdates
from frontdesk.engine.ports import Outcome, Reads
from frontdesk.settings import Settings
from frontdesk.web.limits import Limits, RateLimits
from frontdesk.web.renderer import Renderer
from frontdesk.web.unseen_work import AtOnce, UnseenWork


@dataclass(slots=True)
class Site:
    """One server's worth of it; a page finds it by `site_of(request)`."""

    engine: Engine
    settings: Settings
    clock: Clock
    read_keys: Callable[[], Keys]
    """Those that sign links now: they are exchanged while it runs."""
    live: LiveUpdates
    renderer: Renderer
    limits: RateLimits = field(default_factory=Limits)
    bad_link: Callable[[], None] = lambda: None
    """Told of every link that we did not sign, for the alarm."""
    page_broke: Callable[[], None] = lambda: None
    """Told of every page that ended in an error of ours, for the alarm."""
    unseen_work: UnseenWork = field(default_factory=AtOnce)
    """Does what must not show in how long an answer takes."""
    memory: dict[str, object] = field(default_factory=dict)
    """What a desk's pages remember from one request to the next, by a name of their own."""

    @property
    def keys(self) -> Keys:
        return self.read_keys()

    async def run(self, command: Command, *, by: str, key: str | None = None) -> Outcome:
        """Decide and commit, with the time of the request."""
        return await self.engine.run_async(command, by=by, now=self.clock.now(), key=key)

    def reads(self) -> Reads:
        return self.engine.reads()

    def new_id(self) -> str:
        return self.engine.new_id()


def site_of(request: Request) -> Site:
    site = request.app.state.site
    assert isinstance(site, Site)
    return site
