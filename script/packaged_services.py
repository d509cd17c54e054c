"""Shortens AWS's descriptions of its services to the operations that our code asks for.

A client has a method for each operation that is described, and whoever starts cold waits until all
of them are made: 150 of the Parameter Store, of which we use one.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from botocore import xform_name
from botocore.loaders import Loader

#: Those that nearly every function asks when it starts.
SERVICES = ("dynamodb", "ssm")
KIND = "service-2"


def shorten_descriptions(code: Iterable[Path], place: Path) -> None:
    """Leaves them in `place`, laid out as botocore looks for them. It has the rest itself."""
    words = {word for path in code for word in _words(ast.parse(path.read_text("utf-8")))}
    loader = Loader()
    for service in SERVICES:
        version = loader.determine_latest_version(service, KIND)
        description = loader.load_data(f"{service}/{version}/{KIND}")
        folder = place / service / version
        folder.mkdir(parents=True)
        short = json.dumps(_shortened(description, words), separators=(",", ":"))
        (folder / f"{KIND}.json").write_text(short, "utf-8")


def _words(tree: ast.AST) -> Iterator[str]:
    """Whatever might name an operation: `client.scan(...)`, `client.get_paginator("scan")`."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=word) | ast.Constant(value=str(word)):
                yield word
            case _:
                pass


def _shortened(description: dict[str, Any], words: set[str]) -> dict[str, Any]:
    operations = {
        name: each for name, each in description["operations"].items() if xform_name(name) in words
    }
    shapes: dict[str, Any] = {}
    todo = list(_shapes_in(operations))
    while todo:
        name = todo.pop()
        if name not in shapes:
            shapes[name] = description["shapes"][name]
            todo.extend(_shapes_in(shapes[name]))
    kept = {**description, "operations": operations, "shapes": dict(sorted(shapes.items()))}
    undocumented: dict[str, Any] = _without_documentation(kept)
    return undocumented


def _shapes_in(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(name := part.get("shape"), str):
            yield name
        part = list(part.values())
    if isinstance(part, list):
        for each in part:
            yield from _shapes_in(each)


def _without_documentation(part: Any) -> Any:
    match part:
        case dict():
            return {
                name: _without_documentation(each)
                for name, each in part.items()
                if name != "documentation" or not isinstance(each, str)
            }
        case list():
            return [_without_documentation(each) for each in part]
        case _:
            return part
