"""Tags in the notes of a single appointment: `#skip`, `#nosms`, `#noemail`, `#remind 3h`."""

from __future__ import annotations

import re
from typing import Final

from frontdesk.desks.reminders.rules import BadSpan, LeadTime, parse_before
from frontdesk.values import Frozen

MOST_CHARACTERS: Final = 5_000
#: A word of letters after the hash. '#skipping' is no tag.
_TAG: Final = re.compile(
    r"(?<!\w)#(?:(skip|nosms|noemail)\b|remind[ \t]{1,3}([0-9]{1,4}[ \t]?[a-z]{1,7})\b)",
    re.IGNORECASE,
)


class Tags(Frozen):
    skip: bool = False
    """No messages to the customer about this appointment, and no alert to staff."""
    no_sms: bool = False
    no_email: bool = False
    remind: tuple[LeadTime, ...] = ()
    """Replaces the times in the rules."""
    mail_only: bool = False
    """Not a tag that staff write: the customer's number was not given for this appointment, so a
    stranger may have typed it beside their address."""

    @property
    def allows_texts(self) -> bool:
        return not self.no_sms and not self.mail_only

    @property
    def channels(self) -> tuple[bool, bool]:
        """Whether texts and mail are allowed. Visits that differ in this do not share a message."""
        return self.allows_texts, not self.no_email

    def __str__(self) -> str:
        """The tags as staff write them."""
        names = (("#skip", self.skip), ("#nosms", self.no_sms), ("#noemail", self.no_email))
        found = [name for name, is_set in names if is_set]
        return " ".join([*found, *(f"#remind {before}" for before in self.remind)])


NO_TAGS: Final = Tags()


def parse_tags(text: str) -> Tags:
    """Finds the tags in a text. Ignores a tag that it cannot understand."""
    names: set[str] = set()
    remind: set[LeadTime] = set()
    for name, before in _TAG.findall(text[:MOST_CHARACTERS]):
        names.add(name.lower())
        if before:
            try:
                remind.add(parse_before(before))
            except BadSpan:
                continue
    return Tags(
        skip="skip" in names,
        no_sms="nosms" in names,
        no_email="noemail" in names,
        remind=tuple(sorted(remind, key=lambda each: each.length, reverse=True)),
    )
