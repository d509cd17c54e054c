"""Parses and writes the document with the wordings of all messages, one part per mail or SMS.

A part begins with '## Text: offer' or '## Mail: offer'. A mail's first line is its subject. A
message that the document leaves out keeps its default wording. A message may have a second wording,
'## Mail: offer, second wording', which a random half of the people get.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import Final

from frontdesk.core.sends import Via
from frontdesk.core.sms import Size, size
from frontdesk.core.wording import (
    FilledWording,
    Wording,
    WordingSpec,
    as_sms,
    check,
    fill,
    plain_lines,
)
from frontdesk.values import Frozen

MOST_CHARACTERS: Final = 60_000
MOST_SEGMENTS: Final = 4
#: The parser stops after this many problems.
MOST_PROBLEMS: Final = 100

Key = tuple[Via, str]
"""A mail or an SMS, and its kind."""
Wordings = Mapping[Key, Wording]


class DocumentProblem(Frozen):
    """The reason why a part cannot be used, and its line."""

    line: int
    part: str
    """Such as 'Text: offer'; empty outside of all parts."""
    why: str


class ParsedDocument(Frozen):
    wordings: Wordings
    """The default wordings, replaced by valid parts. Use them only if there are no problems."""
    problems: tuple[DocumentProblem, ...]


class Preview(Frozen):
    """A message with sample values."""

    key: Key
    title: str
    filled: FilledWording
    text: str
    """Plain text; for an SMS, exactly what is sent."""
    size: Size | None
    """The size of an SMS, which sets its cost."""


class WordingDocument:
    """The document of one desk. `intro` is a comment at its top. A second wording has no default:
    it exists only if somebody writes it."""

    def __init__(self, specs: Mapping[Key, WordingSpec], intro: str) -> None:
        self.specs = specs
        self._intro = intro

    @cached_property
    def defaults(self) -> Wordings:
        return {key: spec.default for key, spec in self.specs.items() if not is_second(key[1])}

    @cached_property
    def default_text(self) -> str:
        return self.with_intro(self.defaults)

    def write(self, wordings: Wordings) -> str:
        """Writes the document with these wordings."""
        parts = (_written(key, wordings[key]) for key in self.specs if key in wordings)
        return "\n\n".join(parts) + "\n"

    def with_intro(self, wordings: Wordings) -> str:
        return f"{self._intro}\n\n{self.write(wordings)}"

    def with_part(self, text: str, key: Key, wording: Wording | None) -> str:
        """The text with this part in place of the one that it has; without the part if it is
        None."""
        lines = _LINE_END.split(text)
        starts = [n for n, line in enumerate(lines) if _HEADING.fullmatch(line)]
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
            found = _HEADING.fullmatch(lines[start])
            if found and _Part(start, found[1]).key == key:
                part = _written(key, wording).splitlines() if wording else []
                rest = lines[end:]
                return "\n".join([*lines[:start], *part, *([""] if part and rest else []), *rest])
        if wording is None:
            return text
        return f"{text.rstrip()}\n\n{_written(key, wording)}\n"

    def parse(self, text: str) -> ParsedDocument:
        if len(text) > MOST_CHARACTERS:
            why = f"The document is longer than {MOST_CHARACTERS:,} characters."
            return ParsedDocument(self.defaults, (DocumentProblem(1, "", why),))
        wordings = dict(self.defaults)
        problems: list[DocumentProblem] = []
        seen: dict[Key, int] = {}
        for part in _parts(_LINE_END.split(text.removeprefix("\ufeff"))):
            key = part.key if part.key in self.specs else None
            found = [*_check(self.specs, part, key, seen)]
            problems += found
            if key and not found:
                wordings[key] = part.wording
            if key:
                seen.setdefault(key, part.line)
            if len(problems) >= MOST_PROBLEMS:
                break
        problems.sort(key=lambda problem: problem.line)
        return ParsedDocument(wordings, tuple(problems[:MOST_PROBLEMS]))

    def with_headings(self, lines: list[str]) -> list[str]:
        """Puts the lost '##' back in front of headings."""
        return [
            f"## {line.strip()}"
            if _LOST_HEADING.fullmatch(line) and _Part(0, line.strip()).key in self.specs
            else line
            for line in lines
        ]

    def previews(
        self, wordings: Wordings, real: Mapping[str, str] | None = None
    ) -> tuple[Preview, ...]:
        """Every message with sample values; `real` values of this business replace samples."""
        return tuple(
            self._preview(wordings, key, real or {}) for key in self.specs if key in wordings
        )

    def _preview(self, wordings: Wordings, key: Key, real: Mapping[str, str]) -> Preview:
        spec = self.specs[key]
        known = {name: real[name] for name in spec.placeholders.keys() & real.keys()}
        filled = fill(wordings[key], {**spec.placeholders, **known})
        if key[0] is Via.MAIL:
            return Preview(key, spec.title, filled, "\n\n".join(plain_lines(filled)), None)
        text = as_sms(filled)
        return Preview(key, spec.title, filled, text, size(text))


def _written(key: Key, wording: Wording) -> str:
    subject = f"Subject: {wording.subject}\n\n" if key[0] is Via.MAIL else ""
    return f"## {title_of(key)}\n{subject}{wording.body}"


def title_of(key: Key) -> str:
    via, kind = key
    name = f"{first_of(kind)}, second wording" if is_second(kind) else kind
    return f"{via.capitalize()}: {name}"


_SECOND: Final = "_b"


def second_of(kind: str) -> str:
    """The kind under which the second wording of a message is saved."""
    return f"{kind}{_SECOND}"


def first_of(second: str) -> str:
    return second.removesuffix(_SECOND)


def is_second(kind: str) -> bool:
    return kind.endswith(_SECOND)


_LOST_HEADING: Final = re.compile(
    r"\s*(?:text|sms|mail|e-?mail)\s*:\s*\w+(?: \w+){0,3}(?:,\s*second wording)?\s*",
    re.IGNORECASE,
)
_LINE_END: Final = re.compile(r"\r\n|\n|\r")


# --- parts ------------------------------------------------------------------------------------

_HEADING: Final = re.compile(r"\s*##+\s*(.*?)[\s#]*")
_TITLE: Final = re.compile(r"(text|sms|(?:e-?)?mail)\s*[:,]?\s+(.+)", re.IGNORECASE)
_SUBJECT: Final = re.compile(r"\s*subject:\s*(.*?)\s*", re.IGNORECASE)


@dataclass(slots=True)
class _Part:
    """A heading with the lines below it."""

    line: int
    title: str
    lines: list[tuple[int, str]] = field(default_factory=list)

    @property
    def is_something(self) -> bool:
        return bool(self.title) or any(line.strip() for _, line in self.lines)

    @property
    def key(self) -> Key | None:
        found = _TITLE.fullmatch(self.title)
        if found is None:
            return None
        via = Via.TEXT if found[1].lower() in ("text", "sms") else Via.MAIL
        name, comma, rest = found[2].lower().partition(",")
        kind = "_".join(name.split())
        if comma:
            return (via, second_of(kind)) if rest.split() == ["second", "wording"] else None
        return via, kind

    @property
    def subject(self) -> tuple[int, str] | None:
        """The subject and its line, if the first line that is not empty is a subject."""
        for number, line in self.lines:
            if found := _SUBJECT.fullmatch(line):
                return number, found[1]
            if line.strip():
                return None
        return None

    @property
    def body(self) -> list[tuple[int, str]]:
        subject = self.subject
        return [(n, line) for n, line in self.lines if subject is None or n > subject[0]]

    @property
    def wording(self) -> Wording:
        _, subject = self.subject or (0, "")
        text = "\n".join(line.rstrip() for _, line in self.body)
        return Wording(subject, text.strip("\n"))


def _parts(lines: Iterable[str]) -> Iterator[_Part]:
    """Splits lines into parts. Text before the first heading is a part without a title; comments
    are left out."""
    part = _Part(1, "")
    for number, line in enumerate(lines, start=1):
        if found := _HEADING.fullmatch(line):
            yield from [part] if part.is_something else []
            part = _Part(number, found[1] or "##")
        elif not _COMMENT.match(line) and (part.title or not _MAIN_TITLE.match(line)):
            part.lines.append((number, line))
    yield from [part] if part.is_something else []


_COMMENT: Final = re.compile(r"\s*//")
_MAIN_TITLE: Final = re.compile(r"\s*#")


# --- checking ---------------------------------------------------------------------------------


def _check(
    specs: Mapping[Key, WordingSpec], part: _Part, key: Key | None, seen: Mapping[Key, int]
) -> Iterator[DocumentProblem]:
    if key is None:
        yield _unknown(specs, part)
    elif key in seen:
        yield DocumentProblem(part.line, part.title, f"Line {seen[key]} begins the same part.")
    else:
        found = (_check_sms if key[0] is Via.TEXT else _check_mail)(specs[key], part)
        yield from (DocumentProblem(line, part.title, why) for line, why in found)


def _unknown(specs: Iterable[Key], part: _Part) -> DocumentProblem:
    if not part.title:
        [first, *_] = (n for n, line in part.lines if line.strip())
        return DocumentProblem(first, "", "A part begins with its heading, like: ## Text: offer")
    known = [title_of(key) for key in specs]
    near = get_close_matches(part.title.capitalize(), known, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]}?" if near else f" There is: {', '.join(known)}."
    return DocumentProblem(part.line, part.title, f"There is no such message.{hint}")


_Found = Iterator[tuple[int, str]]


def _check_mail(spec: WordingSpec, part: _Part) -> _Found:
    if part.subject is None:
        yield part.line, "A mail begins with its subject, like: Subject: A place is free"
        return
    number, _ = part.subject
    lines = _first_lines(spec, part)
    for problem in check(spec, part.wording):
        at_body = lines.get(problem.text, part.line)
        yield number if problem.part == "subject" else at_body, problem.text


def _check_sms(spec: WordingSpec, part: _Part) -> _Found:
    if part.subject is not None:
        yield part.subject[0], "A text has no subject."
        return
    lines = _first_lines(spec, part)
    problems = _body_problems(spec, part.wording.body)
    for why in problems:
        yield lines.get(why, part.line), why.replace("this mail", "this text")
    for number, line in part.body:
        if line.lstrip().startswith("# "):
            yield number, "A text has no headline."
    links = [number for number, line in part.body for _ in _LINK.findall(line)]
    if len(links) > 1:
        yield links[1], "A text has one link; its page has all the buttons."
    if not problems:
        yield from _check_length(spec, part)


_LINK: Final = re.compile(r"\{\{\s*\w+_link\s*\}\}")


def _body_problems(spec: WordingSpec, body: str) -> list[str]:
    found = check(spec, Wording("A subject", body))
    return [problem.text for problem in found]


def _first_lines(spec: WordingSpec, part: _Part) -> Mapping[str, int]:
    """The first line with each problem. Missing placeholders belong to no line."""
    missing = {*_body_problems(spec, "")}
    found = ((why, n) for n, line in reversed(part.body) for why in _body_problems(spec, line))
    return {why: number for why, number in found if why not in missing}


def _check_length(spec: WordingSpec, part: _Part) -> _Found:
    segments = size(as_sms(fill(part.wording, spec.placeholders))).segments
    if segments > MOST_SEGMENTS:
        yield part.line, f"This would go out as {segments} texts; {MOST_SEGMENTS} is the most."
