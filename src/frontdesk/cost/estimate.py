"""From occasions to requests, and from requests to money."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from frontdesk.cost.occasions import Occasion, every_month
from frontdesk.cost.prices import PriceList
from frontdesk.cost.requests import Counted
from frontdesk.values import Frozen

#: Names that people know, in the order in which they are shown.
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
#: Listed apart: what they cost is up to the country.
_TEXTS: Final = "texts"


class Line(Frozen):
    service: str
    what: str
    count: float
    unit: str
    usd: float


class Estimate(Frozen):
    lines: tuple[Line, ...]
    """If every run of a function starts cold, but for the next request of who opens a page."""
    warm: float
    """What all of it but texts comes to if none does."""
    by_occasion: Mapping[Occasion, float]
    """The same money, by what happened."""
    by_month: tuple[Line, ...]
    """What there is to pay every month, whatever happens."""
    monthly_after_free: float
    """The same if the account's free alarms and metrics are not used up by something else."""
    reference: float

    @property
    def total(self) -> float:
        """All of it but texts."""
        return _all_but_texts(self.lines)

    @property
    def texts(self) -> float:
        return sum(line.usd for line in self.lines if line.service == _TEXTS)

    @property
    def monthly(self) -> float:
        return sum(line.usd for line in self.by_month)

    @property
    def whole(self) -> float:
        """All that is on the bill of a month in which this happens and nothing else."""
        return self.total + self.texts + self.monthly

    @property
    def ratio(self) -> float:
        """Of what is paid by use, texts aside."""
        return self.of_reference(self.total)

    @property
    def whole_ratio(self) -> float:
        return self.of_reference(self.whole)

    def of_reference(self, usd: float) -> float:
        """Which part of it this is."""
        return usd / self.reference if self.reference else 0.0

    def by_service(self) -> dict[str, float]:
        """In the order of `SERVICES`; texts, and those that cost nothing, left out."""
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
    """`pictures`: of how many the text is read."""
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
    """All requests, by `service.what`."""
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
