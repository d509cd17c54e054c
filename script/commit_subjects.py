"""Checks that commit subjects name a part and are in the imperative: `rsvp: offer a seat`.

It checks commits since the last release tag, at most the last 50, and none before the rule.
"""

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: Earlier commits predate this rule.
SINCE = "2026-11-17T00:00:00Z"
MOST_COMMITS = 50

SUBJECT = re.compile(r"(?P<part>[\w/.-]+(?:, [\w/.-]+)*): (?P<verb>[A-Za-z'-]+)\b")
_NO_VERBS = """
a an the this that these those there it its he she they we you i who whom whose what which
when where why how no not nobody nothing one two every each all some any also now only
"""
#: Words that begin a statement, not an instruction.
NO_VERBS = frozenset(_NO_VERBS.split())
_IMPERATIVES = """
embed exceed feed need proceed seed shed speed succeed bring cling fling ping ring sing
sling spring sting string swing wring access address assess bypass compress cross discuss
dismiss express focus guess miss pass press process suppress toss
"""
#: Imperatives with the ending of a participle or of the third person.
IMPERATIVES = frozenset(_IMPERATIVES.split())


def main() -> int:
    complaints = list(wrong(subjects()))
    print("\n".join(complaints))
    return 1 if complaints else 0


def subjects() -> list[str]:
    """Returns the subjects to check; none outside a repository, as in an archive of the sources."""
    tag = _git("describe", "--tags", "--abbrev=0")
    commits = [f"{tag}..HEAD"] if tag else []
    limits = [f"--since={SINCE}", f"-n{MOST_COMMITS}", "--no-merges"]
    return _git("log", "--format=%s", *limits, *commits).splitlines()


def _git(*arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() if done.returncode == 0 else ""


def wrong(subjects: Iterable[str]) -> Iterator[str]:
    for subject in subjects:
        match = SUBJECT.match(subject)
        if match is None:
            yield f"'{subject}': begin with the part and a colon, like 'rsvp: offer a seat'"
        elif not is_imperative(match["verb"].lower()):
            yield f"'{subject}': '{match['verb']}' is not an imperative"


def is_imperative(word: str) -> bool:
    """Decides by the ending: 'adds', 'added' and 'adding' are not imperative."""
    if word in IMPERATIVES:
        return True
    return word not in NO_VERBS and not re.search(r"(?:ed|ing|[^s]s)$", word)


if __name__ == "__main__":
    sys.exit(main())
