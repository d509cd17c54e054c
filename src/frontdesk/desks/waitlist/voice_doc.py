"""The words of every message as one document that staff write: a part per channel and kind.

A part begins with '## Text: offer' or '## Mail: offer'. A mail's first line is its subject. What a
document leaves out is said in the words that come with the desk.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType
from typing import Final

from frontdesk.core import wording as core
from frontdesk.core.sms import Size, shorten, size
from frontdesk.core.wording import Action, Filled, Headline, Paragraph, Wording
from frontdesk.desks.waitlist.voice_kinds import DEFAULT_DOCUMENT, KINDS, Channel, Key
from frontdesk.values import Frozen

MOST_CHARACTERS: Final = 60_000
MOST_SEGMENTS: Final = 4
#: Whoever has this many to look at does not want more yet.
MOST_PROBLEMS: Final = 100


class Problem(Frozen):
    """Why a part cannot be used, and the line to look at."""

    line: int
    part: str
    """Such as 'Text: offer'; empty outside of all parts."""
    why: str


class Voice(Frozen):
    wordings: Mapping[Key, Wording]
    """One for every channel and kind. A text has no subject."""


class Parsed(Frozen):
    voice: Voice
    """The sound parts, over the desk's own words. To be used only without problems."""
    problems: tuple[Problem, ...]


class Preview(Frozen):
    """How a message reads, with sample values."""

    key: Key
    title: str
    filled: Filled
    text: str
    """As plain text; of a text message, exactly what is sent."""
    size: Size | None
    """What a text message costs."""


def in_force(last_good: Voice, parsed: Parsed) -> Voice:
    """All of a document, or none of it."""
    return last_good if parsed.problems else parsed.voice


@cache
def default_voice() -> Voice:
    parts = _parts(DEFAULT_DOCUMENT.splitlines())
    wordings = {part.key: part.wording for part in parts if part.key}
    assert wordings.keys() == KINDS.keys()
    return Voice(MappingProxyType(wordings))


def parse(text: str) -> Parsed:
    if len(text) > MOST_CHARACTERS:
        why = f"The document is longer than {MOST_CHARACTERS:,} characters."
        return Parsed(default_voice(), (Problem(1, "", why),))
    wordings = dict(default_voice().wordings)
    problems: list[Problem] = []
    seen: dict[Key, int] = {}
    for part in _parts(_LINE_END.split(text.removeprefix("\ufeff"))):
        found = [*_check(part, seen)]
        problems += found
        if part.key and not found:
            wordings[part.key] = part.wording
        if part.key:
            seen.setdefault(part.key, part.line)
        if len(problems) >= MOST_PROBLEMS:
            break
    problems.sort(key=lambda problem: problem.line)
    return Parsed(Voice(MappingProxyType(wordings)), tuple(problems[:MOST_PROBLEMS]))


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
        channel = Channel.TEXT if found[1].lower() in ("text", "sms") else Channel.MAIL
        key = (channel, "_".join(found[2].lower().split()))
        return key if key in KINDS else None

    @property
    def subject(self) -> tuple[int, str] | None:
        """The first line with anything on it, if it says that it is the subject."""
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
    """What stands before the first heading is a part without a title; comments are in none."""
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


def _check(part: _Part, seen: Mapping[Key, int]) -> Iterator[Problem]:
    key = part.key
    if key is None:
        yield _unknown(part)
    elif key in seen:
        yield Problem(part.line, part.title, f"Line {seen[key]} begins the same part.")
    else:
        found = _check_text(key, part) if key[0] is Channel.TEXT else _check_mail(key, part)
        yield from (Problem(line, part.title, why) for line, why in found)


def _unknown(part: _Part) -> Problem:
    if not part.title:
        [first, *_] = (n for n, line in part.lines if line.strip())
        return Problem(first, "", "A part begins with its heading, like: ## Text: offer")
    known = [title_of(key) for key in KINDS]
    near = get_close_matches(part.title.capitalize(), known, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]}?" if near else f" There is: {', '.join(known)}."
    return Problem(part.line, part.title, f"There is no such message.{hint}")


def title_of(key: Key) -> str:
    return f"{key[0].capitalize()}: {key[1]}"


_Found = Iterator[tuple[int, str]]


def _check_mail(key: Key, part: _Part) -> _Found:
    if part.subject is None:
        yield part.line, "A mail begins with its subject, like: Subject: A place is free"
        return
    number, _ = part.subject
    lines = _first_lines(key, part)
    for problem in core.check(KINDS[key], part.wording):
        at_body = lines.get(problem.text, part.line)
        yield number if problem.part == "subject" else at_body, problem.text


def _check_text(key: Key, part: _Part) -> _Found:
    if part.subject is not None:
        yield part.subject[0], "A text has no subject."
        return
    lines = _first_lines(key, part)
    problems = _body_problems(key, part.wording.body)
    for why in problems:
        yield lines.get(why, part.line), why.replace("this mail", "this text")
    for number, line in part.body:
        if line.lstrip().startswith("# "):
            yield number, "A text has no headline."
    links = [number for number, line in part.body for _ in _LINK.findall(line)]
    if len(links) > 1:
        yield links[1], "A text has one link; its page has all the buttons."
    if not problems:
        yield from _check_length(key, part)


_LINK: Final = re.compile(r"\{\{\s*\w+_link\s*\}\}")


def _body_problems(key: Key, body: str) -> list[str]:
    found = core.check(KINDS[key], Wording("A subject", body))
    return [problem.text for problem in found]


def _first_lines(key: Key, part: _Part) -> Mapping[str, int]:
    """The first line that has each problem by itself. What is missing is missing on no line."""
    missing = {*_body_problems(key, "")}
    found = ((why, n) for n, line in reversed(part.body) for why in _body_problems(key, line))
    return {why: number for why, number in found if why not in missing}


def _check_length(key: Key, part: _Part) -> _Found:
    segments = size(as_text(core.fill(part.wording, KINDS[key].placeholders))).segments
    if segments > MOST_SEGMENTS:
        yield part.line, f"This would go out as {segments} texts; {MOST_SEGMENTS} is the most."


# --- saying it --------------------------------------------------------------------------------


def say(voice: Voice, key: Key, values: Mapping[str, str]) -> Filled:
    return core.fill(voice.wordings[key], values)


def as_text(filled: Filled) -> str:
    """A text message: its paragraphs one below the other, each link after its words, short."""
    return shorten("\n".join(_lines(filled)))


def _lines(filled: Filled) -> Iterator[str]:
    for block in filled.blocks:
        match block:
            case Headline(text) | Paragraph(text):
                yield " ".join(text.split())
            case Action(lead, label, url):
                yield f"{lead} {label}: {url}".strip()
            case _:
                continue


def previews(voice: Voice, real: Mapping[str, str] | None = None) -> tuple[Preview, ...]:
    """Every message as it would go out to a sample person. `real` is what this business has in
    place of the samples."""
    return tuple(_preview(voice, key, real or {}) for key in KINDS)


def _preview(voice: Voice, key: Key, real: Mapping[str, str]) -> Preview:
    samples = KINDS[key].placeholders
    known = {name: real[name] for name in samples.keys() & real.keys()}
    filled = say(voice, key, {**samples, **known})
    if key[0] is Channel.MAIL:
        return Preview(key, KINDS[key].title, filled, "\n\n".join(_lines(filled)), None)
    text = as_text(filled)
    return Preview(key, KINDS[key].title, filled, text, size(text))


def write(voice: Voice) -> str:
    """The document that says exactly these words."""
    return "\n\n".join(_written(key, voice.wordings[key]) for key in KINDS) + "\n"


def _written(key: Key, wording: Wording) -> str:
    subject = f"Subject: {wording.subject}\n\n" if key[0] is Channel.MAIL else ""
    return f"## {title_of(key)}\n{subject}{wording.body}"


def with_headings(lines: list[str]) -> list[str]:
    """Marks the headings of a document from which the '##' was lost."""
    return [_as_heading(line) for line in lines]


def _as_heading(line: str) -> str:
    found = _PART.fullmatch(line)
    known = {kind for _, kind in KINDS}
    return f"## {line.strip()}" if found and found[2].casefold() in known else line


_PART: Final = re.compile(r"\s*(text|sms|mail|e-?mail)\s*:\s*(\w+)\s*", re.IGNORECASE)
