"""Loads the requests of the corpus, and counts how many fields a reader finds."""

from datetime import date
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from ruamel.yaml import YAML

from frontdesk.connect.mail_text import text_from_html
from frontdesk.reading.model import Confidence, Context, Field, Reader, ReadFields, ServiceNames
from frontdesk.values import Frozen

FILES = ("corpus.yaml", *(f"corpus_unseen_{number}.yaml" for number in (1, 2, 3, 4)))
#: Written by somebody who did not know the reader, for other businesses.
HELD_OUT = tuple(f"heldout/heldout_{number}.yaml" for number in (1, 2, 3, 4))
#: Written by somebody who knew the reader, for the same businesses.
TRAPS = "heldout/traps.yaml"
ALL = (*FILES, *HELD_OUT, TRAPS)
FIELDS = ("name", "phone", "email", "service", "party", "earliest_on", "latest_on", "staff")
TODAY = date(2026, 11, 16)
SERVICES = (
    ServiceNames("Haircut", ("cut", "trim", "hair cut", "Haarschnitt", "coupe", "corte de pelo")),
    ServiceNames("Colour", ("color", "highlights", "Färben", "coloration", "tinte")),
    ServiceNames("Massage", ("deep tissue massage", "masaje")),
    ServiceNames("Manicure", ("nails", "Maniküre", "manucure", "manicura")),
    ServiceNames("Dinner", ("table", "Tisch", "Abendessen", "dîner", "mesa")),
)
STAFF = ("Anna", "Ben Carter", "Chloé", "Mehmet")
CLINIC = (
    ServiceNames("Check-up", ("checkup", "check up", "Vorsorge")),
    ServiceNames("Dental cleaning", ("cleaning", "scaling", "Zahnreinigung")),
    ServiceNames("Physiotherapy", ("physio", "Krankengymnastik")),
    ServiceNames("Vaccination", ("vaccine", "jab", "flu jab", "Impfung")),
)
BISTRO = (
    ServiceNames("Brunch"),
    ServiceNames("Dinner", ("table", "Tisch", "Abendessen", "dîner", "cenar", "mesa")),
    ServiceNames("Lunch", ("Mittagessen", "déjeuner", "almuerzo")),
)
SHOPS = {
    "salon": (SERVICES, STAFF),
    "clinic": (CLINIC, ("Dr Tan", "Dr Osei", "Mei")),
    "bistro": (BISTRO, ()),
}
Shops = dict[str, tuple[tuple[ServiceNames, ...], tuple[str, ...]]]


class Request(Frozen):
    id: str
    text: str
    context: Context
    expect: dict[str, Any]
    not_sure: tuple[str, ...]


def context(
    country: str = "DE",
    own: tuple[str, ...] = (),
    today: date = TODAY,
    shop: str = "salon",
    shops: Shops = SHOPS,
) -> Context:
    services, staff = shops[shop]
    return Context(today, ZoneInfo("Europe/Berlin"), country, services, staff, frozenset(own))


def requests(*files: str) -> list[Request]:
    """Returns the requests of the named files; all if none is named."""
    return [each for file in files or ALL for each in _requests_of(file)]


@cache
def _requests_of(file: str) -> list[Request]:
    path = Path(__file__).parent / file
    shops = SHOPS if file in FILES else _shops(path.with_name("shops.yaml"))
    own = () if file in FILES else ("waitlist@shop.example",)
    return [
        Request(
            each["id"],
            text_from_html(each["text"]) if each.get("kind") == "html" else each["text"],
            context(
                each.get("country", "DE"),
                tuple(each.get("own", own)),
                shop=each.get("shop", "salon"),
                shops=shops,
            ),
            each["expect"],
            tuple(each.get("not_sure", ())),
        )
        for each in YAML(typ="safe").load(path)
    ]


def _shops(path: Path) -> Shops:
    written = YAML(typ="safe").load(path)
    return {
        name: (tuple(ServiceNames(each) for each in shop["services"]), tuple(shop["staff"]))
        for name, shop in written.items()
    }


class Finding(Frozen):
    """One field of one request: the expected and the found value."""

    request: Request
    name: str
    expected: Any
    found: Field[Any] | None

    @property
    def is_right(self) -> bool:
        """Returns whether the value is right. A name may be in lower case if the request writes it
        so."""
        if self.found is None or self.name != "name":
            return self.found is not None and self.found.value == self.expected
        return str(self.found.value).casefold() == str(self.expected).casefold()

    @property
    def said(self) -> frozenset[str]:
        """Returns the fields about which the request says something."""
        return frozenset((*self.request.expect, *self.request.not_sure))

    @property
    def is_certain(self) -> bool:
        return self.found is not None and self.found.confidence is Confidence.CONFIDENT


def findings(reader: Reader, *files: str) -> list[Finding]:
    found: list[Finding] = []
    for request in requests(*files):
        proposal: ReadFields = reader.read(request.text, request.context)
        found += [
            Finding(request, name, request.expect.get(name), getattr(proposal, name))
            for name in FIELDS
        ]
    return found


def figures(found: list[Finding]) -> str:
    """Returns a line for each field: how often texts name it, and how many values are proposed and
    right."""
    heads = ("field", "in text", "proposed", "right", "certain", "right", "precision", "said of")
    lines = [f"{heads[0]:12}" + "".join(f"{head:>10}" for head in heads[1:])]
    for name in (*FIELDS, "all"):
        of_it = [each for each in found if name in (each.name, "all")]
        there = sum(each.expected is not None for each in of_it)
        certain = [each for each in of_it if each.is_certain]
        right = sum(each.is_right for each in certain)
        counts = (
            there,
            sum(each.found is not None for each in of_it),
            sum(each.is_right for each in of_it),
            len(certain),
            right,
        )
        shares = (right / max(1, len(certain)), len(certain) / max(1, there))
        lines.append(
            f"{name:12}"
            + "".join(f"{count:10}" for count in counts)
            + "".join(f"{share:10.1%}" for share in shares)
        )
    return "\n".join(lines)
