"""Wordings of messages that the business can change: plain text with checked placeholders.

A wording is a subject and a body. In the body, blank lines separate paragraphs, a line that starts
with '# ' is a headline, and a link is on a line of its own: the words above it become its button.
A wording has no logic: it can only be shown.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import ClassVar, Final

from frontdesk.core.saved_settings import SavedSetting
from frontdesk.core.sends import Via
from frontdesk.core.sms import shorten
from frontdesk.values import Frozen

MOST_SUBJECT: Final = 150
MOST_BODY: Final = 5_000

_PLACEHOLDER: Final = re.compile(r"\{\{\s*(\w*)\s*\}\}")
_LINK_LINE: Final = re.compile(r"\{\{\s*(\w+_link)\s*\}\}")
_LED: Final = re.compile(r"(?P<lead>.+[.?!]) (?P<label>.+)")
_DETAILS: Final = "details"
#: A paragraph with the details alone.
_CARD: Final = ("", _DETAILS, "")


class Wording(Frozen):
    """The wording of a message."""

    subject: str
    body: str


def saved_name(via: Via, kind: str) -> str:
    """The name under which the wording of a mail or an SMS is saved."""
    return kind if via is Via.MAIL else f"{kind}.sms"


def wording_setting(desk: str, mail_kind: str) -> SavedSetting[Wording | None]:
    """Returns the setting for the business's own wording of a mail; None: it uses the default."""
    return SavedSetting(f"{desk}.wording.{mail_kind}", Wording, None)


class WordingSpec(Frozen, eq=False):
    """A message whose wording can be changed. It compares and hashes by identity."""

    title: str
    text: str
    """The default wording, as `parse` reads it."""
    placeholders: Mapping[str, str]
    """Each with a sample value for previews."""
    must: frozenset[str] = frozenset()
    """Placeholders that every wording must contain."""
    one_of: frozenset[str] = frozenset()
    """Placeholders of which every wording must contain one, if there are any."""

    @property
    def default(self) -> Wording:
        """The default wording. Its lines are wrapped in the source only, not in the mail."""
        wrapped = parse(self.text)
        return Wording(wrapped.subject, "\n\n".join(map(_unwrapped, _blocks(wrapped.body))))


def wording_spec(
    title: str, text: str, must: str = "", one_of: str = "", **placeholders: str
) -> WordingSpec:
    """Builds a spec. `must` and `one_of` name placeholders, separated by spaces."""
    needed, options = frozenset(must.split()), frozenset(one_of.split())
    assert needed | options <= placeholders.keys()
    return WordingSpec(title, text, MappingProxyType(placeholders), needed, options)


@lru_cache(maxsize=256)
def usable(spec: WordingSpec, own: Wording | None) -> Wording:
    """Returns the business's own wording if it is valid, else the default. An update may have
    removed a placeholder."""
    return own if own and not check(spec, own) else spec.default


class WordingProblem(Frozen):
    """Why a wording cannot be used, for people to read."""

    part: str
    """'subject' or 'body'."""
    text: str


# --- a filled body --------------------------------------------------------------------------


class Headline(Frozen):
    kind: ClassVar[str] = "headline"
    text: str


class Paragraph(Frozen):
    kind: ClassVar[str] = "paragraph"
    text: str


class DetailsCard(Frozen):
    """The facts box: what, when and where."""

    kind: ClassVar[str] = "details"


class Action(Frozen):
    """A link with its label. The first one without a lead is the mail's large button."""

    kind: ClassVar[str] = "action"
    lead: str
    label: str
    url: str


Block = Headline | Paragraph | DetailsCard | Action


class FilledWording(Frozen):
    subject: str
    blocks: tuple[Block, ...]


def fill(wording: Wording, values: Mapping[str, str]) -> FilledWording:
    """Replaces the placeholders. An empty paragraph, or a link without a URL, is left out. The
    text before such a link stays, unless it is a question that the link would answer.

    Values are text: placeholders in them are not replaced.
    """
    subject, body = _compiled(wording)
    return FilledWording(
        " ".join(_filled(subject, values).split()),
        tuple(block for made in body for block in made.fill(values)),
    )


@lru_cache(maxsize=256)
def placeholders(wording: Wording) -> tuple[str, ...]:
    """The names of the values that a wording shows."""
    return tuple(dict.fromkeys((*_names(wording.subject), *_names(wording.body))))


@lru_cache(maxsize=256)
def link_names(wording: Wording) -> tuple[str, ...]:
    return tuple(name for name in placeholders(wording) if name.endswith("_link"))


def as_sms(filled: FilledWording) -> str:
    """Writes one line per paragraph and each link after its label, abbreviated to fit an SMS."""
    return shorten("\n".join(plain_lines(filled)))


def plain_lines(filled: FilledWording) -> Iterator[str]:
    for block in filled.blocks:
        match block:
            case Headline(text) | Paragraph(text):
                yield " ".join(text.split())
            case Action(lead, label, url):
                yield f"{lead} {label}: {url}".strip()
            case _:
                continue


_Parts = tuple[str, ...]
"""Text and placeholder names alternate; text is first."""


class _BlockTemplate(Frozen):
    """A block with unfilled placeholders."""

    kind: type[Block]
    parts: _Parts
    link: str = ""

    def fill(self, values: Mapping[str, str]) -> Iterator[Block]:
        if self.kind is DetailsCard:
            yield DetailsCard()
        elif self.kind is Action:
            action = _action(_filled(self.parts, values), values[self.link])
            if action.url:
                yield action
            elif action.lead and not action.lead.endswith("?"):
                yield Paragraph(action.lead)
        elif self.kind is Headline:
            yield Headline(_filled(self.parts, values))
        else:
            text = _filled(self.parts, values).strip()
            yield from (Paragraph(part.strip()) for part in text.split("\n\n") if part.strip())


def _action(words: str, url: str) -> Action:
    """The last sentence above a link is its label."""
    tidy = " ".join(words.split()).rstrip(" :")
    if led := _LED.fullmatch(tidy):
        return Action(led["lead"], led["label"], url)
    return Action("", tidy, url)


def _filled(parts: _Parts, values: Mapping[str, str]) -> str:
    """An empty value takes the space and the comma before it away: 'Cut {{ with_staff }}.' becomes
    'Cut.'. At the beginning it takes the comma after it: '{{ name }}, we' becomes 'We'."""
    text = parts[0]
    for name, after in zip(parts[1::2], parts[2::2], strict=True):
        if values[name]:
            text += values[name] + after
        elif text or not after.startswith(", "):
            text = text.removesuffix(" ").removesuffix(",") + after
        else:
            text = after[2:3].upper() + after[3:]
    return text


@lru_cache(maxsize=512)
def _compiled(wording: Wording) -> tuple[_Parts, tuple[_BlockTemplate, ...]]:
    return _parts(wording.subject), tuple(_template_of(block) for block in _blocks(wording.body))


def _blocks(body: str) -> list[str]:
    text = "\n".join(line.strip() for line in body.splitlines())
    return [block.strip() for block in re.split(r"\n{2,}", text) if block.strip()]


def _unwrapped(block: str) -> str:
    """Joins the lines of a block; a link keeps its line."""
    above, _, last = block.rpartition("\n")
    if _LINK_LINE.fullmatch(last):
        return "\n".join((above.replace("\n", " "), last))
    return block.replace("\n", " ")


def _template_of(block: str) -> _BlockTemplate:
    above, _, last = block.rpartition("\n")
    if link := _LINK_LINE.fullmatch(last):
        return _BlockTemplate(Action, _parts(above), link[1])
    if block.startswith("# "):
        return _BlockTemplate(Headline, _parts(block[2:].replace("\n", " ")))
    parts = _parts(block)
    return _BlockTemplate(DetailsCard if parts == _CARD else Paragraph, parts)


def _parts(text: str) -> _Parts:
    return tuple(_PLACEHOLDER.split(text))


# --- checking ---------------------------------------------------------------------------------


def check(mail: WordingSpec, wording: Wording) -> tuple[WordingProblem, ...]:
    """Returns all problems of a wording."""
    return (*_check_subject(mail, wording.subject), *_check_body(mail, wording.body))


def _check_subject(mail: WordingSpec, subject: str) -> Iterator[WordingProblem]:
    if not subject.strip():
        yield WordingProblem("subject", "Please write a subject.")
    if len(subject) > MOST_SUBJECT:
        yield WordingProblem("subject", f"The subject is longer than {MOST_SUBJECT} characters.")
    if len(subject.splitlines()) > 1:
        yield WordingProblem("subject", "The subject is one line.")
    for name in _names(subject):
        if name.endswith("_link") or name == _DETAILS:
            yield WordingProblem("subject", f"{{{{ {name} }}}} cannot stand in the subject.")
    yield from _check_placeholders("subject", mail, subject)


def _check_body(mail: WordingSpec, body: str) -> Iterator[WordingProblem]:
    if not body.strip():
        yield WordingProblem("body", "Please write what the mail says.")
    if len(body) > MOST_BODY:
        yield WordingProblem("body", f"The text is longer than {MOST_BODY:,} characters.")
    yield from _check_placeholders("body", mail, body)
    for name in sorted(mail.must - set(_names(body))):
        yield WordingProblem(
            "body", f"{{{{ {name} }}}} is missing: without it this mail is no use."
        )
    if mail.one_of and not mail.one_of & set(_names(body)):
        names = " or ".join(f"{{{{ {name} }}}}" for name in sorted(mail.one_of))
        yield WordingProblem("body", f"{names} is missing: without it nobody can answer.")
    for block in _blocks(body):
        yield from _check_block(block)


def _check_placeholders(part: str, mail: WordingSpec, text: str) -> Iterator[WordingProblem]:
    for name in _names(text):
        if name not in mail.placeholders:
            known = ", ".join(sorted(mail.placeholders))
            yield WordingProblem(
                part, f"There is no {{{{ {name} }}}} in this mail. There is: {known}."
            )
    rest = _PLACEHOLDER.sub("", text)
    if "{{" in rest or "}}" in rest:
        yield WordingProblem(
            part, "A placeholder is written with two braces on each side: {{ name }}."
        )


def _check_block(block: str) -> Iterator[WordingProblem]:
    above, _, last = block.rpartition("\n")
    own_line = _LINK_LINE.fullmatch(last)
    if own_line and not above.strip():
        yield WordingProblem("body", f"Write above {{{{ {own_line[1]} }}}} what pressing it does.")
    for name in _names(above if own_line else block):
        if name.endswith("_link"):
            text = f"{{{{ {name} }}}} needs a line of its own, at the end of its paragraph."
            yield WordingProblem("body", text)
        elif name == _DETAILS and _parts(block) != _CARD:
            yield WordingProblem("body", "{{ details }} needs a paragraph of its own.")


def _names(text: str) -> list[str]:
    """Returns each placeholder once, in the order of the text."""
    return list(dict.fromkeys(_PLACEHOLDER.findall(text)))


@lru_cache(maxsize=256)
def parse(text: str) -> Wording:
    """Parses a wording: 'Subject: …' and the body, or the body alone."""
    first, _, body = text.strip().partition("\n")
    if not first.startswith("Subject: "):
        return Wording("", text.strip())
    return Wording(first.removeprefix("Subject: "), body.strip())
