"""Recognises text in pictures with Amazon Textract."""

from typing import Any

from frontdesk.logs import failure, log
from frontdesk.reading.model import BadDocument


class Textract:
    """`client` is boto3's client for 'textract'."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def text_of(self, picture: bytes) -> str:
        try:
            answer = self._client.detect_document_text(Document={"Bytes": picture})
            blocks = answer.get("Blocks", ())
            lines = [str(each["Text"]) for each in blocks if each.get("BlockType") == "LINE"]
        except Exception as error:
            log("picture.unreadable", why=failure(error))
            raise BadDocument("This picture could not be read.") from None
        return "\n".join(lines)
