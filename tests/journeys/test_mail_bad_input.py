"""Invalid input to the SMTP listener gets a clear answer, changes nothing and does not stop it."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.mail import DOMAIN, PARTY, MailLane, a_mail, mail_lane


class Line:
    """An SMTP conversation, byte by byte."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self._lines = self._socket.makefile("rb")
        assert self.answer() == 220

    def __enter__(self) -> "Line":
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.close()
        self._socket.close()

    def answer(self) -> int:
        """Returns the code of the next answer; 0 if the connection is closed."""
        try:
            line = self._lines.readline()
            while line[3:4] == b"-":
                line = self._lines.readline()
        except ConnectionError:
            return 0
        return int(line[:3] or 0)

    def say(self, *lines: bytes) -> list[int]:
        answers: list[int] = []
        for line in lines:
            try:
                self._socket.sendall(line + b"\r\n")
            except ConnectionError:
                return [*answers, 0]
            answers.append(self.answer())
        return answers

    def mail(self, raw: bytes, to: str = PARTY) -> int:
        """Sends a whole mail with a valid envelope; returns the answer."""
        begun = self.say(
            b"EHLO me", b"MAIL FROM:<ann@example.org>", f"RCPT TO:<{to}>".encode(), b"DATA"
        )
        assert begun == [250, 250, 250, 354]
        dotted = raw.replace(b"\r\n.", b"\r\n..")
        return self.say((b"." if raw[:1] == b"." else b"") + dotted + b"\r\n.")[0]


def list_and_mails(lane: MailLane) -> tuple[dict[str, str], int]:
    lane.desk.settle()
    return lane.guests(), len(lane.sink.received)


def assert_it_goes_on(lane: MailLane) -> None:
    """Checks that the next guest who writes is served as usual."""
    assert lane.desk.dead_letters() == []
    assert lane.desk.problems() == []
    lane.takes(a_mail(sender="bob@example.org", message_id="<after@example.org>"))
    assert lane.guests() == {"bob@example.org": "confirmed"}


DEEP = b"".join(
    b'Content-Type: multipart/mixed; boundary="%d"\r\n\r\n--%d\r\n' % (n, n) for n in range(5_000)
)
MANY_PARTS = (
    b'From: noreply@example.org\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n'
    + 15_000 * b"--b\r\n\r\nx\r\n"
)


@pytest.mark.spec("FD-27", "EV-09")
@pytest.mark.parametrize(
    ("raw", "answer", "outcome"),
    [
        pytest.param(b"", 250, "unreadable: no headers", id="nothing at all"),
        pytest.param(b"hello there\r\n", 250, "unreadable: no headers", id="no headers"),
        pytest.param(b"\r\nFrom: ann@example.org\r\n", 250, "unreadable: no headers", id="a body"),
        pytest.param((b"\x00" * 900 + b"\r\n") * 50, 250, "unreadable: no headers", id="NULs"),
        pytest.param(
            (bytes(range(128, 256)) + b"\r\n") * 500, 250, "unreadable: no headers", id="8 bit"
        ),
        pytest.param(b"Subject: x\r\n\r\nhi\r\n", 250, "not answered: no usable sender", id="anon"),
        pytest.param(
            b"From: \xff\xfe <\xff@\x00>\r\n\r\nhi\r\n",
            250,
            "not answered: no usable sender",
            id="a garbled sender",
        ),
        pytest.param(
            b"From: a@example.org, b@example.org\r\n\r\nhi\r\n",
            250,
            "not answered: no usable sender",
            id="two senders",
        ),
        pytest.param(
            b"From: noreply@example.org\r\n" + DEEP, 250, "not answered: auto-reply", id="nested"
        ),
        pytest.param(MANY_PARTS, 250, "not answered: auto-reply", id="many parts"),
        pytest.param(MANY_PARTS * 4, 552, None, id="many lines"),
        pytest.param(
            b"X: y\r\n" * 2_000 + b"\r\n", 250, "unreadable: too many headers", id="headers"
        ),
        pytest.param(b"a\nb\r\n", 550, None, id="a line that ends otherwise"),
        pytest.param(b"x" * 100_000, 500, None, id="one long line"),
        pytest.param(
            b"From: ann@example.org\r\n\r\n" + (b"x" * 98 + b"\r\n") * 25_000, 552, None, id="huge"
        ),
    ],
)
def test_a_bad_mail_gets_a_clear_answer_and_changes_nothing(
    lane: MailLane, raw: bytes, answer: int, outcome: str | None
) -> None:
    lane.desk.given(cap=1)

    with Line(lane.port) as line:
        assert line.mail(raw) == answer

    assert list_and_mails(lane) == ({}, 0)
    assert lane.kept == ([(PARTY, outcome)] if outcome else [])
    assert_it_goes_on(lane)


@pytest.mark.spec("FD-27")
def test_a_bad_conversation_gets_clear_answers_and_changes_nothing(lane: MailLane) -> None:
    lane.desk.given(cap=1)
    with Line(lane.port) as line:
        assert line.say(b"\x00\xff\xfe", b"GET / HTTP/1.1", b"", b"RCPT TO:<x>") == [
            500,
            500,
            500,
            503,
        ]
        assert line.say(b"EHLO me", b"MAIL FROM:<a\x01@example.org>") == [250, 553]
        assert line.say(b"MAIL FROM:<a@example.org>", b"DATA") == [250, 503]
        assert line.say(b"RCPT TO:<pottery>", f"RCPT TO:<@{DOMAIN}>".encode()) == [550, 553]
        assert line.say(b"RCPT TO:<" + b"x" * 5_000 + b">") == [500]

    assert list_and_mails(lane) == ({}, 0)
    assert lane.kept == []
    assert_it_goes_on(lane)


@pytest.mark.spec("FD-27")
def test_thousands_of_recipients_are_too_many(lane: MailLane) -> None:
    lane.desk.given(cap=1)
    with Line(lane.port) as line:
        line.say(b"EHLO me", b"MAIL FROM:<a@example.org>")
        tags = (f"RCPT TO:<pottery+{n}@{DOMAIN}>".encode() for n in range(3_000))
        answers = line.say(*tags)

    assert answers[:25] == 20 * [250] + 5 * [452]
    assert set(answers[25:]) <= {452, 421, 0}
    assert list_and_mails(lane) == ({}, 0)
    assert lane.kept == []
    assert_it_goes_on(lane)


@pytest.fixture(scope="module")
def busy_lane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MailLane]:
    """Serves all examples; it accepts more mails from one peer than a real listener."""
    folder: Path = tmp_path_factory.mktemp("lane")
    with mail_lane(folder, most_mails=100_000) as lane:
        lane.desk.given(cap=1)
        yield lane


HEADERS = st.sampled_from(
    (b"From", b"To", b"Subject", b"Message-ID", b"Content-Type", b"Authentication-Results", b"Date")
)
PIECES = st.one_of(
    st.binary(max_size=60),
    st.sampled_from(
        (
            b"multipart/mixed; boundary=b",
            b"--b",
            b"=?utf-8?b?////?=",
            b'"<>,;:@',
            b"text/html",
            b"<" * 50,
        )
    ),
)


@pytest.mark.spec("FD-27")
@settings(max_examples=60, deadline=None)
@given(
    headers=st.lists(st.tuples(HEADERS, PIECES), max_size=6),
    body=st.lists(PIECES, max_size=6),
)
def test_any_bytes_are_taken_or_refused_and_always_settled(
    busy_lane: MailLane, headers: list[tuple[bytes, bytes]], body: list[bytes]
) -> None:
    head = b"".join(name + b": " + value + b"\r\n" for name, value in headers)
    with Line(busy_lane.port) as line:
        answer = line.mail(b"Precedence: junk\r\n" + head + b"\r\n" + b"\r\n".join(body))

    assert answer in (250, 550, 500)
    assert list_and_mails(busy_lane) == ({}, 0)
    assert [kept for kept in busy_lane.kept if not kept[1]] == []
    assert busy_lane.desk.dead_letters() == []
