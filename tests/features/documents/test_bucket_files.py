"""The waitlist's documents in a bucket: their text as staff wrote it, or an error."""

from __future__ import annotations

import pytest

from frontdesk.desks.waitlist.model import DocumentName
from frontdesk.features.documents.bucket_files import BucketFiles
from frontdesk.features.documents.files import MOST_BYTES
from frontdesk.features.documents.model import DocumentUnavailable


class FakeBucket:
    """A bucket in memory; a `broken` one cannot be reached."""

    def __init__(self, *, broken: bool = False) -> None:
        self.kept: dict[str, bytes] = {}
        self.broken = broken

    def get(self, key: str) -> bytes | None:
        if self.broken:
            raise OSError("no way there")
        return self.kept.get(key)

    def put(self, key: str, body: bytes) -> None:
        self.kept[key] = body


@pytest.mark.spec("WL-23")
def test_a_written_document_is_read_again_under_a_plain_file_name() -> None:
    shelf = FakeBucket()
    papers = BucketFiles(shelf)

    papers.write(DocumentName.RULES, "Claim window: 10 minutes – or so.\n")

    assert list(shelf.kept) == ["rules.md"]
    assert papers.read(DocumentName.RULES) == "Claim window: 10 minutes – or so.\n"
    assert papers.read(DocumentName.VOICE) is None


@pytest.mark.spec("WL-23")
def test_an_unreachable_bucket_is_not_taken_for_a_missing_file() -> None:
    with pytest.raises(DocumentUnavailable):
        BucketFiles(FakeBucket(broken=True)).read(DocumentName.RULES)


def test_only_the_beginning_of_a_huge_file_is_read() -> None:
    shelf = FakeBucket()
    shelf.kept["voice.md"] = b"x" * (MOST_BYTES + 1)

    assert BucketFiles(shelf).read(DocumentName.VOICE) == "x" * MOST_BYTES
