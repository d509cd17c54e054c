"""Reads the verdicts of the receiving server on the authenticity of a mail's sender."""

import re
from enum import StrEnum

from frontdesk.connect.mail_headers import domain_of
from frontdesk.values import Frozen


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
    """Returns whether it is this domain or a parent; `me.github.io` may be anybody's."""
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
