"""Stand-ins for Titan on Bedrock and for S3 Vectors, held to botocore's descriptions of both.

They are HTTP servers: botocore makes each request and parses each answer. The stand-ins compare
both with the shapes of the service, and enforce the limits that only the documentation has.
"""

from __future__ import annotations

import json
import math
import re
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any
from urllib.error import HTTPError
from urllib.parse import unquote

from botocore.config import Config
from botocore.model import OperationModel, ServiceModel
from botocore.session import Session
from botocore.validate import ParamValidator

from tests.support.vendor_server import Reply, Request, VendorServer, serve

TITAN = "amazon.titan-embed-text-v2:0"
BUCKET, INDEX = "bk-vectors-000000000000", "vec-services"
REGION = "us-east-1"
#: Words with the same meaning: a model knows them, and none of our lists does.
MEANINGS = (
    {"haircut", "cut", "fringe", "bangs", "hair", "tips", "ends"},
    {"colour", "color", "highlights", "balayage", "blonde", "roots"},
    {"massage", "back", "shoulders", "neck", "sore"},
)
_MEANING = {word: str(nth) for nth, words in enumerate(MEANINGS) for word in words}
SMALL_WORDS = {"a", "an", "and", "could", "have", "i", "is", "my", "of", "on", "please", "the"}


def meaning(text: str, size: int = 256) -> list[float]:
    """Returns a vector for a text; words with the same meaning point in the same direction."""
    found = [0.0] * size
    for word in re.findall(r"\w+", text.lower()):
        if word not in SMALL_WORDS:
            place = blake2b(_MEANING.get(word, word).encode(), digest_size=4).digest()
            found[int.from_bytes(place, "big") % size] += 1.0
    length = math.hypot(*found) or 1.0
    return [each / length for each in found] if any(found) else [1.0, *found[1:]]


class LocalEmbedder:
    """Embeds texts in the same way without a server."""

    name = "words/256"

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        self.texts += texts
        return [tuple(meaning(text)) for text in texts]


class AwsService(VendorServer):
    """Answers one service of AWS."""

    def __init__(self, service: str) -> None:
        super().__init__()
        self.model: ServiceModel = ServiceModel(
            Session().get_component("data_loader").load_service_model(service, "service-2"),
            service_name=service,
        )
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def client(self) -> Any:
        session = Session()
        session.set_credentials("test", "test")
        return session.create_client(
            self.model.service_name,
            region_name=REGION,
            endpoint_url=self.address,
            config=Config(retries={"total_max_attempts": 1}),
        )

    def operations(self) -> list[str]:
        return [name for name, _ in self.asked]

    def conforms(self, operation: OperationModel, what: str, value: Any) -> None:
        shape = getattr(operation, f"{what}_shape")
        report = ParamValidator().validate(value, shape)
        assert not report.has_errors(), report.generate_report()
        for name, member in shape.members.items():  # botocore does not check maximums
            if member.type_name in ("list", "string") and "max" in member.metadata:
                assert len(value.get(name, "")) <= member.metadata["max"], name

    def refusal(self, operation: OperationModel, code: str, says: str) -> Reply:
        """Returns an error that the operation can have by its description."""
        [shape] = [each for each in operation.error_shapes if each.name == code]
        status = shape.metadata["error"]["httpStatusCode"]
        return Reply(status, {"message": says}, {"x-amzn-ErrorType": code})


class Titan(AwsService):
    """Embeds texts. `behind` gets all other requests, and also checks permissions."""

    def __init__(self) -> None:
        super().__init__("bedrock-runtime")
        self.texts: list[str] = []
        self.denies = ""
        """The code of an error to answer every request with."""
        self.answers: Any = None
        """An invalid body to answer with."""
        self.behind = ""

    def reply(self, request: Request) -> Reply:
        operation = self.model.operation_model("InvokeModel")
        found = re.fullmatch(r"/model/([^/]+)/invoke", request.path)
        if self.behind and (refused := self._handed_on(request, keep=found is None)):
            return refused
        assert found is not None, request.path
        asked = {
            "modelId": unquote(found[1]),
            "body": request.body,
            "contentType": request.headers["content-type"],
            "accept": request.headers["accept"],
        }
        self.conforms(operation, "input", asked)
        assert asked["modelId"] == TITAN
        if self.denies:
            return self.refusal(operation, self.denies, "No.")
        return self._embedded(json.loads(request.body))

    def _embedded(self, asked: Mapping[str, Any]) -> Reply:
        """Answers with the body that Titan's documentation describes."""
        assert asked.keys() <= {"inputText", "dimensions", "normalize", "embeddingTypes"}
        assert isinstance(asked["inputText"], str)
        assert 0 < len(asked["inputText"]) <= 50_000
        assert asked["dimensions"] in (256, 512, 1024)
        assert asked["normalize"] is True
        self.texts.append(asked["inputText"])
        vector = meaning(asked["inputText"], asked["dimensions"])
        said = {
            "embedding": vector,
            "inputTextTokenCount": len(asked["inputText"].split()),
            "embeddingsByType": {"float": vector},
        }
        return Reply(200, self.answers or said, {"Content-Type": "application/json"})

    def _handed_on(self, request: Request, *, keep: bool) -> Reply | None:
        """Asks `behind`. Returns its answer if it is to be kept, otherwise only a refusal."""
        made = urllib.request.Request(
            self.behind + request.path, request.body, dict(request.headers), method=request.method
        )
        try:
            with urllib.request.urlopen(made, timeout=20) as answer:
                body = answer.read().decode()
                kind = {"Content-Type": answer.headers["Content-Type"]}
                return Reply(answer.status, body, kind) if keep else None
        except HTTPError as error:
            kept = {"x-amzn-ErrorType": error.headers.get("x-amzn-ErrorType", "")}
            refused = Reply(error.code, error.read().decode(), kept)
            return refused if keep or error.code == 403 else None


class Vectors(AwsService):
    """An index of vectors of one size, searched by their cosine."""

    def __init__(self) -> None:
        super().__init__("s3vectors")
        self.dimension = 256
        self.kept: dict[str, tuple[list[float], Any]] = {}
        self.page = 1_000
        """The longest page of a list."""
        self.denies = ""

    @property
    def names(self) -> list[str]:
        return sorted(metadata["name"] for _, metadata in self.kept.values())

    def reply(self, request: Request) -> Reply:
        operation = self.model.operation_model(request.path.removeprefix("/"))
        assert (request.method, request.path) == ("POST", operation.http["requestUri"])
        assert "/s3vectors/aws4_request" in request.headers["authorization"]
        asked = json.loads(request.body)
        self.conforms(operation, "input", asked)
        self.asked.append((operation.name, asked))
        if self.denies:
            return self.refusal(operation, self.denies, "No.")
        if (asked["vectorBucketName"], asked["indexName"]) != (BUCKET, INDEX):
            return self.refusal(operation, "NotFoundException", "The index is not found.")
        answer = getattr(self, f"_{operation.name}")(operation, asked)
        if isinstance(answer, Reply):
            return answer
        if operation.output_shape is not None:
            self.conforms(operation, "output", answer)
        return Reply(200, answer, {"Content-Type": "application/json"})

    def _PutVectors(self, operation: OperationModel, asked: Any) -> Any:  # noqa: N802 - AWS's name
        if any(len(each["data"]["float32"]) != self.dimension for each in asked["vectors"]):
            return self.refusal(operation, "ValidationException", "Another dimension.")
        for each in asked["vectors"]:
            self.kept[each["key"]] = (each["data"]["float32"], each["metadata"])
        return {}

    def _DeleteVectors(self, _: OperationModel, asked: Any) -> Any:  # noqa: N802 - AWS's name
        for key in asked["keys"]:
            self.kept.pop(key, None)
        return {}

    def _ListVectors(self, _: OperationModel, asked: Any) -> Any:  # noqa: N802 - AWS's name
        keys, start = sorted(self.kept), int(asked.get("nextToken", "0"))
        end = start + min(self.page, asked["maxResults"])
        more = {"nextToken": str(end)} if end < len(keys) else {}
        return {"vectors": [{"key": key} for key in keys[start:end]], **more}

    def _QueryVectors(self, operation: OperationModel, asked: Any) -> Any:  # noqa: N802
        if asked["topK"] > 100 or len(asked["queryVector"]["float32"]) != self.dimension:
            return self.refusal(operation, "ValidationException", "Too many, or another size.")
        vector = asked["queryVector"]["float32"]
        found = [
            {
                "key": key,
                "distance": 1.0 - sum(x * y for x, y in zip(vector, data, strict=True)),
                "metadata": metadata,
            }
            for key, (data, metadata) in self.kept.items()
        ]
        nearest = sorted(found, key=lambda each: (each["distance"], each["key"]))
        hidden = {"metadata": not asked["returnMetadata"], "distance": not asked["returnDistance"]}
        shown = [
            {name: value for name, value in each.items() if not hidden.get(name)}
            for each in nearest[: asked["topK"]]
        ]
        return {"vectors": shown, "distanceMetric": "cosine"}


@contextmanager
def titan() -> Iterator[Titan]:
    stand_in = Titan()
    with serve(stand_in):
        yield stand_in


@contextmanager
def s3_vectors() -> Iterator[Vectors]:
    stand_in = Vectors()
    with serve(stand_in):
        yield stand_in
