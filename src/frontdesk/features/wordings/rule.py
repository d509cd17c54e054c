"""The rule of the command with which the business changes a wording."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from frontdesk.core.decision import Accepted, Decision, Fact, Refused
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.core.wording import Wording, wording_setting
from frontdesk.engine.desk import Rule
from frontdesk.engine.ports import Reads


class WordingCommand(Protocol):
    """A desk's command to set a wording; None restores the default."""

    @property
    def mail_kind(self) -> str: ...
    @property
    def wording(self) -> Wording | None: ...


def wording_rule(desk: str, changed: Callable[[str], Fact], unchanged: StrEnum) -> Rule:
    """Makes the rule. `changed` makes the desk's fact, `unchanged` is its reason to refuse."""

    def load(reads: Reads, command: WordingCommand) -> Wording | None:
        return reads.engine.setting(wording_setting(desk, command.mail_kind))

    def decide(own: Wording | None, command: WordingCommand, _now: datetime) -> Decision:
        if own == command.wording:
            return Refused(unchanged)
        setting = wording_setting(desk, command.mail_kind)
        return Accepted(
            (WriteSetting(setting, own, command.wording),), (changed(command.mail_kind),)
        )

    return Rule(load, decide)
