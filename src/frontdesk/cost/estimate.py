"""Counts the AWS requests of each occasion, and converts them to money."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, Literal, get_args

from frontdesk.cost.prices import PriceList, read_toml
from frontdesk.values import Frozen

OfAnEvent = Literal[
    "visit",
    "sign-up-confirmed",
    "sign-up-waiting",
    "link-view",
    "cancelled",
    "offer-made",
    "offer-claimed",
    "offer-lapsed",
    "reminder",
    "moved",
    "mail-in",
    "import-row",
    "headcount",
    "thank-you",
    "thank-you-draft",
    "console-view",
]
OfAWaitlist = Literal[
    "form-visit",
    "joined",
    "request",
    "place-view",
    "slot-freed",
    "slot-declined",
    "slot-lapsed",
    "slot-claimed",
    "list-kept",
    "hundred-kept",
    "hundred-ahead",
    "sheet-look",
    "board-view",
    "housekeeping",
    "summary",
    "text",
    "mail",
]
"""Messages are occasions of their own, since each person chooses texts or mail. The cost of work on
a list grows with it: it is counted for each hundred entries on it, or ahead of somebody.
"""
OfBookings = Literal[
    "book-visit",
    "times-view",
    "time-held",
    "booked",
    "booking-view",
    "booking-moved",
    "booking-cancelled",
    "booking-refilled",
    "booking-reminder",
    "booking-request",
    "proposal-booked",
    "calendar-look",
    "calendar-write",
    "service-embedded",
    "config-look",
    "day-view",
    "booking-text",
    "booking-mail",
]
"""A refill and a calendar's write come on top of the booking or cancellation that causes them, and
an embedding on top of the request that names no service."""
OfReminders = Literal[
    "visit-followed",
    "visit-reminder",
    "visit-confirmed",
    "visit-cancelled",
    "tick",
    "hundred-ticked",
    "visits-kept",
    "hundred-visits-kept",
    "visits-view",
    "visit-text",
    "visit-mail",
]
"""An appointment comes on top of the booking that it follows. The tick looks at all appointments of
the next days: that is counted for each hundred of them. A version of all of them is kept hourly.
"""
Occasion = OfAnEvent | OfAWaitlist | OfBookings | OfReminders | Literal["sweep"]

OF_AN_EVENT: Final[tuple[OfAnEvent, ...]] = get_args(OfAnEvent)
OF_A_WAITLIST: Final[tuple[OfAWaitlist, ...]] = get_args(OfAWaitlist)
OF_BOOKINGS: Final[tuple[OfBookings, ...]] = get_args(OfBookings)
OF_REMINDERS: Final[tuple[OfReminders, ...]] = get_args(OfReminders)
OCCASIONS: Final[tuple[Occasion, ...]] = (
    *OF_AN_EVENT,
    *OF_A_WAITLIST,
    *OF_BOOKINGS,
    *OF_REMINDERS,
    "sweep",
)

HOURS_IN_A_MONTH: Final = 730
#: Scheduled work of every month: the number of runs, and its name in the output.
EVERY_MONTH: Final[Mapping[Occasion, tuple[int, str]]] = {
    "sweep": (HOURS_IN_A_MONTH, "hourly sweeps for lost work"),
    "tick": (HOURS_IN_A_MONTH, "hourly checks for due reminders"),
    "housekeeping": (30, "nightly expiry of waitlist entries"),
}


#: A function gets one whole CPU with this memory, and a share of it with less.
_MB_FOR_A_PROCESSOR: Final = 1_769
#: The average time that a function waits for another service.
_ANSWER_SECONDS: Final = 0.01


class Function(Frozen):
    """Durations of a function on a whole CPU."""

    memory_mb: int
    start_seconds: float
    """The time of a cold start: at a small event nearly every run starts cold."""
    work_seconds: float
    """The time for each answer of another service."""
    ssm: int = 0
    """The number of reads of settings at a start."""
    secrets: int = 0
    """The number of reads of secrets at a start."""

    def gb_seconds(self, starts: float, answers: float) -> float:
        """Waiting takes the same time with any memory; work takes longer with less CPU."""
        share = min(1.0, self.memory_mb / _MB_FOR_A_PROCESSOR)
        busy = starts * self.start_seconds + answers * self.work_seconds
        waiting = (answers + starts * (self.ssm + self.secrets)) * _ANSWER_SECONDS
        return (busy / share + waiting) * self.memory_mb / 1_024


class FunctionRuns(Frozen):
    """Runs of one function for one occasion."""

    times: float
    cold: float
    """The number of runs that start cold."""
    answers: float
    """The number of waits for another service."""


class CountedRequests(Frozen):
    functions: Mapping[str, Function]
    runs: Mapping[Occasion, Mapping[str, FunctionRuns]]
    requests: Mapping[Occasion, Mapping[str, float]]
    """By `service.what`, as in `dynamodb.write`; without the reads at a start."""


@cache
def counted() -> CountedRequests:
    return read_counts(read_toml("requests.toml"))


def read_counts(kept: Mapping[str, Any]) -> CountedRequests:
    functions = {name: Function(**each) for name, each in kept["function"].items()}
    runs: dict[Occasion, Mapping[str, FunctionRuns]] = {}
    requests: dict[Occasion, Mapping[str, float]] = {}
    for occasion in OCCASIONS:
        parts = dict(kept["occasion"][occasion])
        times, cold, answers = (parts.pop(name, {}) for name in ("lambda", "cold", "answers"))
        runs[occasion] = {
            name: FunctionRuns(times.get(name, 0.0), cold.get(name, 0.0), answers.get(name, 0.0))
            for name in {**times, **answers}
        }
        requests[occasion] = {
            f"{service}.{what}": count
            for service, part in parts.items()
            for what, count in part.items()
        }
    return CountedRequests(functions, runs, requests)


#: Display names, in the order of the output.
SERVICES: Final = {
    "lambda": "Lambda",
    "dynamodb": "DynamoDB",
    "events": "EventBridge",
    "scheduler": "EventBridge Scheduler",
    "ses": "SES",
    "s3": "S3",
    "logs": "CloudWatch Logs",
    "secrets": "Secrets Manager",
    "ssm": "Parameter Store",
    "sqs": "SQS",
    "sns": "SNS",
    "bedrock": "Bedrock",
    "s3vectors": "S3 Vectors",
    "textract": "Textract",
    "out": "Data to the internet",
    "texts": "Texts",
}
#: Listed separately: the price depends on the country.
_TEXTS: Final = "texts"


class Line(Frozen):
    service: str
    what: str
    count: float
    unit: str
    usd: float


class Estimate(Frozen):
    lines: tuple[Line, ...]
    """The costs if every run starts cold, except later requests of the same page visit."""
    warm: float
    """The cost without texts if no run starts cold."""
    by_occasion: Mapping[Occasion, float]
    """The same cost, by occasion."""
    by_month: tuple[Line, ...]
    """Fixed costs of every month."""
    monthly_after_free: float
    """The same if nothing else uses the account's free alarms and metrics."""
    reference: float

    @property
    def total(self) -> float:
        """Returns the usage cost without texts."""
        return _all_but_texts(self.lines)

    @property
    def texts(self) -> float:
        return sum(line.usd for line in self.lines if line.service == _TEXTS)

    @property
    def monthly(self) -> float:
        return sum(line.usd for line in self.by_month)

    @property
    def whole(self) -> float:
        """Returns the bill of a month in which nothing else happens."""
        return self.total + self.texts + self.monthly

    @property
    def ratio(self) -> float:
        """Returns the usage cost without texts as a share of the reference."""
        return self.of_reference(self.total)

    @property
    def whole_ratio(self) -> float:
        return self.of_reference(self.whole)

    def of_reference(self, usd: float) -> float:
        """Returns a cost as a share of the reference."""
        return usd / self.reference if self.reference else 0.0

    def by_service(self) -> dict[str, float]:
        """Returns costs in the order of `SERVICES`, without texts and services that are free."""
        sums = {
            service: sum(line.usd for line in self.lines if line.service == service)
            for service in SERVICES
        }
        return {service: usd for service, usd in sums.items() if usd and service != _TEXTS}


def estimate(
    happens: Mapping[Occasion, float],
    reference: float,
    counted: CountedRequests,
    prices: PriceList,
    *,
    pictures: float = 0,
    own_secrets: int = 0,
) -> Estimate:
    """`pictures` is the number of pictures whose text is read, `own_secrets` the number of secrets
    that the owner creates."""
    read = _priced({"textract.page": pictures}, prices) if pictures else ()
    cold = _priced(_asked(happens, counted), prices)
    warm = _priced(_asked(happens, counted, cold=False), prices)
    by_month = _monthly(counted, prices, own_secrets)
    return Estimate(
        lines=tuple(sorted((*cold, *read), key=_in_order)),
        warm=_all_but_texts((*warm, *read)),
        by_occasion={
            occasion: sum(line.usd for line in _priced(_asked({occasion: times}, counted), prices))
            for occasion, times in happens.items()
        },
        by_month=by_month,
        monthly_after_free=sum(line.usd for line in by_month)
        - sum(each.total - each.total_after_free for each in prices.by_month),
        reference=reference,
    )


def _all_but_texts(lines: tuple[Line, ...]) -> float:
    return sum(line.usd for line in lines if line.service != _TEXTS)


def _asked(
    happens: Mapping[Occasion, float], counted: CountedRequests, *, cold: bool = True
) -> dict[str, float]:
    """Returns all requests, by `service.what`."""
    asked: dict[str, float] = defaultdict(float)
    for occasion, times in happens.items():
        for name, count in counted.requests[occasion].items():
            asked[name] += times * count
        for name, runs in counted.runs[occasion].items():
            function = counted.functions[name]
            starts = runs.cold if cold else 0.0
            asked["lambda.requests"] += times * runs.times
            asked["lambda.gb_seconds"] += times * function.gb_seconds(starts, runs.answers)
            asked["ssm.get"] += times * starts * function.ssm
            asked["secrets.get"] += times * starts * function.secrets
    return asked


def _priced(asked: Mapping[str, float], prices: PriceList) -> tuple[Line, ...]:
    lines = []
    for name, count in asked.items():
        price = prices.by_request[name]
        lines.append(Line(price.service, price.what, count, price.unit, price.of(count)))
    return tuple(sorted(lines, key=_in_order))


def _in_order(line: Line) -> tuple[int, str]:
    return list(SERVICES).index(line.service), line.what


def _monthly(counted: CountedRequests, prices: PriceList, own_secrets: int) -> tuple[Line, ...]:
    lines = [
        Line("month", each.what, each.count, each.unit, each.total) for each in prices.by_month
    ]
    if own_secrets:
        [one] = [each.usd for each in prices.by_month if each.what == "secrets"]
        unit = "secrets with a key of Google, which you create"
        lines.append(Line("month", "own secrets", own_secrets, unit, own_secrets * one))
    for occasion, (times, unit) in EVERY_MONTH.items():
        usd = sum(line.usd for line in _priced(_asked({occasion: times}, counted), prices))
        lines.append(Line("month", occasion, times, unit, usd))
    return tuple(lines)
