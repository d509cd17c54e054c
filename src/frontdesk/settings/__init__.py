"""Defines every setting with its type, default, description and error text.

A setting is read from the environment (`FRONTDESK_PORT`), else from the file `frontdesk.toml` in
the data directory (`port = 8080`), else it has its default; on AWS from Parameter Store
(`/ev/config/base-url`, `/wl/config/claims-url`). Values that the business or a host changes at run
time (names, colours, quiet hours …) are in the console instead.
"""

from frontdesk.settings.all_settings import SECRET, SETTINGS, Settings
from frontdesk.settings.declaration import Setting
from frontdesk.settings.sources import FILE, PREFIX, from_parameters, load, secret_settings

__all__ = [
    "FILE",
    "PREFIX",
    "SECRET",
    "SETTINGS",
    "Setting",
    "Settings",
    "from_parameters",
    "load",
    "secret_settings",
]
