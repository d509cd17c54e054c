"""The SMTP listener in real conversations, byte by byte where that matters."""

import asyncio
import smtplib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Protocol, TypeVar

import pytest
import uvloop

from frontdesk.connect.mail_headers import Envelope
from frontdesk.connect.smtp_in import MAX_LINES, SmtpListener

T = TypeVar("T")

PARTY = "party@desk.example"
MAIL = b"From: ann@example.org\r\nSubject: Party\r\n\r\nCount me in\r\n"


class Run(Protocol):
    def __call__(self, scenario: Coroutine[None, None, T]) -> T: ...


@pytest.fixture(params=[asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Run:
    """Runs a scenario on each of the event loops that the server may use."""

    def run_in_loop(scenario: Coroutine[None, None, T]) -> T:
        with asyncio.Runner(loop_factory=request.param) as runner:
            return runner.run(asyncio.wait_for(scenario, 30))

    return run_in_loop


class Conversation:
    """Sends raw bytes to a listener and reads its answers."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def answer(self) -> str:
        """Returns the code of the next answer; '' if the connection is closed."""
        line = await asyncio.wait_for(self._reader.readline(), 10)
        while line[3:4] == b"-":
            line = await asyncio.wait_for(self._reader.readline(), 10)
        return line[:3].decode()

    async def say(self, *lines: bytes) -> list[str]:
        """Sends each line with its end, and returns the answers."""
        answers = []
        for line in lines:
            self.send(line + b"\r\n")
            answers.append(await self.answer())
        return answers

    def send(self, raw: bytes) -> None:
        self._writer.write(raw)

    async def begin(self, *recipients: str) -> list[str]:
        asked = [b"EHLO me", b"MAIL FROM:<ann@example.org>"]
        return await self.say(*asked, *(f"RCPT TO:<{each}>".encode() for each in recipients))

    async def mail(self, raw: bytes) -> str:
        assert await self.say(b"DATA") == ["354"]
        return (await self.say(raw + b"\r\n."))[0]

    def hang_up(self) -> None:
        self._writer.close()


@asynccontextmanager
async def listening(
    deliver: Callable[[Envelope], Awaitable[None] | None], **options: object
) -> AsyncIterator[SmtpListener]:
    listener = SmtpListener(
        "127.0.0.1",
        0,
        accepts=lambda address: address.lower().endswith("@desk.example"),
        deliver=deliver,
        **options,  # type: ignore[arg-type]
    )
    await listener.start()
    try:
        yield listener
    finally:
        await listener.stop()


async def call(listener: SmtpListener) -> Conversation:
    found = Conversation(*await asyncio.open_connection(listener.host, listener.port))
    assert await found.answer() == "220"
    return found


@pytest.mark.spec("EV-07")
def test_a_mail_to_a_known_address_is_delivered_as_it_came(run: Run) -> None:
    kept: list[Envelope] = []

    async def scenario() -> None:
        async with listening(kept.append) as listener:
            await asyncio.to_thread(send_with_smtplib, listener.port)

    run(scenario())
    assert kept == [Envelope("ann@example.org", (PARTY,), MAIL + b".dot\r\n", "127.0.0.1")]


def send_with_smtplib(port: int) -> None:
    with smtplib.SMTP("127.0.0.1", port, local_hostname="me", timeout=10) as server:
        server.sendmail("ann@example.org", [PARTY], MAIL + b".dot\r\n")


@pytest.mark.spec("FD-02")
def test_a_mail_is_accepted_only_after_it_is_stored(run: Run) -> None:
    async def scenario() -> None:
        may_finish = asyncio.Event()
        began = asyncio.Event()

        async def deliver(_mail: Envelope) -> None:
            began.set()
            await may_finish.wait()

        async with listening(deliver) as listener:
            caller = await call(listener)
            await caller.begin(PARTY)
            await caller.say(b"DATA")
            caller.send(MAIL + b".\r\n")
            answer = asyncio.ensure_future(caller.answer())
            await began.wait()
            for _ in range(10):
                await asyncio.sleep(0)
            assert not answer.done()
            may_finish.set()
            assert await answer == "250"

    run(scenario())


@pytest.mark.spec("FD-02")
@pytest.mark.parametrize("asynchronous", [True, False])
def test_a_mail_that_could_not_be_kept_is_asked_for_again(run: Run, asynchronous: bool) -> None:
    kept: list[Envelope] = []
    failures = iter([True, False])

    def keep(mail: Envelope) -> None:
        if next(failures):
            raise OSError("disk full")
        kept.append(mail)

    async def keep_later(mail: Envelope) -> None:
        keep(mail)

    async def scenario() -> list[str]:
        async with listening(keep_later if asynchronous else keep) as listener:
            caller = await call(listener)
            await caller.begin(PARTY)
            first = await caller.mail(MAIL)
            await caller.begin(PARTY)
            return [first, await caller.mail(MAIL)]

    assert run(scenario()) == ["451", "250"]
    assert len(kept) == 1


def test_a_sender_who_hangs_up_does_not_stop_a_mail_being_kept(run: Run) -> None:
    kept: list[Envelope] = []

    async def scenario() -> None:
        began, gone = asyncio.Event(), asyncio.Event()

        async def deliver(mail: Envelope) -> None:
            began.set()
            await gone.wait()
            kept.append(mail)

        async with listening(deliver) as listener:
            caller = await call(listener)
            await caller.begin(PARTY)
            await caller.say(b"DATA")
            caller.send(MAIL + b".\r\n")
            await began.wait()
            caller.hang_up()
            await asyncio.sleep(0)
            gone.set()

    run(scenario())
    assert len(kept) == 1


@pytest.mark.spec("FD-27")
def test_only_known_recipients_are_taken_and_only_so_many(run: Run) -> None:
    async def scenario() -> tuple[list[str], list[str]]:
        async with listening(lambda _: None) as listener:
            caller = await call(listener)
            few = await caller.begin("eve@elsewhere.org", "eve%elsewhere.org@x.org", PARTY)
            await caller.say(b"RSET")
            many = await caller.begin(*(f"p{n}@desk.example" for n in range(21)))
            return few, many

    few, many = run(scenario())
    assert few == ["250", "250", "550", "550", "250"]
    assert many == ["250", "250", *["250"] * 20, "452"]


def test_a_bounce_has_no_sender(run: Run) -> None:
    kept: list[Envelope] = []

    async def scenario() -> None:
        async with listening(kept.append) as listener:
            caller = await call(listener)
            await caller.say(b"HELO me", b"MAIL FROM:<>", b"RCPT TO:<party@desk.example>")
            assert await caller.mail(MAIL) == "250"

    run(scenario())
    assert [mail.mail_from for mail in kept] == [""]


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize(
    "end", [b"\n.\n", b"\n.\r\n", b"\r.\r", b"\r.\r\n", b"\r\n.\r", b"\r\n.\n"]
)
def test_no_second_mail_can_be_hidden_behind_odd_line_ends(run: Run, end: bytes) -> None:
    kept: list[Envelope] = []
    hidden = b"MAIL FROM:<eve@x.org>\r\nRCPT TO:<party@desk.example>\r\nDATA\r\nFrom: eve@x.org\r\n"

    async def scenario() -> tuple[str, list[str]]:
        async with listening(kept.append) as listener:
            caller = await call(listener)
            await caller.begin(PARTY)
            answer = await caller.mail(MAIL + end + hidden)
            return answer, await caller.say(b"NOOP")

    assert run(scenario()) == ("550", ["250"])
    assert kept == []


@pytest.mark.spec("FD-27")
def test_a_mail_that_is_too_big_is_refused_when_announced_and_when_sent(run: Run) -> None:
    kept: list[Envelope] = []

    async def scenario() -> tuple[list[str], str]:
        async with listening(kept.append, max_bytes=10_000) as listener:
            caller = await call(listener)
            announced = await caller.say(b"EHLO me", b"MAIL FROM:<a@x.org> SIZE=10001")
            await caller.begin(PARTY)
            return announced, await caller.mail(b"x" * 70 + b"\r\n" + (b"y" * 70 + b"\r\n") * 150)

    assert run(scenario()) == (["250", "552"], "552")
    assert kept == []


@pytest.mark.spec("FD-27", "FD-29")
@pytest.mark.parametrize("piece", [b"x" * 1_000, b"x" * 70 + b"\r\n"])
def test_a_mail_without_an_end_is_cut_off(run: Run, piece: bytes) -> None:
    async def scenario() -> str:
        async with listening(lambda _: None, max_bytes=10_000) as listener:
            caller = await call(listener)
            await caller.begin(PARTY)
            await caller.say(b"DATA")
            caller.send(piece * (2_000_000 // len(piece)))
            try:
                return await caller.answer()
            except ConnectionError:
                return ""

    assert run(scenario()) == ""


@pytest.mark.spec("FD-27", "FD-29")
def test_a_mail_of_very_many_lines_is_cut_off(run: Run) -> None:
    kept: list[Envelope] = []

    async def scenario() -> str:
        async with listening(kept.append) as listener:
            caller = await call(listener)
            await caller.begin(PARTY)
            await caller.say(b"DATA")
            caller.send(b"x\r\n" * (MAX_LINES + 1) + b".\r\n")
            try:
                return await caller.answer()
            except ConnectionError:
                return ""

    assert run(scenario()) in ("552", "")
    assert kept == []


@pytest.mark.spec("FD-27")
def test_a_silent_client_is_disconnected(run: Run) -> None:
    async def scenario() -> str:
        async with listening(lambda _: None, idle_seconds=0.05) as listener:
            return await (await call(listener)).answer()

    assert run(scenario()) == ""


@pytest.mark.spec("FD-28")
def test_one_peer_may_send_only_so_many_mails_a_minute(run: Run) -> None:
    now = [0.0]

    async def scenario() -> list[str]:
        async with listening(
            lambda _: None, max_mails_per_peer_per_minute=2, clock=lambda: now[0]
        ) as listener:
            caller = await call(listener)
            begin = (b"RSET", b"MAIL FROM:<a@x.org>")
            answers = await caller.say(b"EHLO me", *begin, *begin, *begin)
            now[0] = 61.0
            return [*answers[2::2], *await caller.say(*begin)]

    assert run(scenario()) == ["250", "250", "450", "250", "250"]


@pytest.mark.spec("FD-28")
def test_too_many_connections_are_sent_away_until_one_leaves(run: Run) -> None:
    async def scenario() -> list[str]:
        async with listening(lambda _: None, max_connections=2) as listener:
            first, _second = await call(listener), await call(listener)
            third = Conversation(*await asyncio.open_connection(listener.host, listener.port))
            answers = [await third.answer(), await third.answer()]
            await first.say(b"QUIT")
            assert await first.answer() == ""
            return [*answers, *await (await call(listener)).say(b"NOOP")]

    assert run(scenario()) == ["421", "", "250"]


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\x00\xff",
        b"MAIL FROM:<" + b"(" * 400,
        b"MAIL FROM:<\xff@x.org>",
        b"MAIL FROM:<a@x.org> WHAT=EVER",
        b"RCPT TO:",
        b"DATA",
        b"EXPN \xff\xfe",
        b"AUTH PLAIN AGEAYg==",
        b"STARTTLS",
        b"BDAT 3 LAST",
        b"X" * 3_000,
    ],
)
def test_nonsense_is_answered_and_the_conversation_goes_on(run: Run, line: bytes) -> None:
    async def scenario() -> tuple[list[str], list[str]]:
        async with listening(lambda _: None) as listener:
            caller = await call(listener)
            await caller.say(b"EHLO me")
            return await caller.say(line), await caller.begin(PARTY)

    (answer,), after = run(scenario())
    assert answer[0] in "45"
    assert after == ["250", "250", "250"]


def test_stopping_waits_for_the_mail_being_kept_and_then_hangs_up(run: Run) -> None:
    async def scenario() -> list[str]:
        began, may_finish = asyncio.Event(), asyncio.Event()

        async def deliver(_mail: Envelope) -> None:
            began.set()
            await may_finish.wait()

        async with listening(deliver) as listener:
            caller = await call(listener)
            await caller.begin(PARTY)
            await caller.say(b"DATA")
            caller.send(MAIL + b".\r\n")
            await began.wait()
            stopping = asyncio.ensure_future(listener.stop())
            await asyncio.sleep(0)
            may_finish.set()
            await stopping
            return [await caller.answer(), await caller.answer()]

    assert run(scenario()) == ["250", ""]
