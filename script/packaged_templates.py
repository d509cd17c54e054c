"""Compiles the templates of all pages to modules, as Jinja would on first use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jinja2.loaders import ModuleLoader

from frontdesk.web.colours import DEFAULT_ACCENT
from frontdesk.web.renderer import Branding, Renderer
from frontdesk.wiring.site import TEMPLATES

#: Mails have their own environment.
NOT_PAGES = "mail"


def compile_templates(source: Path, place: Path) -> None:
    """Writes a module for each template to `place`; `source` has the packages."""
    place.mkdir(parents=True)
    environment = Renderer(Branding("", DEFAULT_ACCENT), TEMPLATES).templates
    for name, path in pages(source):
        code = environment.compile(path.read_text("utf-8"), name, raw=True, defer_init=True)
        (place / ModuleLoader.get_module_filename(name)).write_text(code, "utf-8")


def pages(source: Path) -> Iterator[tuple[str, Path]]:
    """Yields all templates with the names by which pages use them."""
    for prefix, package in {"": "frontdesk.web", **TEMPLATES}.items():
        folder = source.joinpath(*package.split("."), "templates")
        for path in sorted(each for each in folder.rglob("*") if each.is_file()):
            name = path.relative_to(folder)
            if name.parts[0] != NOT_PAGES:
                yield (f"{prefix}/" if prefix else "") + name.as_posix(), path
