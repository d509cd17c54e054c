"""Says in plain words why an outside system could not be reached."""

from __future__ import annotations

from typing import Final

from frontdesk.errors import os_reason

#: By the name of the class, so that nobody has to import smtplib, ssl or botocore for it.
_REASONS: Final = {
    "SSLCertVerificationError": "its certificate is not trusted here",
    "SSLError": "no encrypted connection is possible",
    "gaierror": "its name is not known here; check the address and the network",
    "ConnectionRefusedError": "nothing answers there",
    "TimeoutError": "it did not answer in time",
    "ConnectionError": "the connection broke off",
    "SMTPNotSupportedError": "it offers no STARTTLS or no login; check the settings for mail",
    "SMTPServerDisconnected": "the connection broke off",
    "HTTPException": "its answer cannot be understood",
    "ValueError": "its address cannot be used",
    # of botocore
    "NoCredentialsError": "there are no credentials for AWS; sign in, or choose a profile",
    "PartialCredentialsError": "the credentials for AWS are incomplete; sign in again",
    "SSOTokenLoadError": "nobody is signed in to AWS; sign in first",
    "TokenRetrievalError": "the session at AWS has ended; sign in again",
    "UnauthorizedSSOTokenError": "the session at AWS has ended; sign in again",
    "NoRegionError": "no region of AWS is chosen; choose one",
    "InvalidRegionError": "AWS has no such region; choose another",
    "ProfileNotFound": "the AWS command line has no such profile; choose another",
    "ConnectTimeoutError": "it did not answer in time",
    "ReadTimeoutError": "it did not answer in time",
    "EndpointConnectionError": "it cannot be reached; check the region and the network",
    "ProxyConnectionError": "the proxy cannot be reached",
    "ConnectionClosedError": "the connection broke off",
    "UnknownServiceError": "the installed boto3 does not know this service; update it",
}


def network_reason(error: BaseException) -> str:
    """Returns the reason without names of classes and without the text of the library."""
    inner = getattr(error, "reason", None)  # of urllib
    if isinstance(inner, BaseException):
        return network_reason(inner)
    for kind in type(error).__mro__:
        if kind.__name__ in _REASONS:
            return _REASONS[kind.__name__]
    if isinstance(error, OSError) and error.errno:
        return os_reason(error)
    return "the connection failed"
