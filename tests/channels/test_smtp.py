"""The SMTP channel in real conversations, with servers that accept mail and servers that do not."""

import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from frontdesk.channels.smtp.channel import SmtpChannel
from frontdesk.core.messages import SendFailed, SendLater, SendRefused, SendUnknown
from tests.channels.messages import a_message
from tests.channels.scripted_server import HANG_UP, SILENCE, ScriptedServer
from tests.smtp_sink import SmtpSink, SunkMail


def channel(server: SmtpSink | ScriptedServer, **options: object) -> SmtpChannel:
    options = {"tls": "none", "timeout": 5.0} | options
    return SmtpChannel(server.host, server.port, **options)  # type: ignore[arg-type]


@pytest.fixture
def sink() -> Iterator[SmtpSink]:
    with SmtpSink() as sink:
        yield sink


def test_a_message_arrives_whole_with_its_message_id(sink: SmtpSink) -> None:
    channel(sink).send(a_message(text=".\n..\n.hidden\nGrüße\n", to_name="Zoë"))

    (mail,) = sink.received
    assert (mail.mail_from, mail.rcpt_to) == ("party@desk.example", ("ann@example.org",))
    assert mail.message["Message-ID"] == "<send-1@desk.example>"
    assert mail.message["To"].addresses[0].display_name == "Zoë"
    assert mail.message.get_content().split() == [".", "..", ".hidden", "Grüße"]


def test_a_connection_is_used_again_until_it_has_been_idle_too_long(sink: SmtpSink) -> None:
    now = [0.0]
    smtp = channel(sink, clock=lambda: now[0])

    smtp.send(a_message())
    smtp.send(a_message())
    assert (sink.connections, len(sink.received)) == (1, 2)

    now[0] = 60.0
    smtp.send(a_message())
    assert (sink.connections, len(sink.received)) == (2, 3)
    smtp.close()


def test_a_kept_connection_that_the_server_has_closed_is_replaced() -> None:
    with ScriptedServer({"MAIL": "250 ok", "BODY": "250 taken"}, {}) as server:
        smtp = channel(server)
        smtp.send(a_message())
        kept = smtp._open
        assert kept is not None
        assert kept.sock is not None
        kept.sock.shutdown(socket.SHUT_RDWR)

        smtp.send(a_message())

        assert server.connections == 2
        smtp.close()


def test_threads_take_turns_on_one_connection(sink: SmtpSink) -> None:
    smtp = channel(sink)
    threads = [
        threading.Thread(target=smtp.send, args=(a_message(message_id=f"<{n}@desk.example>"),))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)

    assert {mail.message["Message-ID"] for mail in sink.received} == {
        f"<{n}@desk.example>" for n in range(8)
    }
    assert sink.connections == 1


def outcome(script: dict[str, str], **options: object) -> SendFailed:
    """Returns the error of a delivery; waits long only where an answer will come."""
    timeout = 0.4 if SILENCE in script.values() else 20.0
    with ScriptedServer(script) as server, pytest.raises(SendFailed) as caught:
        channel(server, timeout=timeout, **options).send(a_message())
    return caught.value


@pytest.mark.spec("FD-04")
@pytest.mark.parametrize(
    ("step", "answer"),
    [
        ("GREETING", "554 go away"),
        ("GREETING", "421 too busy"),
        ("GREETING", HANG_UP),
        ("GREETING", SILENCE),
        ("GREETING", "nonsense"),
        ("EHLO", HANG_UP),
        ("EHLO", SILENCE),
        ("MAIL", "421 shutting down"),
        ("MAIL", "451 try later"),
        ("MAIL", HANG_UP),
        ("MAIL", SILENCE),
        ("RCPT", "450 greylisted"),
        ("RCPT", "452 4.2.2 mailbox full"),
        ("RCPT", HANG_UP),
        ("RCPT", SILENCE),
        ("RCPT", "nonsense"),
        ("DATA", "451 try later"),
        ("DATA", "250 what"),
        ("DATA", HANG_UP),
        ("DATA", SILENCE),
        ("BODY", "452 disk full"),
        ("BODY", "421 4.3.0 shutting down"),
    ],
)
def test_a_message_that_was_definitely_not_sent_may_be_retried(step: str, answer: str) -> None:
    assert type(outcome({step: answer})) is SendLater


@pytest.mark.spec("FD-04")
@pytest.mark.parametrize("answer", [HANG_UP, SILENCE, "nonsense", "354 what"])
def test_after_the_mail_only_the_servers_reply_tells_the_outcome(answer: str) -> None:
    assert type(outcome({"BODY": answer})) is SendUnknown


@pytest.mark.spec("FD-15")
@pytest.mark.parametrize(
    ("step", "answer", "permanent", "about_recipient"),
    [
        ("RCPT", "550 no such user", True, True),
        ("RCPT", "550 5.1.1 no such user", True, True),
        ("RCPT", "552 5.2.2 mailbox full", True, True),
        ("RCPT", "550 5.7.1 relaying denied", True, False),
        ("RCPT", "530 5.7.0 log in first", False, False),
        ("MAIL", "550 you may not send", True, False),
        ("MAIL", "530 log in first", False, False),
        ("DATA", "554 no", True, False),
        ("BODY", "554 5.7.1 spam", True, False),
        ("BODY", "550 5.1.1 no such user", True, True),
        ("BODY", "552 too big", True, False),
    ],
)
def test_a_refusal_says_whether_it_is_final_and_about_the_person(
    step: str, answer: str, permanent: bool, about_recipient: bool
) -> None:
    refused = outcome({step: answer})

    assert isinstance(refused, SendRefused)
    assert (refused.permanent, refused.about_recipient) == (permanent, about_recipient)


def test_the_reason_is_one_line_without_the_address() -> None:
    refused = outcome({"RCPT": "550-5.1.1 <ann@example.org>: unknown\r\n550 5.1.1 sorry \x07"})

    assert refused.reason == "recipient: 550 5.1.1 … unknown 5.1.1 sorry"


def test_a_refused_connection_is_worth_a_retry() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

    with pytest.raises(SendLater):
        SmtpChannel("127.0.0.1", port, tls="none", timeout=5.0).send(a_message())


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize(
    ("changes", "about_recipient"),
    [
        ({"to_email": "ann@example.org\r\nRCPT TO:<eve@x.org>"}, True),
        ({"to_email": "änn@example.org"}, True),
        ({"from_email": "x y@desk.example"}, False),
        ({"message_id": "no id"}, False),
    ],
)
def test_a_bad_address_is_refused_without_a_connection(
    sink: SmtpSink, changes: dict[str, object], about_recipient: bool
) -> None:
    with pytest.raises(SendRefused) as caught:
        channel(sink).send(a_message(**changes))

    assert (caught.value.permanent, caught.value.about_recipient) == (True, about_recipient)
    assert sink.connections == 0


def test_one_refused_recipient_does_not_stop_the_next() -> None:
    with SmtpSink(answers={"ann@example.org": "550 5.1.1 unknown"}) as sink:
        smtp = channel(sink)
        smtp.send(a_message(to_email="bob@example.org"))
        with pytest.raises(SendRefused):
            smtp.send(a_message())
        smtp.send(a_message(to_email="cat@example.org"))

    assert [mail.rcpt_to for mail in sink.received] == [("bob@example.org",), ("cat@example.org",)]


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
def test_a_password_is_used_if_there_is_one() -> None:
    with SmtpSink(login=("desk", "secret")) as sink:
        channel(sink, username="desk", password="secret").send(a_message())
        with pytest.raises(SendRefused) as caught:
            channel(sink, username="desk", password="wrong").send(a_message())
        with pytest.raises(SendRefused):
            channel(sink, username="desk", password="gehëim").send(a_message())
        with pytest.raises(SendRefused) as without:
            channel(sink).send(a_message())

    assert len(sink.received) == 1
    assert (caught.value.permanent, caught.value.about_recipient) == (False, False)
    assert "secret" not in str(caught.value)
    assert (without.value.permanent, without.value.about_recipient) == (False, False)


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Creates a certificate for 'localhost' that is signed by itself."""
    path = tmp_path_factory.mktemp("tls") / "localhost.pem"
    openssl = shutil.which("openssl")
    assert openssl
    options = {
        "-newkey": "ec",
        "-pkeyopt": "ec_paramgen_curve:P-256",
        "-days": "2",
        "-subj": "/CN=localhost",
        "-addext": "subjectAltName=DNS:localhost,IP:127.0.0.1",
        "-keyout": str(path),
        "-out": str(path.with_suffix(".crt")),
    }
    words = [word for option in options.items() for word in option]
    subprocess.run([openssl, "req", "-x509", "-nodes", *words], check=True, capture_output=True)
    path.write_text(path.read_text() + path.with_suffix(".crt").read_text())
    return path


def server_side(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


@pytest.mark.needs("openssl")
@pytest.mark.parametrize("tls", ["starttls", "implicit"])
def test_mail_goes_over_an_encrypted_connection(certificate: Path, tls: str) -> None:
    trusting = ssl.create_default_context(cafile=str(certificate))
    option = "starttls" if tls == "starttls" else "implicit_tls"
    with SmtpSink(**{option: server_side(certificate)}) as sink:  # type: ignore[arg-type]
        channel(sink, tls=tls, context=trusting).send(a_message())
        with pytest.raises(SendRefused) as caught:
            channel(sink, tls=tls).send(a_message())

    assert [type(mail) for mail in sink.received] == [SunkMail]
    assert not caught.value.permanent


def test_mail_is_never_sent_in_the_clear_if_it_must_not_be(sink: SmtpSink) -> None:
    with pytest.raises(SendRefused) as caught:
        channel(sink, tls="starttls").send(a_message())

    assert not caught.value.permanent
    assert sink.received == []
