"""The values with which `wordings/document.html` shows a document: problems, previews, samples."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from frontdesk.core.sends import Via
from frontdesk.core.words import count
from frontdesk.features.wordings.document import Preview, WordingDocument, title_of


def shown_wordings(
    document: WordingDocument, text: str, real: Mapping[str, str], example: str
) -> dict[str, Any]:
    """`real` has values of this business, which replace samples; the hint names `example`."""
    parsed = document.parse(text)
    wrong = {problem.part.casefold() for problem in parsed.problems}
    messages: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for preview in document.previews(parsed.wordings, real):
        messages[preview.key[1]].append(_message(preview, wrong, real))
    return {
        "cost": [],
        "example": example,
        "problems": len(parsed.problems),
        "found": parsed.problems,
        "messages": [
            {
                "title": document.specs[them[0]["key"]].title,
                "parts": them,
                "placeholders": _placeholders(document, them[0]["key"][1], real),
                "is_wrong": any(each["is_wrong"] for each in them),
            }
            for them in messages.values()
        ],
    }


def _message(preview: Preview, wrong: set[str], real: Mapping[str, str]) -> dict[str, Any]:
    title = title_of(preview.key)
    size = preview.size
    return {
        "key": preview.key,
        "part": title,
        "is_text": preview.key[0] is Via.TEXT,
        "text": preview.text,
        "subject": preview.filled.subject,
        "blocks": preview.filled.blocks,
        "sender": real["business"],
        "size": ""
        if size is None
        else f"{count(size.units, 'character')}, {count(size.segments, 'segment')}",
        "is_wrong": title.casefold() in wrong,
    }


def _placeholders(
    document: WordingDocument, kind: str, real: Mapping[str, str]
) -> list[tuple[str, str, bool]]:
    """The placeholders of a message: name, sample, and whether one of its channels requires it."""
    known: dict[str, str] = {}
    must: set[str] = set()
    for (_, name), spec in document.specs.items():
        if name == kind:
            known |= spec.placeholders
            must |= spec.must
    return [
        (name, _one_line(real.get(name, sample)), name in must) for name, sample in known.items()
    ]


def _one_line(sample: str) -> str:
    is_link = sample.startswith(("https://", "http://"))
    return "a link" if is_link else " · ".join(sample.splitlines())
