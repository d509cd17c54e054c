"""Shortens the service descriptions of AWS to the operations that our code uses.

A client has a method for each described operation, which makes cold starts slower: 150 of the
Parameter Store, of which we use one. botocore also reads a list of endpoints of 300 services in 40
regions.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from botocore import xform_name
from botocore.loaders import Loader

#: Services that almost every function uses when it starts.
SERVICES = ("dynamodb", "ssm")
KIND = "service-2"
PLACES = "endpoints"
#: Services that functions call, by their names in the list of endpoints. A default rule finds
#: others.
ASKED = (
    *("bedrock-runtime", "dynamodb", "email", "events", "lambda", "s3", "scheduler"),
    *("secretsmanager", "sns", "sqs", "ssm", "sts", "textract"),
)


def shorten_descriptions(code: Iterable[Path], place: Path) -> None:
    """Writes the descriptions to `place` in botocore's layout. botocore itself has all others."""
    words = {word for path in code for word in _words(ast.parse(path.read_text("utf-8")))}
    loader = Loader()
    for service in SERVICES:
        version = loader.determine_latest_version(service, KIND)
        description = loader.load_data(f"{service}/{version}/{KIND}")
        folder = place / service / version
        folder.mkdir(parents=True)
        _write(folder / f"{KIND}.json", _shortened(description, words))
    _write(place / f"{PLACES}.json", _of_those_asked(loader.load_data(PLACES)))


def _write(path: Path, what: dict[str, Any]) -> None:
    path.write_text(json.dumps(what, separators=(",", ":")), "utf-8")


def _of_those_asked(places: dict[str, Any]) -> dict[str, Any]:
    partitions = [
        {
            **each,
            "services": {
                name: each["services"][name] for name in ASKED if name in each["services"]
            },
        }
        for each in places["partitions"]
    ]
    return {**places, "partitions": partitions}


def _words(tree: ast.AST) -> Iterator[str]:
    """Yields all words that may name an operation: `client.scan(...)`, `get_paginator("scan")`."""
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
