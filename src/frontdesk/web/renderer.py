"""Renders templates: one Jinja environment, hashed static files, strict headers."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from datetime import datetime
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from jinja2 import BaseLoader, Environment, FunctionLoader, PrefixLoader, StrictUndefined
from jinja2.loaders import ChoiceLoader, ModuleLoader
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from frontdesk.core.contact_card import ContactCard
from frontdesk.values import Frozen
from frontdesk.web.colours import accent_palette

#: `script/package` puts the compiled templates here: compiling them takes longer than the rest of
#: the first response.
COMPILED: Final = Path(__file__).parent / "compiled"
TEXT_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}

#: Sent with every page. Nothing is loaded from other sites; inline code needs the nonce.
POLICY = (
    "default-src 'none'; base-uri 'none'; connect-src 'self'; font-src 'self'; "
    "form-action 'self'{posts_to}; frame-src 'self'; img-src 'self' data:; manifest-src 'self'; "
    "script-src 'self' 'nonce-{nonce}'; style-src 'self' 'nonce-{nonce}'; "
    "frame-ancestors {ancestors}"
)
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(self), geolocation=(), microphone=()",
    "cache-control": "no-store",
}


class Branding(Frozen):
    """The name, colour and contact details of the business on every page."""

    business_name: str
    accent: str
    """A colour as #rrggbb."""
    contact: ContactCard = ContactCard()


class StaticFile(Frozen):
    body: bytes
    media_type: str


class Renderer:
    """`desks` maps a prefix ('rsvp') to the package that has the desk's `templates` folder."""

    def __init__(self, branding: Branding, desks: Mapping[str, str]) -> None:
        self._branding = branding
        self._accent = Markup(accent_palette(branding.accent).css)  # noqa: S704 - computed from a checked colour
        self.static = dict(_static_files())
        self._urls = {
            name.partition("~")[2]: f"/static/{name.partition('~')[0]}/{name.partition('~')[2]}"
            for name in self.static
        }
        by_desk = {prefix: _package_loader(package) for prefix, package in desks.items()}
        written = (PrefixLoader(by_desk), _package_loader("frontdesk.web"))
        self.templates = Environment(
            loader=ChoiceLoader([*_compiled(), *written]),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
            cache_size=-1,
        )
        self.templates.globals["static_url"] = self.static_url

    @property
    def branding(self) -> Branding:
        return self._branding

    def set_branding(self, branding: Branding) -> None:
        """Applies a new name, colour or contact of the business."""
        self._branding = branding
        self._accent = Markup(accent_palette(branding.accent).css)  # noqa: S704 - as above

    def static_url(self, name: str) -> str:
        """Returns a URL with the file's digest, so that browsers can cache it for ever."""
        return self._urls[name]

    def html(self, template: str, now: datetime, nonce: str, values: Mapping[str, Any]) -> str:
        return self.templates.get_template(template).render(
            business_name=self._branding.business_name,
            accent_css=self._accent,
            contact=self._branding.contact,
            csp_nonce=nonce,
            now_iso=now.isoformat(),
            **values,
        )

    def page(
        self,
        template: str,
        now: datetime,
        *,
        status: int = 200,
        embeddable: bool = False,
        headers: Mapping[str, str] | None = None,
        **values: Any,
    ) -> Response:
        """`values` are the template's own; the common values of the layout are added."""
        nonce = secrets.token_urlsafe(12)
        body = self.html(template, now, nonce, values)
        policy = POLICY.format(nonce=nonce, posts_to="", ancestors="*" if embeddable else "'none'")
        frames = {} if embeddable else {"x-frame-options": "DENY"}
        return HTMLResponse(
            body,
            status,
            {"content-security-policy": policy, **frames, **HEADERS, **(headers or {})},
        )


def _compiled() -> list[BaseLoader]:
    return [ModuleLoader(COMPILED)] if COMPILED.is_dir() else []


def _package_loader(package: str) -> FunctionLoader:
    folder = files(package) / "templates"

    def load(name: str) -> tuple[str, str | None, None] | None:
        path = folder.joinpath(*name.split("/"))
        try:
            return path.read_text("utf-8"), None, None
        except (FileNotFoundError, IsADirectoryError):
            return None

    return FunctionLoader(load)


def _static_files() -> list[tuple[str, StaticFile]]:
    found = []
    for path in sorted((files("frontdesk.web") / "static").iterdir(), key=lambda one: one.name):
        media_type = TEXT_TYPES.get(_ending(path))
        if media_type is None:
            continue
        body = path.read_bytes()
        digest = hashlib.sha256(body).hexdigest()[:12]
        found.append((f"{digest}~{path.name}", StaticFile(body, media_type)))
    return found


def _ending(path: Traversable) -> str:
    return "." + path.name.rpartition(".")[2]
