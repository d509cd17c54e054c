"""Parses mail headers and envelopes: addresses, message ids, verdicts on the sender."""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass, field
from enum import StrEnum

from frontdesk.connect.mime_parts import decode
from frontdesk.values import Frozen

MAX_VALUE = 10_000
MAX_ADDRESSES = 100


def decode_words(value: str) -> str:
    """Decodes encoded words in a header, and collapses spaces."""
    value = _BETWEEN_WORDS.sub(r"\1", value[:MAX_VALUE])
    out: list[str] = []
    run = b""  # one character may be split over adjacent words of one charset
    charset = ""
    at = 0
    for word in _ENCODED_WORD.finditer(value):
        if run and (word.start() > at or word[1].lower() != charset):
            out.append(decode(run, charset))
            run = b""
        out.append(value[at : word.start()])
        charset = word[1].lower()
        run += _word_bytes(word[2], word[3])
        at = word.end()
    out += [decode(run, charset), value[at:]]
    return plain_line("".join(out))


_ENCODED_WORD = re.compile(
    r"=\?([A-Za-z0-9_.:-]{1,40})(?:\*[A-Za-z0-9-]{0,20})?\?([bBqQ])\?([^?\s]*)\?="
)
_BETWEEN_WORDS = re.compile(r"(\?=)[ \t]+(?==\?)")


def _word_bytes(encoding: str, text: str) -> bytes:
    raw = text.encode("utf-8", "replace")
    if encoding in "qQ":
        return binascii.a2b_qp(raw, header=True)
    raw = re.sub(rb"[^A-Za-z0-9+/]", b"", raw)
    raw = raw[:-1] if len(raw) % 4 == 1 else raw
    return binascii.a2b_base64(raw + b"=" * (-len(raw) % 4))


def plain_line(text: str) -> str:
    """Returns one line without control characters or runs of spaces."""
    return " ".join(_CONTROL.sub(" ", text).split())


_CONTROL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


class HeaderAddress(Frozen):
    """An address in a header. `email` is empty if it is ambiguous."""

    name: str
    email: str


def addresses(value: str) -> list[HeaderAddress]:
    """Returns all addresses of a header, in order. Decodes names after splitting, never before."""
    found: list[HeaderAddress] = []
    item = _Item()
    for token in _TOKEN.finditer(value[:MAX_VALUE]):
        quoted, angle, separator, bracket, run, stray = token.groups()
        if bracket is not None:
            item.comment_depth = max(0, item.comment_depth + (1 if bracket == "(" else -1))
        elif item.comment_depth:
            item.comment += token[0]
        elif separator == ":":
            item = _Item()  # the name of a group
        elif separator is not None:
            found += item.addresses()
            item = _Item()
        elif angle is not None:
            item.angles.append(angle)
        elif quoted is not None:
            item.quoted = True
            item.phrase += re.sub(r"\\(.?)", r"\1", quoted)
        else:
            item.phrase += run or ""
            item.broken = item.broken or stray is not None
    return (found + item.addresses())[:MAX_ADDRESSES]


_TOKEN = re.compile(
    r'"((?:[^"\\]|\\.?)*+)(?:"|$)|<([^<>]*+)>|([,;:])|([()])|([^",;:()<>]++)|(.)', re.DOTALL
)


@dataclass(slots=True)
class _Item:
    """One address while it is being parsed."""

    phrase: str = ""
    comment: str = ""
    angles: list[str] = field(default_factory=list)
    comment_depth: int = 0
    quoted: bool = False
    broken: bool = False

    def addresses(self) -> list[HeaderAddress]:
        """Returns no address, one, or one without an e-mail if it is ambiguous."""
        phrase = self.phrase.strip()
        if not phrase and not self.angles and not self.broken:
            return []
        if self.broken or len(self.angles) > 1 or (not self.angles and self.quoted):
            return [HeaderAddress(decode_words(phrase), "")]
        if self.angles:
            return [HeaderAddress(decode_words(phrase or self.comment), self.angles[0].strip())]
        return [HeaderAddress(decode_words(self.comment), phrase)]


def message_ids(value: str, *, at_most: int) -> tuple[str, ...]:
    """Returns ids like `<x@y>` in a header; of too many, the first and the last ones."""
    found = list(dict.fromkeys(_MESSAGE_ID.findall(value[: 4 * MAX_VALUE])))
    if len(found) > at_most:
        found = [found[0], *found[1 - at_most :]] if at_most > 1 else found[:1]
    return tuple(found)


_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,250}>")


def domain_of(email: str) -> str:
    return email.rpartition("@")[2].strip("<> ").lower().rstrip(".")


class Envelope(Frozen):
    """One mail as it came in. An empty `mail_from` is a bounce."""

    mail_from: str
    rcpt_to: tuple[str, ...]
    raw: bytes
    peer: str
    unwanted: str = ""
    """'spam' or 'a virus' if the receiving server says so. Such a mail is stored, but no desk reads
    it."""


class Verdict(StrEnum):
    PASS = "pass"  # noqa: S105 - no password
    FAIL = "fail"
    NONE = "none"


class Authentication(Frozen):
    """The verdicts of the receiving server on the sender.

    A pass of SPF or DKIM counts only for the domain that it was checked for.
    """

    spf: Verdict = Verdict.NONE
    dkim: Verdict = Verdict.NONE
    dmarc: Verdict = Verdict.NONE
    spf_domain: str = ""
    dkim_domains: tuple[str, ...] = ()
    dmarc_domain: str = ""
    """The From domain that DMARC checked, if given: a crafted From may be read in two ways."""

    def vouches_for(self, from_domain: str) -> bool:
        """DMARC decides if it has a verdict; else SPF or DKIM must have passed for this domain."""
        if self.dmarc is not Verdict.NONE:
            same = self.dmarc_domain.lower() in ("", from_domain.lower())
            return self.dmarc is Verdict.PASS and same
        passed = self.dkim_domains if self.dkim is Verdict.PASS else ()
        if self.spf is Verdict.PASS:
            passed = (*passed, self.spf_domain)
        return any(_speaks_for(domain.lower(), from_domain.lower()) for domain in passed)


def _speaks_for(checked: str, from_domain: str) -> bool:
    """Returns whether the checked domain is this domain or a parent of it, but not a subdomain:
    anybody may own `me.github.io`."""
    return "." in checked and (from_domain == checked or from_domain.endswith("." + checked))


def read_results(header: str, *, trusted: str) -> Authentication:
    """Parses an `Authentication-Results` header; no verdicts unless `trusted` wrote it."""
    server, *results = _plain(header[:5_000]).split(";")
    if not trusted or server.lower().split()[:1] != [trusted.lower()] or len(results) > 50:
        return Authentication()
    found: dict[str, list[Verdict]] = {"spf": [], "dkim": [], "dmarc": []}
    domains: dict[str, list[str]] = {"spf": [], "dkim": [], "dmarc": []}
    for result in results:
        method = _METHOD.match(result)
        if method is None or method[1].lower() not in found:
            continue
        name = method[1].lower()
        verdict = _VERDICTS.get(method[2].lower(), Verdict.NONE)
        found[name].append(verdict)
        if verdict is Verdict.PASS:
            domains[name] += _domains(name, result)
    return Authentication(
        spf=_overall(found["spf"]),
        dkim=_overall(found["dkim"]),
        dmarc=_overall(found["dmarc"], stronger=Verdict.FAIL),
        spf_domain=next(iter(domains["spf"]), ""),
        dkim_domains=tuple(domains["dkim"]),
        dmarc_domain=next(iter(domains["dmarc"]), ""),
    )


_METHOD = re.compile(r"\s*([A-Za-z0-9-]{1,20})(?:\s?/\s?\d{1,3})?\s?=\s?([A-Za-z]{1,20})(?=\s|$)")
_PROPERTY = re.compile(
    r"\b(header\.(?:d|i|from)|smtp\.mailfrom)\s?=\s?\"?([^\s;\"]{1,320})", re.IGNORECASE
)
_VERDICTS = {"pass": Verdict.PASS, "fail": Verdict.FAIL, "hardfail": Verdict.FAIL}


def _domains(method: str, result: str) -> list[str]:
    wanted = _CHECKED[method]
    return [domain_of(value) for name, value in _PROPERTY.findall(result) if name.lower() in wanted]


_CHECKED = {
    "spf": ("smtp.mailfrom",),
    "dkim": ("header.d", "header.i"),
    "dmarc": ("header.from",),
}


def _overall(verdicts: list[Verdict], *, stronger: Verdict = Verdict.PASS) -> Verdict:
    if stronger in verdicts:
        return stronger
    return max(verdicts, default=Verdict.NONE, key=lambda verdict: verdict is not Verdict.NONE)


def _plain(text: str) -> str:
    """Removes comments, and characters in quotes that could look like another result.

    The sender controls both: `smtp.mailfrom="x; dmarc=pass "@evil.org`.
    """
    out: list[str] = []
    depth = 0
    quoted = escaped = False
    for character in text:
        if escaped or character == "\\":
            escaped = not escaped
        elif character == '"' and not depth:
            quoted = not quoted
        elif character in "()" and not quoted:
            depth = max(0, depth + (1 if character == "(" else -1))
        elif not depth and not (quoted and character in " \t;=/"):
            out.append(character)
    return "".join(out)
