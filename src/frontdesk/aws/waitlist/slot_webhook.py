"""The function `slot-webhook`: booking tools report, with a signature, that a time came free."""

from __future__ import annotations

from starlette.applications import Starlette

from frontdesk.aws.container import Deployment
from frontdesk.aws.pages import Pages, while_on
from frontdesk.aws.routing import Endpoint
from frontdesk.desks.waitlist import webhook
from frontdesk.desks.waitlist.slot_intake import SLOT_INTAKE
from frontdesk.web.site import Site
from frontdesk.wiring.waitlist.aws import slot_intake_of


def _install(site: Site, _app: Starlette, deployment: Deployment) -> None:
    site.shared[SLOT_INTAKE] = slot_intake_of(deployment.back, deployment.account)


slot_webhook = Pages(
    Endpoint.HOOKS, while_on("waitlist", lambda _deployment: webhook.routes()), _install
)
