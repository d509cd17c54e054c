"""Chooses the embeddings by the settings, on one machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from frontdesk.errors import BadSettings
from frontdesk.settings import Settings
from frontdesk.wiring.model import check_key

if TYPE_CHECKING:
    from frontdesk.connect.embeddings.port import Embedder, Names, NearestNames


def nearest_on_this_machine(
    settings: Settings,
) -> Callable[[Callable[[], Names]], NearestNames | None]:
    """Compares in memory. Does not check credentials; the first request does."""
    embedder = _embedder(settings)

    def nearest(names: Callable[[], Names]) -> NearestNames | None:
        if embedder is None:
            return None
        from frontdesk.connect.embeddings.port import NamesInMemory

        return NamesInMemory(embedder, names)

    return nearest


def _embedder(settings: Settings) -> Embedder | None:
    match settings.embeddings_by:
        case "bedrock":
            from frontdesk.connect.embeddings.titan import TitanEmbedder
            from frontdesk.wiring.channels import session

            region = settings.embeddings_region
            made = session("embeddings_by = bedrock", region)
            from botocore.config import Config

            few = Config(retries={"total_max_attempts": 2}, connect_timeout=3, read_timeout=8)
            client = made.create_client("bedrock-runtime", region_name=region or None, config=few)
            return TitanEmbedder(client)
        case "openai":
            from frontdesk.connect.embeddings.openai import OpenAiEmbedder

            if not (settings.model_url and settings.embeddings_name):
                raise BadSettings("embeddings_by = openai needs model_url and embeddings_name.")
            check_key(settings)
            return OpenAiEmbedder(settings.model_url, settings.embeddings_name, settings.model_key)
        case _:
            return None
