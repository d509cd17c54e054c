"""The whole product, reached over real sockets."""

from tests.support.mail import lane

__all__ = ["lane"]
