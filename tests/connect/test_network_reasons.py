"""A failed connection is explained without the names of classes."""

import errno
import http.client
import smtplib
import socket
import ssl
from urllib.error import URLError

import pytest
from botocore import exceptions as botocore

from frontdesk.connect.network_reasons import network_reason


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    ("error", "says"),
    [
        (ConnectionRefusedError(errno.ECONNREFUSED, "refused"), "nothing answers there"),
        (ConnectionResetError(), "the connection broke off"),
        (BrokenPipeError(), "the connection broke off"),
        (TimeoutError("timed out"), "it did not answer in time"),
        (URLError(TimeoutError()), "it did not answer in time"),
        (URLError(URLError(ConnectionRefusedError())), "nothing answers there"),
        (URLError("unknown url type: x"), "the connection failed"),
        (
            socket.gaierror(-2, "Name or service not known"),
            "its name is not known here; check the address and the network",
        ),
        (ssl.SSLCertVerificationError("x"), "its certificate is not trusted here"),
        (ssl.SSLError("WRONG_VERSION_NUMBER"), "no encrypted connection is possible"),
        (smtplib.SMTPServerDisconnected("x"), "the connection broke off"),
        (
            smtplib.SMTPNotSupportedError("STARTTLS extension not supported by server."),
            "it offers no STARTTLS or no login; check the settings for mail",
        ),
        (http.client.IncompleteRead(b"x"), "its answer cannot be understood"),
        (UnicodeEncodeError("idna", "x", 0, 1, "no"), "its address cannot be used"),
        (OSError(errno.ENETUNREACH, "Network is unreachable"), "network is unreachable"),
        (RuntimeError("x"), "the connection failed"),
        (
            botocore.NoCredentialsError(),
            "there are no credentials for AWS; sign in, or choose a profile",
        ),
        (
            botocore.ProfileNotFound(profile="x"),
            "the AWS command line has no such profile; choose another",
        ),
        (botocore.NoRegionError(), "no region of AWS is chosen; choose one"),
        (botocore.ReadTimeoutError(endpoint_url="https://x"), "it did not answer in time"),
        (
            botocore.EndpointConnectionError(endpoint_url="https://x"),
            "it cannot be reached; check the region and the network",
        ),
    ],
)
def test_a_failed_connection_is_explained_in_plain_words(error: Exception, says: str) -> None:
    assert network_reason(error) == says
