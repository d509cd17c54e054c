"""Opens the data for a command: reads the file, or lets the running server write."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from frontdesk.embedded.control import ORDERS
from frontdesk.embedded.orders import NotDone
from frontdesk.errors import AlreadyRunning, FrontdeskError
from frontdesk.settings import Settings, load
from frontdesk.store.sqlite.files import open_writer
from frontdesk.store.sqlite.lock import DataLock, RunningProcess, running
from frontdesk.store.sqlite.view import View, is_older, open_view
from frontdesk.values import Frozen
from frontdesk.wiring.one_machine import TABLES, Frontdesk, build, data_file

_ANSWER_SECONDS: Final = 60


def settings_of(options: Mapping[str, Any]) -> Settings:
    """Loads the settings from the environment, the file and the command line."""
    return load(os.environ, **options)


@contextlib.contextmanager
def reading_data(settings: Settings) -> Iterator[View]:
    """Opens the data for reading. Locks it if no server is running, so that it cannot change."""
    path = data_file(settings.data_dir)
    with contextlib.ExitStack() as held:
        if path.exists() and running(settings.data_dir) is None:
            with contextlib.suppress(AlreadyRunning):
                held.enter_context(DataLock(settings.data_dir))
                if is_older(path):
                    open_writer(path).close()
        yield held.enter_context(open_view(path, TABLES))


class WriteAccess(Frozen):
    """Sends orders to the running server, or to the product that the command opened itself."""

    settings: Settings
    server: RunningProcess | None
    product: Frontdesk | None

    def order(self, name: str, **arguments: Any) -> Mapping[str, Any]:
        if self.product is not None:
            return ORDERS[name](self.product, arguments)
        assert self.server is not None
        return _send_order(self.server, name, arguments)

    def settle(self) -> None:
        """Does the work after a commit, unless a server is running, which does it."""
        if self.product is not None:
            self.product.runtime.settle(self.product.clock.now())


@contextlib.contextmanager
def writing_data(settings: Settings) -> Iterator[WriteAccess]:
    server = running(settings.data_dir)
    if server is not None and server.url:
        yield WriteAccess(settings, server, None)
        return
    if not data_file(settings.data_dir).exists():
        raise NotDone(f"There is no data in {settings.data_dir} yet.")
    with DataLock(settings.data_dir), contextlib.closing(build(settings)) as product:
        product.runtime.start(product.clock.now())
        yield WriteAccess(settings, None, product)


def _send_order(
    server: RunningProcess, order: str, arguments: Mapping[str, Any]
) -> Mapping[str, Any]:
    address = urlsplit(server.url)
    connection = http.client.HTTPConnection(
        address.hostname or "", address.port, timeout=_ANSWER_SECONDS
    )
    headers = {"authorization": f"Bearer {server.token}", "content-type": "application/json"}
    try:
        connection.request("POST", f"/control/{order}", json.dumps(arguments), headers)
        response = connection.getresponse()
        answer: Mapping[str, Any] = json.loads(response.read())
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise FrontdeskError(
            f"The server (process {server.pid}) does not answer at {server.url}."
        ) from error
    finally:
        connection.close()
    if response.status != http.HTTPStatus.OK:
        raise NotDone(answer.get("problem", "The server refused."))
    return answer
