"""The first start of a server plans the nightly deletion of old data."""

from pathlib import Path

from tests.support.machine import machine


def test_the_first_start_plans_the_nightly_deletion_and_the_next_keeps_the_plan(
    tmp_path: Path,
) -> None:
    with machine(tmp_path) as one:
        found = []
        for _ in range(2):
            one.start().stop()
            found.append(one.rows("SELECT name, due_at FROM fd_timer WHERE name LIKE 'fd/%'"))

    [(name, _due_at)] = found[0]
    assert name == "fd/tidy"
    assert found[0] == found[1]
