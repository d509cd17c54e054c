"""The next process reaches the same state, at whatever instant the previous one dies."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from frontdesk.core.jobs import JobId
from frontdesk.core.messages import SendRefused, SendUnknown
from frontdesk.core.sends import SendState
from frontdesk.engine.follow import send_id
from frontdesk.engine.replay import replay
from tests.engine.bell import BeginTour, Bell, Ring
from tests.engine.driver import NINE, EngineDriver
from tests.support.flaky_channel import FlakyChannel
from tests.support.power_cuts import Fuse, PowerCut

DriverOpener = Callable[..., EngineDriver]


def scenario(driver: EngineDriver) -> None:
    """Plays two rings and a tour, then three hours."""
    driver.do(Ring("door", "ann"), key="ann rings")
    driver.settle()
    driver.do(Ring("door", "bob"), key="bob rings")
    driver.do(BeginTour(JobId("tour"), "door", 3), key="a tour")
    driver.settle()
    driver.wait(timedelta(hours=3))


def everything(driver: EngineDriver) -> dict[str, Any]:
    """Returns the final rows without the numbers of attempts."""
    engine = driver.store.reads().engine
    return {
        "bell": driver.bell(),
        "prizes": driver.prizes(),
        "sends": [(send.key, send.person_id, send.state) for send in driver.ledger()],
        "texts": driver.texts(),
        "job": engine.job("tour"),
        "timers": driver.store.due_timers(NINE + timedelta(days=9), 100),
        "facts": sorted(
            str(recorded.fact) for recorded in driver.store.unfollowed("a test", ALL_KINDS, 1000)
        ),
        "letters": driver.complaints(),
    }


ALL_KINDS = frozenset({"bl.rung", "bl.counted", "bl.echoed", "bl.prize", "bl.visited"})


def in_the_end(path: Path, channel: Any, commits: int | None) -> tuple[dict[str, Any], bool]:
    """Plays the scenario with a power cut after so many commits; returns the end, and whether there
    was a cut."""
    driver = EngineDriver(path, channel=channel).people("ann", "bob")
    driver.close()
    was_cut = False
    driver = EngineDriver(path, channel=channel, fuse=Fuse(commits))
    try:
        driver.runtime.start(driver.clock.now())
        scenario(driver)
    except PowerCut:
        was_cut = True
        driver.close()
        driver = EngineDriver(path, channel=channel, now=driver.clock.now())
        driver.runtime.start(driver.clock.now())
        scenario_again(driver)
    seen = everything(driver)
    driver.close()
    return seen, was_cut


def scenario_again(driver: EngineDriver) -> None:
    """Repeats the requests with the same keys; the engine recognises those that were committed."""
    began_at = driver.clock.now()
    scenario(driver)
    assert driver.clock.now() == began_at + timedelta(hours=3)


def without_clock_times(seen: dict[str, Any]) -> dict[str, Any]:
    return seen | {"texts": sorted(seen["texts"])}


@pytest.mark.spec("FD-01", "FD-02", "FD-03", "FD-04")
@pytest.mark.parametrize("channel", ["mailbox", "post"])
def test_a_power_cut_after_any_commit_changes_nothing_in_the_end(
    tmp_path: Path, channel: str
) -> None:
    def new_channel() -> FlakyChannel | None:
        return FlakyChannel() if channel == "post" else None

    whole, _ = in_the_end(tmp_path / "whole.db", new_channel(), None)
    assert whole["bell"] == Bell(rung=2, counted=2)
    assert [state for _, _, state in whole["sends"]] == [SendState.SENT] * 4
    assert whole["letters"] == []

    cuts = 0
    for commits in range(200):
        post = new_channel()
        seen, was_cut = in_the_end(tmp_path / f"{commits}.db", post, commits)
        if not was_cut:
            break
        cuts += 1
        assert without_clock_times(seen) == without_clock_times(whole), f"after {commits} commits"
        if post is not None:
            ids = {f"<{send_id(key, person)}@bell.example>" for key, person, _ in seen["sends"]}
            assert set(post.times()) == ids
            assert post.times().total() <= len(ids) + 1
    assert cuts > 15


@pytest.mark.spec("FD-02", "FD-04")
def test_a_mail_repeated_after_a_power_cut_has_the_same_id_words_and_deadline(
    open_driver: DriverOpener,
) -> None:
    post = FlakyChannel(failures=[PowerCut()], lose_answers=True)
    driver = open_driver(channel=post).people("ann")
    driver.do(Ring("door", "ann"))
    with pytest.raises(PowerCut):
        driver.settle()
    driver.close()

    later = open_driver(channel=post, now=NINE + timedelta(minutes=7))
    later.runtime.start(later.clock.now())
    later.wait(timedelta(minutes=1))

    first, second = post.delivered
    assert (second.message_id, second.text) == (first.message_id, first.text)
    assert first.text == "a prize for ring 1, until 02 15:00:00"
    assert later.states()["bl/door/1/prize"] == "sent"


@pytest.mark.spec("FD-04", "FD-07")
def test_a_text_that_may_have_gone_out_before_a_power_cut_is_shown_and_not_repeated(
    open_driver: DriverOpener,
) -> None:
    texts = FlakyChannel(failures=[PowerCut()], lose_answers=True)
    driver = open_driver(texts=texts).people("ann", mobile="+6591234567")
    driver.do(Ring("door", "ann"))
    with pytest.raises(PowerCut):
        driver.settle()
    driver.close()

    later = open_driver(texts=texts)
    later.runtime.start(later.clock.now())
    later.settle()

    (send,) = later.ledger()
    assert (send.state, len(texts.delivered)) == (SendState.UNKNOWN, 1)
    why = "may have been sent; the process ended while it was being sent"
    assert later.complaints() == [("send", send.id, why)]
    assert later.prizes() == {("door", 1): "live"}


@pytest.mark.spec("FD-02", "FD-07")
def test_a_power_cut_while_a_send_is_given_up_leaves_one_dead_letter(tmp_path: Path) -> None:
    def given_up(path: Path, commits: int | None) -> tuple[list[str], list[SendState], bool]:
        """Gives up mails to Ann, whose address is refused; the power may be cut after so many
        commits."""
        EngineDriver(path).people("ann").close()
        refusals = [SendRefused("554 no") for _ in range(3)]
        driver = EngineDriver(path, channel=FlakyChannel(failures=[*refusals]), fuse=Fuse(commits))
        was_cut = False
        try:
            driver.do(Ring("door", "ann"), key="ann rings")
            driver.settle()
        except PowerCut:
            was_cut = True
            driver.close()
            driver = EngineDriver(path, channel=FlakyChannel(failures=[*refusals]))
            driver.runtime.start(driver.clock.now())
            driver.do(Ring("door", "ann"), key="ann rings")
            driver.wait(timedelta(minutes=5))
        seen = [letter.what for letter in driver.letters()], [s.state for s in driver.ledger()]
        driver.close()
        return *seen, was_cut

    whole = (["send"], [SendState.FAILED])
    assert given_up(tmp_path / "whole.db", None) == (*whole, False)

    cuts = 0
    for commits in range(50):
        *seen, was_cut = given_up(tmp_path / f"{commits}.db", commits)
        assert tuple(seen) == whole, f"after {commits} commits"
        cuts += was_cut
        if not was_cut:
            break
    assert cuts > 4


@pytest.mark.spec("FD-07")
def test_a_send_that_fails_again_after_it_was_replayed_is_a_new_dead_letter(
    open_driver: DriverOpener,
) -> None:
    lost = [SendUnknown("time-out"), SendUnknown("time-out")]
    texts = FlakyChannel(failures=[*lost])
    driver = open_driver(texts=texts).people("ann", mobile="+6591234567")
    driver.do(Ring("door", "ann"))
    driver.settle()
    (first,) = driver.letters()

    replay(driver.runtime, driver.diagnostics(), first.id, by="cli", now=driver.clock.now())
    driver.settle()

    assert [letter.replayed_at for letter in driver.letters()] == [driver.clock.now(), None]
