"""The bench measures what it says: real sign-ups, kept on disk, and wrk's own figures."""

import http.client

import pytest

from bench import bare, imports, load, moves

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def test_the_bare_limit_answers_a_form_after_the_person_is_on_disk() -> None:
    with bare.serve() as served:
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=10)
        answers = []
        for number in range(3):
            connection.request("POST", "/", f"name=Ann&email=ann{number}%40example.org", FORM)
            response = connection.getresponse()
            response.read()
            answers.append((response.status, response.headers["location"], served.stored()))
        connection.close()

    assert answers == [(303, "/confirmed", 1), (303, "/confirmed", 2), (303, "/confirmed", 3)]


def test_figures_are_read_from_what_wrk_prints() -> None:
    printed = "Running 2s test\n\nmeasured 6000 2000000 9500 31000 2\n"

    assert load.read(printed) == load.Load(
        requests=6000, seconds=2.0, p50_ms=9.5, p99_ms=31.0, errors=2
    )
    assert load.read(printed).per_second == 3000


def test_a_run_of_wrk_without_figures_is_no_measurement() -> None:
    with pytest.raises(ValueError, match="printed no figures"):
        load.read("unable to connect")


def test_the_query_by_hand_finds_whom_the_desk_would_ask_at_every_slot() -> None:
    costs = moves.measure(entries=300, slots=20)

    assert costs.decision > 0
    assert costs.query > 0


def test_an_import_is_measured_beside_its_rows_in_plain_sql() -> None:
    rates = imports.measure(rows=120)

    assert rates.imported > 0
    assert rates.plain > 0
