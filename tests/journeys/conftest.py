"""Serves the whole product over real sockets."""

from tests.support.mail import lane

__all__ = ["lane"]
