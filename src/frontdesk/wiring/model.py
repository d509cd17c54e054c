"""Chooses the language model by the settings, on one machine and on AWS."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from frontdesk.connect.models.port import (
    QUICK_SECONDS,
    TIMEOUT_SECONDS,
    LanguageModel,
    ModelFailed,
    Prompt,
)
from frontdesk.desks.admin.model import Part
from frontdesk.errors import BadSettings
from frontdesk.logs import log
from frontdesk.settings import Settings
from frontdesk.wiring.troubles import Troubles

if TYPE_CHECKING:
    from frontdesk.reading.model import Reader

HAIKU: Final = "global.anthropic.claude-haiku-4-5-20251001-v1:0"
_LOCAL: Final = ("localhost", "127.0.0.1", "::1")

#: Returns a client of Bedrock; with True, one with a short timeout.
Bedrock = Callable[[bool], Any]


def model_of(settings: Settings, bedrock: Bedrock, usual: str = "") -> LanguageModel | None:
    """`usual` is the default model on Bedrock."""
    match settings.model_by or ("bedrock" if usual else "none"):
        case "bedrock":
            from frontdesk.connect.models.bedrock import BedrockModel

            name = settings.model_name or usual or HAIKU
            return BedrockModel(bedrock(False), name, quick=bedrock(True))
        case "openai":
            from frontdesk.connect.models.openai import OpenAiModel

            _check_address(settings)
            return OpenAiModel(settings.model_url, settings.model_name, settings.model_key)
        case _:
            return None


def _check_address(settings: Settings) -> None:
    if not (settings.model_url and settings.model_name):
        raise BadSettings("model_by = openai needs model_url and model_name.")
    check_key(settings)


def check_key(settings: Settings) -> None:
    """Raises `BadSettings` if the key would be sent unencrypted over a network."""
    url = urlsplit(settings.model_url)
    if settings.model_key and url.scheme == "http" and url.hostname not in _LOCAL:
        raise BadSettings("model_url should begin with https://, or model_key could be read.")


def of_this_machine(settings: Settings) -> LanguageModel | None:
    """Does not check the credentials; the first question does."""

    def bedrock(is_quick: bool) -> Any:
        from frontdesk.wiring.channels import session

        made = session("model_by = bedrock")
        from botocore.config import Config

        seconds = QUICK_SECONDS if is_quick else TIMEOUT_SECONDS
        once = Config(retries={"total_max_attempts": 1}, connect_timeout=3, read_timeout=seconds)
        return made.create_client("bedrock-runtime", config=once)

    return model_of(settings, bedrock)


def reader_with(model: LanguageModel) -> Reader:
    """Imports lazily: only requests need it."""
    from frontdesk.reading.model_reader import ModelReader
    from frontdesk.reading.rules import RulesReader

    return ModelReader(model, RulesReader())


class WatchedModel:
    """Logs each failure for the error metric, and tells staff. Does not record failures of pages
    that somebody waits for: the page shows them, and a GET changes nothing.
    """

    def __init__(self, model: LanguageModel, troubles: Troubles) -> None:
        self._model = model
        self._troubles = troubles

    def ask(self, prompt: Prompt) -> str:
        try:
            answer = self._model.ask(prompt)
        except ModelFailed as error:
            log("model.failed", task=prompt.task, denied=error.is_denied, why=str(error))
            if not prompt.is_quick:
                self._troubles.failed(Part.MODEL, str(error), at_once=error.is_denied)
            raise
        if not prompt.is_quick:
            self._troubles.worked(Part.MODEL)
        return answer

    def is_reachable(self) -> bool:
        """Asks the model a small question; records whether it works."""
        try:
            self._model.ask(_HELLO)
        except ModelFailed as error:
            log("model.failed", task=_HELLO.task, denied=error.is_denied, why=str(error))
            self._troubles.failed(Part.MODEL, str(error), at_once=error.is_denied)
            return False
        self._troubles.worked(Part.MODEL)
        return True


_HELLO: Final = Prompt(
    task="check", system="Answer with one word.", text="Hello?", most_tokens=20, is_quick=True
)
