"""The keys of services in `rules.yml`."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from frontdesk.desks.booking.rules import Approval, QuestionKind
from frontdesk.desks.booking.rules_file.groups import Key, Section, group_of
from frontdesk.desks.booking.rules_file.kinds import (
    NAME,
    PRICE,
    YES_NO,
    choice,
    length,
    list_of,
    text_of,
    whole,
)
from frontdesk.desks.booking.rules_file.resource_schema import AT_MOST, MOST_CAPACITY

MOST_NEEDS: Final = 3
_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
_NONE = timedelta()

BUFFER: Final = Section(
    "buffer",
    "Time before and after each booking in which nothing else is booked.",
    (
        Key(
            "before",
            length(_NONE, 8 * _HOUR, unit="min", example="5 min"),
            "Minutes before the start.",
            "5",
            "0",
        ),
        Key(
            "after",
            length(_NONE, 8 * _HOUR, unit="min", example="10 min"),
            "Minutes after the end.",
            "10",
            "0",
        ),
    ),
)
QUESTION: Final = Section(
    "question",
    "A question in the booking form. Answers are in no calendar.",
    (
        Key(
            "ask",
            text_of(200, may_be_blank=False),
            "The question.",
            "Do you have allergies?",
            required=True,
            field="label",
        ),
        Key(
            "kind",
            choice(each.value for each in QuestionKind),
            "A text, one of the choices, or a box to tick.",
            "choice",
            "text, or choice if there are choices",
        ),
        Key("choices", list_of(NAME, 20), "The possible answers.", "[short, long]"),
        Key("required", YES_NO, "Whether an answer is needed.", "yes", "no"),
        Key(
            "id",
            text_of(40),
            "The name under which answers are kept. Set it if you reword the question.",
            "allergies",
            "made from the question",
        ),
    ),
    "ask",
)
_RULES_OF_SERVICE: Final = (
    Key(
        "buffer",
        group_of(BUFFER),
        "Time before and after each booking in which nothing else is booked.",
        "{before: 5, after: 10}",
        "none",
    ),
    Key(
        "start every",
        length(5 * _MINUTE, 8 * _HOUR, unit="min", example="15 min"),
        "Starts are on this grid, from the start of each working period.",
        "30 min",
        "15 min",
        field="step",
    ),
    Key(
        "start offset",
        length(_NONE, 4 * _HOUR, unit="min", example="5 min"),
        "Moves the grid of starts.",
        "5 min",
        "0 min",
        field="offset",
    ),
    Key(
        "notice",
        length(_NONE, 60 * _DAY, example="2 hours"),
        "The shortest time from booking to start.",
        "1 day",
        "2 hours",
    ),
    Key(
        "book ahead",
        length(_HOUR, 730 * _DAY, example="60 days"),
        "The longest time from booking to start.",
        "90 days",
        "60 days",
        field="horizon",
    ),
    Key(
        "cancel until",
        length(_NONE, 60 * _DAY, example="24 hours"),
        "Customers cancel and move until so long before the start.",
        "2 days",
        "24 hours",
        field="change_notice",
    ),
    Key("most moves", whole(0, 50), "How often a customer may move a booking.", "1", "3"),
    Key(
        "most upcoming",
        whole(1, 50),
        "The most upcoming bookings of one contact, of any service.",
        "2",
        "3",
    ),
    Key(
        "approval",
        choice(each.value for each in Approval),
        "Whether staff approve a booking before it counts.",
        "first visit",
        "never",
    ),
    Key(
        "approve within",
        length(5 * _MINUTE, 30 * _DAY, example="24 hours"),
        "A booking that nobody approves in this time ends.",
        "4 hours",
        "24 hours",
    ),
    Key(
        "questions",
        list_of(group_of(QUESTION), 10),
        "Questions in the booking form.",
        "[{ask: Do you have allergies?, required: yes}]",
        "none",
    ),
    AT_MOST,
)
ALL_SERVICES: Final = Section(
    "all services", "Rules for every service that does not have its own.", _RULES_OF_SERVICE
)
SERVICE: Final = Section(
    "service",
    "A service as customers book it. Its name is its key.",
    (
        Key(
            "minutes",
            length(5 * _MINUTE, _DAY, unit="min", example="45"),
            "How long it takes, on 5 minutes.",
            "45",
            required=True,
            field="duration",
        ),
        Key(
            "price",
            PRICE,
            "The price. The currency is in the settings of the services.",
            "55",
            "none",
            field="price_cents",
        ),
        Key(
            "staff",
            list_of(text_of()),
            "The ids of the staff who do it; one of them is needed. [] needs nobody.",
            "[mira, ana]",
            "all staff",
        ),
        Key(
            "needs",
            list_of(text_of(), 10),
            "What it needs besides: the ids of rooms, devices and pools. One of each is"
            f" taken; with staff at most {MOST_NEEDS}.",
            "[chairs, laser]",
            "nothing",
        ),
        Key("party", whole(1, MOST_CAPACITY), "The largest party.", "4", "1", field="most"),
        Key(
            "aliases",
            list_of(NAME, 50),
            "Other names that customers use.",
            "[cut, trim]",
            "none",
        ),
        Key("unlisted", YES_NO, "Whether it can be booked by a private link only.", "yes", "no"),
        Key(
            "colour",
            text_of(7),
            "Its colour on the day board, as #rrggbb.",
            "'#3366cc'",
            "chosen for you",
        ),
        *_RULES_OF_SERVICE,
    ),
)
