"""Defines the closed list of typed queries about a guest list."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from frontdesk.values import Frozen


class Topic(StrEnum):
    FREE = "free"
    CAP = "cap"
    COMING = "coming"
    WHO_IS_COMING = "who_is_coming"
    WAITING = "waiting"
    NEXT = "next"
    OFFERS = "offers"
    UNANSWERED = "unanswered"
    PARTIES = "parties"
    ARRIVED = "arrived"
    NOT_HERE = "not_here"
    CANCELLED = "cancelled"
    SIGNED_UP = "signed_up"
    SOMEBODY = "somebody"
    SINCE_WHEN = "since_when"
    WHEN = "when"
    WHERE = "where"


class DaySpan(StrEnum):
    """A range of days in the event's time zone."""

    YESTERDAY = "yesterday"
    TODAY = "today"
    THIS_WEEK = "this week"
    LAST_WEEK = "last week"


class GuestQuery(Frozen):
    topic: Topic
    person: str = ""
    span: DaySpan | None = None
    names: bool = False
    """The question asks for names, not only for a count."""


class NotUnderstood(Exception):
    """The model that chooses a query cannot be reached."""


#: The meaning of each topic, for the model that chooses a query.
MEANINGS: Final[Mapping[Topic, str]] = {
    Topic.FREE: "how many seats are still free or on offer",
    Topic.CAP: "how many seats there are in all",
    Topic.COMING: "how many people are coming",
    Topic.WHO_IS_COMING: "the names of the guests who are coming",
    Topic.WAITING: "how many or which guests wait in line",
    Topic.NEXT: "who is next in line",
    Topic.OFFERS: "who has been offered a seat, and until when",
    Topic.UNANSWERED: "which invited guests have not answered",
    Topic.PARTIES: "how many guests bring others, and how many",
    Topic.ARRIVED: "how many people have arrived",
    Topic.NOT_HERE: "which guests have not arrived",
    Topic.CANCELLED: "which guests have cancelled, at any time or in a span",
    Topic.SIGNED_UP: "which guests have signed up in a span; needs a span",
    Topic.SOMEBODY: "where one guest stands; needs a person",
    Topic.SINCE_WHEN: "when one guest signed up; needs a person",
    Topic.WHEN: "when the event is",
    Topic.WHERE: "where the event is",
}
