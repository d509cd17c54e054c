"""Keeps settings, keys and the application from one call of a function to the next."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from botocore.exceptions import ClientError

from frontdesk.aws.clients import client
from frontdesk.core.links import Keys
from frontdesk.engine.keys import keys_in
from frontdesk.logs import failure, log
from frontdesk.settings import Settings, from_parameters, secret_settings
from frontdesk.store.dynamodb.busy import busy_if_throttled
from frontdesk.values import Frozen
from frontdesk.wiring.application import Application
from frontdesk.wiring.aws import DEFAULTS, AwsResources, build

#: The maximum age of settings and keys before they are read again.
REFRESH_SECONDS: Final = 300.0
#: Read in this order; later values override earlier ones.
CONFIG_PATHS: Final = "/ev/config/ /wl/config/"
#: The names of the secrets with the keys that sign links. The waitlist has its own.
LINKS_SECRET: Final = "ev/links/signing-key"  # noqa: S105 - its name
CLAIMS_SECRET: Final = "wl/claim/signing-key"  # noqa: S105 - its name


class Deployment(Frozen):
    """The application without pages, with the current settings."""

    account: AwsResources
    settings: Settings
    keys: Callable[[], Keys]
    """Reads the keys on first use: most functions neither sign nor verify a link."""
    claim_keys: Callable[[], Keys]
    """The same for links about the waitlist."""
    back: Application


class Container:
    """`environment` has the names of the resources of this deployment."""

    def __init__(
        self,
        environment: Mapping[str, str],
        client: Callable[[str], Any] = client,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._environment = environment
        self._client = client
        self._clock = clock
        self._deployment: Deployment | None = None
        self._read_at = 0.0
        self.keys = KeyRing(lambda: self._keys("FRONTDESK_LINKS_SECRET", LINKS_SECRET), self._now)
        self.claim_keys = KeyRing(
            lambda: self._keys("FRONTDESK_CLAIMS_SECRET", CLAIMS_SECRET), self._now
        )
        self.readings = 0
        """Counts the reads of the settings. `Pages` reloads the branding after each."""

    def deployment(self) -> Deployment:
        """Returns the same deployment until the settings change."""
        if self._deployment is None:
            self._deployment = self._built(self._settings())
        elif self._clock() - self._read_at > REFRESH_SECONDS:
            self._deployment = self._refreshed(self._deployment)
        else:
            return self._deployment
        self._read_at = self._clock()
        self.readings += 1
        return self._deployment

    def _refreshed(self, deployment: Deployment) -> Deployment:
        """Reads the settings again; keeps the old ones if that fails."""
        try:
            settings = self._settings()
        except Exception as error:
            log("settings.failed", why=failure(error))
            return deployment
        return deployment if settings == deployment.settings else self._built(settings)

    def _now(self) -> float:
        return self._clock()

    def _keys(self, variable: str, usual: str) -> Keys:
        secret = self._environment.get(variable, usual)
        with busy_if_throttled():
            answer = self._client("secretsmanager").get_secret_value(SecretId=secret)
        return keys_in(answer["SecretString"])

    def _settings(self) -> Settings:
        paths = self._environment.get("FRONTDESK_CONFIG_PATH", CONFIG_PATHS).split()
        pages = self._client("ssm").get_paginator("get_parameters_by_path")
        with busy_if_throttled():
            found = {
                each["Name"].removeprefix(path): each["Value"]
                for path in paths
                for page in pages.paginate(Path=path, WithDecryption=True)
                for each in page["Parameters"]
            }
        secrets = {**self._webhook_secret(), **self._secret_settings()}
        if "google" in secrets.get("calendars", ""):
            secrets |= self._google_account()
        return from_parameters({**DEFAULTS, **found, **secrets})

    def _webhook_secret(self) -> dict[str, str]:
        """Returns the webhook secret. Only the function that takes webhooks gets its name."""
        secret = self._environment.get("FRONTDESK_WEBHOOK_SECRET")
        if not secret:
            return {}
        answer = self._client("secretsmanager").get_secret_value(SecretId=secret)
        return {"webhook-secret": answer["SecretString"]}

    def _google_account(self) -> dict[str, str]:
        """Returns the key of a Google service account. Only the function that opens calendars gets
        its name; calendars elsewhere need none, and then there may be no such secret.
        """
        secret = self._environment.get("FRONTDESK_GOOGLE_SECRET")
        if not secret:
            return {}
        answer = self._client("secretsmanager").get_secret_value(SecretId=secret)
        return {"google-account": answer["SecretString"]}

    def _secret_settings(self) -> dict[str, str]:
        """Reads settings that only some functions may know: only they get the parameters' names.
        Logs a parameter that does not exist, and goes on without it.
        """
        found: dict[str, str] = {}
        for name in self._environment.get("FRONTDESK_SECRET_SETTINGS", "").split():
            try:
                answer = self._client("ssm").get_parameter(Name=name, WithDecryption=True)
            except ClientError as error:
                if error.response["Error"]["Code"] != "ParameterNotFound":
                    raise
                log("settings.failed", why=f"there is no parameter {name}")
            else:
                found |= secret_settings(name, answer["Parameter"]["Value"])
        return found

    def _built(self, settings: Settings) -> Deployment:
        account = AwsResources(
            self._client,
            self._environment["FRONTDESK_MAIL_BUCKET"],
            table_prefix=self._environment.get("FRONTDESK_TABLE_PREFIX", ""),
            configuration_set=self._environment.get("FRONTDESK_CONFIGURATION_SET", ""),
            model=self._environment.get("FRONTDESK_MODEL", ""),
            waitlist_mail_bucket=self._environment.get("FRONTDESK_WAITLIST_MAIL_BUCKET", ""),
            rules_bucket=self._environment.get("FRONTDESK_RULES_BUCKET", ""),
            sheets_bucket=self._environment.get("FRONTDESK_SHEETS_BUCKET", ""),
            reminders_mail_bucket=self._environment.get("FRONTDESK_REMINDERS_MAIL_BUCKET", ""),
            reminders_rules_bucket=self._environment.get("FRONTDESK_REMINDERS_RULES_BUCKET", ""),
            reminders_sheets_bucket=self._environment.get("FRONTDESK_REMINDERS_SHEETS_BUCKET", ""),
            drive_secret=self._environment.get("FRONTDESK_DRIVE_SECRET", ""),
            embedding_region=self._environment.get("FRONTDESK_EMBEDDING_REGION", ""),
            vector_bucket=self._environment.get("FRONTDESK_VECTOR_BUCKET", ""),
            has_calendar=self._environment.get("FRONTDESK_CALENDAR", "") == "yes",
        )
        back = build(settings, self.keys, account, claim_keys=self.claim_keys)
        return Deployment(account, settings, self.keys, self.claim_keys, back)


class KeyRing:
    """Reads keys from a secret on first use, and again when they are old.

    Keeps the old keys if reading the new ones fails.
    """

    def __init__(self, read: Callable[[], Keys], now: Callable[[], float]) -> None:
        self._read = read
        self._now = now
        self._keys: Keys | None = None
        self._read_at = 0.0

    def __call__(self) -> Keys:
        if self._keys is None:
            self._keys = self._read()
        elif self._now() - self._read_at > REFRESH_SECONDS:
            try:
                self._keys = self._read()
            except Exception as error:
                log("settings.failed", why=failure(error))
        else:
            return self._keys
        self._read_at = self._now()
        return self._keys


container: Final = Container(os.environ)


def deployment() -> Deployment:
    return container.deployment()
