"""Converts occasions to requests, and requests to money."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from frontdesk.cost.occasions import Occasion, every_month
from frontdesk.cost.prices import PriceList
from frontdesk.cost.requests import Counted
from frontdesk.values import Frozen

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
    counted: Counted,
    prices: PriceList,
    *,
    pictures: float = 0,
) -> Estimate:
    """`pictures` is the number of pictures whose text is read."""
    read = _priced({"textract.page": pictures}, prices) if pictures else ()
    cold = _priced(_asked(happens, counted), prices)
    warm = _priced(_asked(happens, counted, cold=False), prices)
    by_month = _monthly(counted, prices)
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
    happens: Mapping[Occasion, float], counted: Counted, *, cold: bool = True
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


def _monthly(counted: Counted, prices: PriceList) -> tuple[Line, ...]:
    sweeps = _priced(_asked(every_month(), counted), prices)
    return (
        *(Line("month", each.what, each.count, each.unit, each.total) for each in prices.by_month),
        Line(
            "month",
            "sweep",
            sum(every_month().values()),
            "hourly looks for what was lost",
            sum(line.usd for line in sweeps),
        ),
    )
