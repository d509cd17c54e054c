"""Removes the greeting and the name at the end of a short answer."""

import re
from typing import Final

from frontdesk.reading.words import folded


def without_frame(text: str) -> str:
    """Returns the text without its greeting, its closing words and the name after them."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and _GREETING.fullmatch(folded(lines[0])):
        lines = lines[1:]
    for at, line in enumerate(lines):
        if at and _CLOSING.fullmatch(folded(line)):
            lines = lines[:at]
            break
    if len(lines) > 1 and _NAME.fullmatch(lines[-1]):
        lines = lines[:-1]
    return "\n".join(lines)


_GREETING: Final = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|hallo|liebe[rs]?|guten (?:tag|morgen"
    r"|abend)|bonjour|salut|hola|buenos dias|buenas tardes)(?: [\w.'-]{1,30}){0,3}[,!.]?"
)
_CLOSING: Final = re.compile(
    r"(?:(?:many )?thanks|thank you|cheers|best|(?:best|kind|warm) regards|regards|see you|bye"
    r"|(?:vielen )?dank(?:e)?|(?:liebe|viele|beste|herzliche|mit freundlichen) gru(?:ss|ß)e?n?"
    r"|lg|vg|mfg"
    r"|merci|cordialement|bien a vous|gracias|saludos|un saludo)(?: [\w.'-]{1,30}){0,3}[,!.]?"
)
_NAME: Final = re.compile(r"[^\W\d_][\w.'-]{0,30}(?: [^\W\d_][\w.'-]{0,30}){0,2}")
