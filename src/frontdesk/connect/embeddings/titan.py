"""Embeds texts with Titan Text Embeddings v2 on Amazon Bedrock."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from frontdesk.connect.embeddings.port import MOST_CHARACTERS, Vector, checked_vector
from frontdesk.connect.models.bedrock import is_denied
from frontdesk.connect.models.port import ModelFailed
from frontdesk.logs import failure

MODEL: Final = "amazon.titan-embed-text-v2:0"
#: Of 256, 512 and 1024: names of services are a few words, so small vectors tell them apart.
DIMENSIONS: Final = 256


class TitanEmbedder:
    """Bedrock embeds one text in each request."""

    def __init__(self, client: Any) -> None:
        self._client = client

    @property
    def name(self) -> str:
        return f"{MODEL}/{DIMENSIONS}"

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [self._embedded(text) for text in texts]

    def _embedded(self, text: str) -> Vector:
        request = {"inputText": text[:MOST_CHARACTERS], "dimensions": DIMENSIONS, "normalize": True}
        try:
            answer = self._client.invoke_model(
                modelId=MODEL,
                body=json.dumps(request),
                contentType="application/json",
                accept="application/json",
            )
            result = json.loads(answer["body"].read())
            found = result["embedding"]
        except Exception as error:
            why = f"Titan: {failure(error)}"
            raise ModelFailed(why, is_denied=is_denied(error)) from error
        return checked_vector(found, DIMENSIONS)
