"""The section of the console that each desk declares: navigation, cards, places, settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import chain

from starlette.applications import Starlette
from starlette.requests import Request

from frontdesk.core.people import Person
from frontdesk.engine.ports import Reads
from frontdesk.values import Frozen, field, replace


class NavItem(Frozen):
    """A navigation entry. Lower `order` comes first: Today 0, desks 10 to 50, the rest above."""

    label: str
    url: str
    icon: str
    order: int
    badge: Callable[[Reads], str] = lambda _reads: ""
    """Returns a short text beside the label, or nothing. Must be cheap: every page calls it."""
    for_host: Callable[[str], str] | None = None
    """Returns the address for a host of one event, by the event's id. Hosts see only entries with
    it; an empty `url` is for hosts alone.
    """


class TodayCard(Frozen, kw_only=True):
    """A card on Today. `needs_you` means that it waits for somebody; others describe the day."""

    title: str
    text: str
    url: str
    button: str = "Open"
    action_url: str = ""
    """The URL to which the second button posts, without a page in between."""
    action: str = ""
    """The label of the second button."""
    icon: str = "events"
    """The name of an icon."""
    state: str = "neutral"
    """The state of its chip: good, waiting, ending, gone or neutral."""
    chip: str = ""
    needs_you: bool = True
    at: datetime | None = None
    """The time when its subject begins or ends; cards are sorted by it. `text` or `title` shows
    it."""


class PersonPlace(Frozen, kw_only=True):
    """A person's place on a list of a desk; `about` is their id there, for the audit."""

    desk: str
    title: str
    url: str
    word: str
    state: str = "neutral"
    about: str = ""
    repeats: str = ""
    """Their id on the list of another desk, if that entry is about the same visit."""
    data: Mapping[str, object] = field(default_factory=dict)
    """The data of this desk about the person, for the export."""


class SettingsLink(Frozen):
    """A link from the settings of the business to a page of a desk's own settings."""

    label: str
    text: str
    url: str
    desk: str = ""
    """The desk's name in the menu; `joined` sets it."""


TodaySource = Callable[[Reads, datetime], Sequence[TodayCard]]
PlaceSource = Callable[[Reads, Person], Sequence[PersonPlace]]
RecordSource = Callable[[Reads, Person, datetime], Sequence[tuple[str, str]]]
"""Lists figures about a person, as pairs of label and value."""
HostableSource = Callable[[Reads], Sequence[tuple[str, str]]]
"""Lists events that can have hosts: pairs of id and name."""
AddressSource = Callable[[Reads, str], tuple[str, str] | None]
"""Finds the owner of an e-mail address: its name and its page in the console."""


UpcomingSource = Callable[[Reads, datetime], tuple[int, str, str]]
"""Counts what is fixed for later, with its nouns: 12, 'class', 'classes'."""


class ConsoleSection(Frozen, kw_only=True):
    """The section of one desk in the console, or the joined sections of all desks that are on."""

    nav: Sequence[NavItem] = ()
    today: Sequence[TodaySource] = ()
    places: Sequence[PlaceSource] = ()
    records: Sequence[RecordSource] = ()
    hostable: Sequence[HostableSource] = ()
    settings: Sequence[SettingsLink] = ()
    addresses: Sequence[AddressSource] = ()
    upcoming: Sequence[UpcomingSource] = ()


def joined(sections: Iterable[ConsoleSection]) -> ConsoleSection:
    """Merges the sections into one, in this order."""
    each = [_with_desk(one) for one in sections]
    names = ConsoleSection.__struct_fields__
    return ConsoleSection(
        **{name: tuple(chain(*(getattr(one, name) for one in each))) for name in names}
    )


def _with_desk(section: ConsoleSection) -> ConsoleSection:
    """Writes the desk's name into the links to its settings."""
    label = section.nav[0].label if section.nav else ""
    links = tuple(replace(link, desk=link.desk or label) for link in section.settings)
    return replace(section, settings=links)


def install_shell(app: Starlette, shell: ConsoleSection) -> None:
    """Call it once, when the application is built."""
    app.state.shell = shell


def shell_of(request: Request) -> ConsoleSection:
    shell = request.app.state.shell
    assert isinstance(shell, ConsoleSection)
    return shell
