"""Incoming texts: STOP and similar words take effect at once and stay; people read other texts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from frontdesk.connect.mail_in import read_mail
from frontdesk.core.ids import new_id
from frontdesk.core.mail import FOR_A_PERSON, NO_MORE_TEXTS, TEXTS_AGAIN, RawMail
from frontdesk.core.messages import IncomingText
from frontdesk.core.people import PersonId
from frontdesk.core.sends import SendState
from frontdesk.desks.admin.facts import TextsStopped
from frontdesk.desks.admin.load import admin
from frontdesk.desks.admin.reads import FactFilter, MailFilter
from frontdesk.desks.waitlist.commands import JoinList, SetCatalogue
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import EntryId, EntryStatus, Lane, Wish
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.ports import Committed
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.intake.sms import MOST_CHARACTERS, TextIn
from frontdesk.settings import Settings
from frontdesk.values import replace
from frontdesk.wiring.one_machine import Frontdesk, build

#: Monday, nine in the morning in Singapore.
NINE = datetime(2026, 11, 16, 1, tzinfo=UTC)
MOBILE, OTHER = "+6591234567", "+6598765432"
WISH = Wish("cut", 1, date(2026, 11, 16), date(2026, 12, 16))
TEXT = IncomingText(from_mobile=MOBILE, words="STOP", id="1", at=NINE)


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Frontdesk]:
    made = build(Settings(data_dir=tmp_path), clock=VirtualClock(NINE))
    made.engine.run(SetCatalogue(Catalogue((Service("cut"),), ())), by="cli", now=NINE)
    yield made
    made.close()


def id_of(name: str) -> str:
    return new_id(name.ljust(16).encode())


def person_id(name: str) -> PersonId:
    return PersonId(id_of(f"p-{name}"))


def join(
    product: Frontdesk,
    name: str,
    mobile: str = MOBILE,
    email: str = "",
    lane: Lane = Lane.STAFF,
) -> None:
    command = JoinList(
        EntryId(id_of(name)), person_id(name), name.title(), email, WISH, lane, mobile=mobile
    )
    outcome = product.engine.run(command, by="cli", now=NINE)
    assert isinstance(outcome, Committed), outcome


def take(product: Frontdesk, words: str, id_: str = "1", mobile: str = MOBILE) -> None:
    TextIn(product).take(replace(TEXT, words=words, id=id_, from_mobile=mobile))


def status(product: Frontdesk, name: str) -> EntryStatus:
    entry = waitlist(product.engine.reads()).entry(EntryId(id_of(name)))
    assert entry is not None
    return entry.status


def came_in(product: Frontdesk) -> list[tuple[str, str, str]]:
    """Returns sender, text and outcome of each incoming text."""
    rows = admin(product.engine.reads()).mails(MailFilter(), limit=10)
    return [(row.sender, read_mail(row.head).new_text, row.outcome) for row in rows]


def told(product: Frontdesk) -> list[TextsStopped]:
    """Returns the facts about stopped texts, the oldest first."""
    found = admin(product.engine.reads()).facts(FactFilter(kind=TextsStopped.kind), 10)
    return [each.fact for each in reversed(found) if isinstance(each.fact, TextsStopped)]


@pytest.mark.spec("WL-06", "FD-15")
@pytest.mark.parametrize("words", ["STOP", " stop. ", "Please stop texting me", "Abmelden"])
def test_stop_takes_everybody_with_this_number_out_of_all_offers_and_sticks(
    product: Frontdesk, words: str
) -> None:
    join(product, "ann")
    join(product, "bob", email="bob@example.org")
    join(product, "cat", mobile=OTHER)

    take(product, words)

    engine = product.engine.reads().engine
    assert (engine.number_stopped(MOBILE), engine.number_stopped(OTHER)) == (True, False)
    assert {name: status(product, name) for name in ("ann", "bob", "cat")} == {
        "ann": EntryStatus.STOPPED,
        "bob": EntryStatus.STOPPED,
        "cat": EntryStatus.WAITING,
    }
    assert told(product) == [
        TextsStopped(person_id("ann"), stopped=True),
        TextsStopped(person_id("bob"), stopped=True),
    ]
    assert came_in(product) == [(MOBILE, words.strip(), NO_MORE_TEXTS)]


@pytest.mark.spec("FD-15")
def test_start_lifts_the_number_and_brings_nobody_back_to_the_list(product: Frontdesk) -> None:
    join(product, "ann")
    take(product, "STOP", "1")

    take(product, "Start", "2")

    assert not product.engine.reads().engine.number_stopped(MOBILE)
    assert status(product, "ann") is EntryStatus.STOPPED
    assert told(product)[-1] == TextsStopped(person_id("ann"), stopped=False)
    assert (MOBILE, "Start", TEXTS_AGAIN) in came_in(product)


@pytest.mark.spec("FD-15")
def test_cancel_counts_as_stop_and_a_person_is_to_ask_what_was_meant(product: Frontdesk) -> None:
    join(product, "ann")

    take(product, "CANCEL")

    assert product.engine.reads().engine.number_stopped(MOBILE)
    assert came_in(product) == [(MOBILE, "CANCEL", FOR_A_PERSON)]


@pytest.mark.parametrize("words", ["I'll stop by at five", "Yes", "HELP", "", "\ud800 \x00 ü 😀"])
def test_anything_else_changes_nothing_and_is_kept_for_people_to_read(
    product: Frontdesk, words: str
) -> None:
    join(product, "ann")

    take(product, words)

    assert not product.engine.reads().engine.number_stopped(MOBILE)
    assert status(product, "ann") is EntryStatus.WAITING
    ((sender, kept, outcome),) = came_in(product)
    assert (sender, outcome) == (MOBILE, FOR_A_PERSON)
    assert kept == read_mail(_mail(words)).new_text


def _mail(words: str) -> bytes:
    shown = words.encode("utf-8", "replace")
    return b"Content-Type: text/plain; charset=utf-8\n\n" + shown


@pytest.mark.spec("FD-03")
def test_a_repeated_sms_is_stored_once(product: Frontdesk) -> None:
    join(product, "ann")
    take(product, "STOP", "1")
    take(product, "START", "2")

    take(product, "STOP", "1")

    assert not product.engine.reads().engine.number_stopped(MOBILE)
    assert len(came_in(product)) == 2


@pytest.mark.spec("FD-20")
def test_a_text_is_filed_under_its_person_if_one_has_the_number(product: Frontdesk) -> None:
    join(product, "ann")
    take(product, "hello", "1")
    join(product, "bob", email="bob@example.org")
    take(product, "hello again", "2")

    assert sorted(mail.person_id for mail in kept(product)) == ["", person_id("ann")]


@pytest.mark.spec("FD-27")
def test_a_text_from_nobody_we_know_and_without_end_is_kept_in_part(product: Frontdesk) -> None:
    take(product, "x" * 10 * MOST_CHARACTERS, mobile="72345")

    (mail,) = kept(product)
    assert (mail.sender, mail.person_id, mail.outcome) == ("72345", "", FOR_A_PERSON)
    assert len(mail.raw) < 2 * MOST_CHARACTERS


def kept(product: Frontdesk) -> list[RawMail]:
    reads = product.engine.reads()
    rows = admin(reads).mails(MailFilter(), limit=10)
    return [mail for row in rows if (mail := reads.engine.raw_mail(row.id))]


@pytest.mark.spec("WL-06", "FD-15")
def test_joining_again_after_stop_sends_no_texts(product: Frontdesk) -> None:
    take(product, "STOP")
    join(product, "ann", lane=Lane.FORM)

    product.runtime.settle(NINE)

    assert [send.why for send in product.store.sends_in(SendState.DROPPED, 10)] == [
        "this number wants no texts"
    ]
    assert list(product.store.sends_in(SendState.SENT, 10)) == []
