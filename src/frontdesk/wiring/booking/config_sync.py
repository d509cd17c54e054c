"""Builds the parts of `fn-config-sync`: the rules in Google Drive, and the index of services."""

from __future__ import annotations

from secrets import token_hex

from frontdesk.connect.embeddings.port import Names
from frontdesk.desks.booking.model import CODE, SAVED_RULES
from frontdesk.desks.booking.request_reader import service_names
from frontdesk.engine.ports import Reads
from frontdesk.features.catalogue.name_index import NameIndex
from frontdesk.features.documents.bucket_files import BucketFiles
from frontdesk.features.documents.drive_watch import DriveWatch
from frontdesk.features.documents.google_docs import MirroredDocs
from frontdesk.features.documents.sync import Documents
from frontdesk.values import Frozen
from frontdesk.wiring.application import Application
from frontdesk.wiring.aws import AwsResources, service_index
from frontdesk.wiring.booking.rules import MARKUP, addresses_of, documents_with
from frontdesk.wiring.google_documents import account_in_secret, drive_api, google_docs


class RulesInDrive(Frozen):
    """The file in Google Drive, which is copied to the bucket, and the channel that watches it."""

    documents: Documents
    watch: DriveWatch
    hook: str
    """The address that Google calls when a file has changed; empty if there is none."""

    def renew(self) -> None:
        if self.hook.startswith("https://"):
            self.watch.renew(self.hook)


class ConfigSync(Frozen):
    drive: RulesInDrive | None
    """None if staff do not edit the rules in Google Drive."""
    services: NameIndex | None
    """None without embeddings."""

    def turn(self) -> bool:
        """Does all that is due; returns whether the rules are new."""
        if self.drive is not None:
            self.drive.renew()
        is_new = self.drive is not None and self.drive.documents.take_edits()
        self._update_index()
        return is_new

    def take_rules(self) -> bool:
        """Takes the rules from Google Drive; returns whether they are new."""
        is_new = self.drive is not None and self.drive.documents.take_edits()
        if is_new:
            self._update_index()
        return is_new

    def _update_index(self) -> None:
        if self.services is not None:
            self.services.turn()


def config_sync(back: Application, account: AwsResources) -> ConfigSync:
    return ConfigSync(_rules_in_drive(back, account), _services(back, account))


def _rules_in_drive(back: Application, account: AwsResources) -> RulesInDrive | None:
    settings, name = back.settings, account.rules_bucket
    if not (addresses_of(settings) and name):
        return None
    bucket = BucketFiles(account.bucket_named(name))

    def key() -> str:
        return account_in_secret(account)

    docs = google_docs(settings, addresses_of(settings), MARKUP, bucket, key)
    watch = DriveWatch(back.engine, back.clock, CODE, lambda: drive_api(settings, key), token_hex)
    documents = documents_with(back, MirroredDocs(docs, bucket))
    return RulesInDrive(documents, watch, settings.drive_hook_url)


def _services(back: Application, account: AwsResources) -> NameIndex | None:
    index = service_index(account)
    return NameIndex(back.engine, back.clock, CODE, _names, index) if index else None


def _names(reads: Reads) -> Names:
    return service_names(reads.engine.setting(SAVED_RULES))
