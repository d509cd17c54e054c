"""Answers of the database to a transaction, and their treatment by the store."""

from __future__ import annotations

from collections.abc import Callable
from itertools import repeat
from typing import Any

import pytest
from botocore.exceptions import ClientError

from frontdesk.core.decision import Accepted
from frontdesk.core.people import Person
from frontdesk.core.sends import QueueSend, SendId
from frontdesk.desks.rsvp.changes import LineChanged, TakeSeats
from frontdesk.desks.rsvp.model import Seats
from frontdesk.engine.ports import Committed, Followed, Reads
from frontdesk.errors import Busy, Conflict
from frontdesk.store.dynamodb.rsvp import RSVP
from frontdesk.store.dynamodb.schema import FD_OUTBOX, TABLES
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.store.dynamodb.transact import (
    FIRST_PAUSE_SECONDS,
    LEAST_TRIES,
    LONGEST_PAUSE_SECONDS,
    MOST_ITEMS,
    MOST_SECONDS,
    MOST_TRIES,
    Backoff,
)
from tests.store.contract.test_engine_rows import note
from tests.store.dynamodb.faults import Client, Failing, Mute, cancelled, error
from tests.store.samples import (
    FOLLOWERS,
    NINE,
    PARTY,
    add_person,
    commit,
    decide,
    fact,
    given,
    person_id,
    rsvp,
    seat,
    sign_up,
    timer,
)
from tests.support.dynamodb import Tables, needs_dynamodb

pytestmark = needs_dynamodb

Opener = Callable[..., DynamoStore]


@pytest.fixture
def open_store(dynamodb: Tables) -> Opener:
    def open_(client: Any = None, pauses: list[float] | None = None) -> DynamoStore:
        heard = [] if pauses is None else pauses
        store = DynamoStore(
            client or dynamodb.client,
            dynamodb.bucket,
            [RSVP],
            prefix=dynamodb.prefix,
            chance=lambda: 0.5,
            pause=heard.append,
        )
        store.register_followers(FOLLOWERS)
        return store

    return open_


BUSY = [
    cancelled("None", "TransactionConflict"),
    cancelled("ThrottlingError", "None"),
    cancelled("ProvisionedThroughputExceeded"),
    error("ThrottlingException"),
    error("ProvisionedThroughputExceededException"),
    error("TransactionInProgressException"),
    error("InternalServerError"),
]


@pytest.mark.spec("EV-04")
def test_a_busy_transaction_is_retried_after_pauses(dynamodb: Tables, open_store: Opener) -> None:
    given(open_store())
    pauses: list[float] = []
    store = open_store(Failing(dynamodb.client, iter(BUSY)), pauses)

    assert isinstance(decide(store, sign_up("ann")), Committed)

    assert seats(store) == Seats(cap=5, free=4, taken=1)
    grown = [0.5 * FIRST_PAUSE_SECONDS * 2**turn for turn in range(len(BUSY))]
    assert pauses == [min(each, 0.5 * LONGEST_PAUSE_SECONDS) for each in grown]


@pytest.mark.spec("FD-01")
@pytest.mark.parametrize("how", ["decide", "commit", "add_dead_letter", "pass_over", "refuse"])
def test_busy_for_too_long_is_busy_and_nothing_is_written(
    dynamodb: Tables, open_store: Opener, how: str
) -> None:
    store = open_store()
    given(store)
    (followed,) = commit(store, facts=(fact(),)).facts
    cause = Followed("react", followed.seq)
    before = {table.name: dynamodb.rows(table) for table in TABLES}
    client = Failing(dynamodb.client, repeat(cancelled("TransactionConflict")))
    store = open_store(client)
    attempts: dict[str, Callable[[], object]] = {
        "decide": lambda: decide(store, sign_up("ann"), key="k1"),
        "commit": lambda: store.commit(seat("ann"), by="cli", at=NINE),
        "add_dead_letter": lambda: store.add_dead_letter(
            "fact", "react/1", "why", at=NINE, cause=cause
        ),
        "pass_over": lambda: store.pass_over("react", followed.seq),
        "refuse": lambda: decide(store, sign_up("ann", seats=9), cause=cause),
    }

    with pytest.raises(Busy):
        attempts[how]()

    assert client.transactions == MOST_TRIES
    assert {table.name: dynamodb.rows(table) for table in TABLES} == before


def test_retries_end_after_their_time_limit() -> None:
    now = [100.0]
    backoff = Backoff(lambda: 1.0, lambda _seconds: None, lambda: now[0])

    now[0] += MOST_SECONDS - 0.1
    for _ in range(LEAST_TRIES):
        backoff.wait()
    now[0] += 0.1

    with pytest.raises(Busy):
        backoff.wait()


@pytest.mark.spec("BK-11", "FD-01")
def test_the_loser_of_a_race_gets_an_answer_even_if_the_first_try_took_long() -> None:
    now = [100.0]
    backoff = Backoff(lambda: 1.0, lambda _seconds: None, lambda: now[0])

    for _ in range(LEAST_TRIES - 1):
        now[0] += MOST_SECONDS
        backoff.wait()

    with pytest.raises(Busy):
        backoff.wait()


def test_a_permanent_error_is_raised_at_once(dynamodb: Tables, open_store: Opener) -> None:
    given(open_store())
    client = Failing(dynamodb.client, iter([error("AccessDeniedException")]))

    with pytest.raises(ClientError, match="AccessDenied"):
        decide(open_store(client), sign_up("ann"))

    assert client.transactions == 1


def test_a_failed_condition_is_an_answer_even_if_other_items_are_busy(
    dynamodb: Tables, open_store: Opener
) -> None:
    given(open_store())
    taken = TakeSeats(PARTY, 0, 1, waited=False)
    both = cancelled("ConditionalCheckFailed", "ThrottlingError")
    store = open_store(Failing(dynamodb.client, iter([both])))

    with pytest.raises(Conflict) as refused:
        store.commit(Accepted((taken,), timers=(timer("ev/a"),)), by="cli", at=NINE)

    assert refused.value.change is taken


@pytest.mark.spec("FD-03")
def test_a_commit_whose_answer_was_lost_is_sent_again_and_has_its_effect_once(
    dynamodb: Tables, open_store: Opener
) -> None:
    given(open_store())
    client = Mute(dynamodb.client)
    store = open_store(client)

    outcome = decide(store, sign_up("ann"))

    assert isinstance(outcome, Committed)
    assert client.transactions == 2
    assert rsvp(store).facts(PARTY) == list(outcome.facts)
    assert seats(store) == Seats(cap=5, free=4, taken=1)


@pytest.mark.spec("FD-03")
def test_a_send_that_exists_is_left_out_and_the_rest_is_written(
    dynamodb: Tables, open_store: Opener
) -> None:
    commit(open_store(), add_person(), queue("s1"), queue("s2"))
    client = Client(dynamodb.client)
    store = open_store(client)

    commit(store, add_person("bob"), queue("s1"), queue("s2"), queue("s3"), facts=(fact(),))

    assert client.transactions == 2
    engine = store.reads().engine
    assert engine.person(person_id("bob")) == Person(person_id("bob"), "Bob", "bob@example.org")
    assert {each.id for each in store.due_sends(NINE, 10)} == {"s1", "s2", "s3"}
    assert len(rsvp(store).facts(PARTY)) == 1


def queue(name: str) -> QueueSend:
    return QueueSend(SendId(name), "ev", note(name), person_id("ann"), NINE)


def test_a_commit_of_more_items_than_the_database_takes_is_a_bug(open_store: Opener) -> None:
    timers = tuple(timer(f"ev/{number}") for number in range(MOST_ITEMS + 1))

    with pytest.raises(AssertionError, match="101 items are too many"):
        open_store().commit(Accepted(timers=timers), by="cli", at=NINE)


@pytest.mark.spec("FD-01")
def test_a_fact_waits_for_its_followers_only_and_goes_with_the_last_of_them(
    dynamodb: Tables, open_store: Opener
) -> None:
    store = open_store()
    given(store)
    decide(store, sign_up("ann"))
    assert dynamodb.rows(FD_OUTBOX) == []

    (followed,) = commit(store, facts=(fact(),)).facts
    assert waiting(dynamodb) == {followed.seq: ["react", "tell"]}
    store.pass_over("tell", followed.seq)
    assert waiting(dynamodb) == {followed.seq: ["react"]}
    decide(store, nothing, cause=Followed("react", followed.seq))

    assert dynamodb.rows(FD_OUTBOX) == []
    assert rsvp(store).facts(PARTY)[-1] == followed


def waiting(dynamodb: Tables) -> dict[int, list[str]]:
    rows = dynamodb.rows(FD_OUTBOX)
    return {int(row["seq"]["N"]): sorted(row["followers"]["SS"]) for row in rows}


def nothing(_reads: Reads) -> Accepted:
    return Accepted()


@pytest.mark.spec("FD-03")
def test_two_simultaneous_followers_are_both_removed(dynamodb: Tables, open_store: Opener) -> None:
    """The second has read the row before the first was removed from it."""
    store = open_store()
    given(store)
    (followed,) = commit(store, facts=(fact(),)).facts

    class InBetween(Client):
        def transact_write_items(self, **request: Any) -> Any:
            if not self.transactions:
                store.pass_over("tell", followed.seq)
            return super().transact_write_items(**request)

    decide(
        open_store(InBetween(dynamodb.client)),
        lambda _reads: Accepted((LineChanged(PARTY),)),
        cause=Followed("react", followed.seq),
    )

    assert dynamodb.rows(FD_OUTBOX) == []
    assert seats(store) == Seats(cap=5, free=5, rev=1)


@pytest.mark.spec("FD-03")
def test_of_two_requests_under_one_key_at_once_the_second_gets_the_answer_of_the_first(
    dynamodb: Tables, open_store: Opener
) -> None:
    first_store = open_store()
    given(first_store)
    answers: list[object] = []

    class InBetween(Client):
        def transact_write_items(self, **request: Any) -> Any:
            if not answers:
                answers.append(decide(first_store, sign_up("ann"), key="k1"))
            return super().transact_write_items(**request)

    second = decide(open_store(InBetween(dynamodb.client)), sign_up("bob"), key="k1")

    (first,) = answers
    assert isinstance(first, Committed)
    assert second == Committed(first.facts, repeated=True)
    assert seats(first_store) == Seats(cap=5, free=4, taken=1)


def test_facts_are_numbered_by_time_and_never_twice(open_store: Opener) -> None:
    one, two = open_store(), open_store()

    numbers = [
        recorded.seq
        for turn in range(10)
        for recorded in commit((one, two)[turn % 2], facts=(fact("a"), fact("b"))).facts
    ]

    assert numbers == sorted(set(numbers))
    assert {len(str(each)) for each in numbers} == {35}


def test_a_failing_listener_does_not_break_a_commit(open_store: Opener) -> None:
    store = open_store()
    heard: list[object] = []

    def fail(_facts: object) -> None:
        raise ZeroDivisionError

    store.on_commit(fail)
    store.on_commit(heard.append)

    committed = commit(store, facts=(fact(),))

    assert heard == [list(committed.facts)]


def seats(store: DynamoStore) -> Seats:
    found = rsvp(store).event(PARTY)
    assert found is not None
    return found.seats
