"""What those on the list see: the form, their place, and the offers behind the links they get."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.routing import BaseRoute

from frontdesk.web.links import LinkHandler

LINKS: Mapping[int, LinkHandler] = {}


def routes() -> list[BaseRoute]:
    """`LINKS` has the pages of the links, for the one route that all desks share."""
    return []
