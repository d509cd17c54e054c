"""The ways to a person: which channel takes which kind of message, and how many at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar

from frontdesk.core.messages import Channel, Channels, Message, Text, TextChannel
from frontdesk.core.sends import Via
from frontdesk.frozen import frozen

KEPT_AT_ONCE: Final = 64
#: Few, since whatever is not handed over yet when the process dies is of unknown outcome.
MAILED_AT_ONCE: Final = 8
#: A text is not repeated then.
TEXTED_AT_ONCE: Final = 1

T = TypeVar("T")


@frozen
class Way:
    via: Via
    name: str
    """Of its channel."""
    local: bool
    send: Callable[[Any], None]
    at_once: int

    def batches(self, sends: Sequence[T]) -> Iterator[Sequence[T]]:
        for first in range(0, len(sends), self.at_once):
            yield sends[first : first + self.at_once]


Ways = dict[type[Message] | type[Text], Way]


def ways(channels: Channels) -> Ways:
    """By the kind of message. Without a channel for texts there is no way for them."""
    found: Ways = {Message: _way(Via.MAIL, channels.mail, MAILED_AT_ONCE)}
    if channels.texts is not None:
        found[Text] = _way(Via.TEXT, channels.texts, TEXTED_AT_ONCE)
    return found


def _way(via: Via, channel: Channel | TextChannel, handed_over: int) -> Way:
    at_once = KEPT_AT_ONCE if channel.local else handed_over
    return Way(via, channel.name, channel.local, channel.send, at_once)
