"""Reads documents from Google Drive when they have changed: Google Docs, and text files."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from frontdesk.connect.google_api import (
    DOCUMENT_SCOPES,
    DRIVE,
    Denied,
    GoogleApi,
    GoogleError,
    read_account,
)
from frontdesk.errors import BadSettings
from frontdesk.features.documents.files import MOST_BYTES, DocumentFiles
from frontdesk.features.documents.model import DocumentUnavailable
from frontdesk.values import Frozen

#: The time-out of each request. A request that frees a slot waits for it.
TIMEOUT_SECONDS: Final = 4.0
DENIED: Final = (
    "Google does not give us access to the document. Share it with {email} so that it may view it,"
    " and check its address in the settings."
)
_ADDRESS: Final = re.compile(
    r"https://(?:docs\.google\.com/document|drive\.google\.com/file)/d/([\w-]{10,100})(?:[/?#].*)?"
)
#: The MIME type of a Google Doc, and the prefix of all Google's own types.
_DOC: Final = "application/vnd.google-apps.document"
_GOOGLE_KINDS: Final = "application/vnd.google-apps."

Markup = Callable[[list[str]], list[str]]
"""Restores marks ('##') that the export of a Google Doc has lost."""


def docs_api(account: str, google: str = "") -> GoogleApi:
    """`account` is the JSON of the service account; `google` replaces Google's URL if it is set.
    Raises `GoogleError`."""
    return GoogleApi(
        read_account(account),
        drive=google or DRIVE,
        scopes=DOCUMENT_SCOPES,
        seconds=TIMEOUT_SECONDS,
        denied=DENIED,
    )


class DocumentCopy(Frozen):
    """The last text of a document."""

    version: str
    text: str


class GoogleDocs:
    """`addresses` has the URLs of Google Docs and of text files in Google Drive; `others` has the
    other documents.

    It fetches a text only if its version has changed. It calls `api` at the first read.
    """

    def __init__(
        self,
        api: Callable[[], GoogleApi],
        addresses: Mapping[str, str],
        others: DocumentFiles,
        markup: Mapping[str, Markup],
    ) -> None:
        self._make = api
        self._api: GoogleApi | None = None
        self._addresses = addresses
        self._others = others
        self._markup = markup
        self._copies: dict[str, DocumentCopy] = {}

    def read(self, name: str) -> str | None:
        if name not in self._addresses:
            return self._others.read(name)
        try:
            copy = self.copy(name, self._copies.get(name))
        except GoogleError as bad:
            raise DocumentUnavailable(str(bad), is_lasting=isinstance(bad, Denied)) from bad
        self._copies[name] = copy
        return copy.text

    def copy(self, name: str, known: DocumentCopy | None) -> DocumentCopy:
        """The current copy; `known` if the document has not changed."""
        if self._api is None:
            self._api = self._opened()
        file_id = file_id_in(self._addresses[name])
        found = self._api.file(file_id)
        if found.get("trashed"):
            raise Denied("The document is in Google's bin.")
        version = str(found.get("version", ""))
        if known is not None and version and known.version == version:
            return known
        kind = str(found.get("mimeType", _DOC))
        return DocumentCopy(version, self._text(self._api, name, file_id, kind))

    def _text(self, api: GoogleApi, name: str, file_id: str, kind: str) -> str:
        if kind == _DOC:
            return plain(api.export(file_id), self._markup[name])
        if kind.startswith(_GOOGLE_KINDS):
            raise Denied("This is the address of neither a Google Doc nor a text file.")
        return file_text(api.download(file_id))

    def _opened(self) -> GoogleApi:
        try:
            return self._make()
        except (GoogleError, BadSettings) as bad:
            raise Denied(str(bad)) from bad

    def write(self, name: str, text: str) -> None:
        if name in self._addresses:
            raise DocumentUnavailable("This document is written in Google Drive.")
        self._others.write(name, text)

    def edited_at(self, name: str) -> str:
        return self._addresses.get(name, "") or self._others.edited_at(name)


class MirroredDocs:
    """Copies changed Google Docs to the files that other functions read."""

    def __init__(self, docs: GoogleDocs, into: DocumentFiles) -> None:
        self._docs = docs
        self._into = into

    def read(self, name: str) -> str | None:
        text = self._docs.read(name)
        if text is not None and self._docs.edited_at(name) and self._into.read(name) != text:
            self._into.write(name, text)
        return text

    def write(self, name: str, text: str) -> None:
        self._docs.write(name, text)

    def edited_at(self, name: str) -> str:
        return self._docs.edited_at(name)


def file_id_in(address: str) -> str:
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise GoogleError(
            "A document's address is like https://docs.google.com/document/d/… or"
            " https://drive.google.com/file/d/…"
        )
    return found[1]


# --- the text ---------------------------------------------------------------------------------

_PLAIN: Final = str.maketrans(
    {
        "\u2018": "'",
        "\u2019": "'",
        "\u201a": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u201e": '"',
        "\u00a0": " ",
        "\u202f": " ",
        "\u200b": None,
        "\u2060": None,
        "\ufeff": None,
        "\u000b": "\n",
        "\u2028": "\n",
        "\u2029": "\n",
    }
)
_LINE_END: Final = re.compile(r"\r\n|\r")
_COMMENT: Final = re.compile(r"\[([a-z]{1,2})\]")


def file_text(data: bytes) -> str:
    """The text of a file, as it is, with our line ends."""
    return _LINE_END.sub("\n", data[:MOST_BYTES].decode("utf-8-sig", "replace"))


def plain(data: bytes, markup: Markup) -> str:
    """Normalises an export: straight quotes instead of Google's round ones, no comments, our
    line ends. Lines keep their numbers."""
    text = _LINE_END.sub("\n", data.decode("utf-8", "replace")).translate(_PLAIN)
    lines = markup([line.rstrip() for line in _without_comments(text).split("\n")])
    return "\n".join(lines).rstrip("\n") + "\n"


def _without_comments(text: str) -> str:
    """Removes comments. Google writes '[a]' in the text and the comments below it."""
    lines = text.rstrip().split("\n")
    first = next((n for n, line in enumerate(lines) if _COMMENT.match(line)), None)
    if first is None:
        return text
    body, tail = "\n".join(lines[:first]), lines[first:]
    marks = set(_COMMENT.findall(body))
    if not marks or not all(_is_comment(line, marks) for line in tail if line):
        return text
    return _COMMENT.sub(lambda found: "" if found[1] in marks else found[0], body)


def _is_comment(line: str, marks: set[str]) -> bool:
    found = _COMMENT.match(line)
    return found is not None and found[1] in marks
