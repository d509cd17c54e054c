"""A stand-in for Textract that returns prepared lines in the shapes that AWS describes."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from botocore.model import OperationModel, Shape
from botocore.session import Session
from botocore.validate import ParamValidator

from tests.support.vendor_server import Reply, Request, answering

MODEL = Session().get_service_model("textract")
OPERATION: OperationModel = MODEL.operation_model("DetectDocumentText")


@dataclass
class Recognition:
    """Returns the same lines for every picture and records the pictures."""

    url: str = ""
    lines: list[str] = field(default_factory=list)
    seen: list[bytes] = field(default_factory=list)

    def look(self, target: str, body: bytes) -> dict[str, Any]:
        assert target == f"{MODEL.metadata['targetPrefix']}.{OPERATION.name}"
        asked = json.loads(body)
        asked["Document"]["Bytes"] = base64.b64decode(asked["Document"]["Bytes"], validate=True)
        conforms(asked, OPERATION.input_shape)
        self.seen.append(asked["Document"]["Bytes"])
        answer = {
            "DocumentMetadata": {"Pages": 1},
            "Blocks": [
                {"BlockType": "PAGE", "Id": "page"},
                *(
                    {"BlockType": "LINE", "Id": f"line-{nth}", "Confidence": 99.5, "Text": line}
                    for nth, line in enumerate(self.lines)
                ),
            ],
            "DetectDocumentTextModelVersion": "1.0",
        }
        conforms(answer, OPERATION.output_shape)
        return answer


def conforms(value: Any, shape: Shape | None) -> None:
    report = ParamValidator().validate(value, shape)
    assert not report.has_errors(), report.generate_report()


@contextmanager
def textract() -> Iterator[Recognition]:
    recognition = Recognition()

    def reply(request: Request) -> Reply:
        assert "/textract/aws4_request" in request.headers["authorization"]
        answer = recognition.look(request.headers["x-amz-target"], request.body)
        return Reply(200, answer, {"Content-Type": "application/x-amz-json-1.1"})

    with answering(reply) as recognition.url:
        yield recognition


def a_scan(width: int = 400, height: int = 300) -> bytes:
    """A white PNG; the stand-in for Textract provides the text."""
    rows = b"".join(b"\0" + b"\xff" * width for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
