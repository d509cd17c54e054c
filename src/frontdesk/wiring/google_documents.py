"""Builds the access to documents of any desk that staff edit in Google Drive."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from frontdesk.desks.admin.model import Part
from frontdesk.errors import BadSettings
from frontdesk.features.documents.files import DocumentFiles, NoFiles
from frontdesk.features.documents.yaml_markup import as_yaml
from frontdesk.settings import Settings
from frontdesk.values import Frozen
from frontdesk.wiring.troubles import Troubles

if TYPE_CHECKING:
    from frontdesk.connect.google_api import GoogleApi
    from frontdesk.features.documents.google_docs import GoogleDocs, Markup, MirroredDocs
    from frontdesk.wiring.aws import AwsResources

#: The interval for checking documents in Google Drive.
EVERY: Final = timedelta(minutes=3)


def google_docs(
    settings: Settings,
    addresses: Mapping[str, str],
    markup: Mapping[str, Markup],
    others: DocumentFiles,
    account: Callable[[], str],
) -> GoogleDocs:
    """`account` returns the JSON key of the service account; called on first use."""
    from frontdesk.features.documents.google_docs import GoogleDocs

    return GoogleDocs(lambda: drive_api(settings, account), addresses, others, markup)


def mirrored_docs(
    settings: Settings,
    account: AwsResources,
    bucket_name: str,
    addresses: Mapping[str, str],
    markup: Mapping[str, Markup],
) -> MirroredDocs:
    """Documents that are copied to a bucket on AWS."""
    from frontdesk.features.documents.bucket_files import BucketFiles
    from frontdesk.features.documents.google_docs import MirroredDocs

    bucket = BucketFiles(account.bucket_named(bucket_name))
    docs = google_docs(settings, addresses, markup, bucket, lambda: account_in_secret(account))
    return MirroredDocs(docs, bucket)


def copies_in_bucket(
    account: AwsResources, bucket_name: str, copies: Mapping[str, str]
) -> DocumentFiles:
    """Files in the bucket, if there is one; `copies` are those of documents that staff edit
    elsewhere."""
    from frontdesk.features.documents.bucket_files import BucketFiles

    return BucketFiles(account.bucket_named(bucket_name), copies) if bucket_name else NoFiles()


def google_yaml(
    settings: Settings, addresses: Mapping[str, str], others: DocumentFiles
) -> GoogleDocs:
    """Documents in YAML, on one machine. Raises `BadSettings` if the key is missing."""
    account_in_file(settings)
    markup = dict.fromkeys(addresses, as_yaml)
    return google_docs(settings, addresses, markup, others, lambda: account_in_file(settings))


def drive_api(settings: Settings, account: Callable[[], str]) -> GoogleApi:
    from frontdesk.features.documents.google_docs import docs_api

    return docs_api(account(), settings.google_api)


def account_in_file(settings: Settings) -> str:
    """Reads the key of the service account on one machine."""
    if not settings.google_account:
        raise BadSettings("google_account should be the file with the service account's key.")
    try:
        return Path(settings.google_account).read_text("utf-8")
    except OSError as error:
        file = settings.google_account
        raise BadSettings(f"google_account: {file} cannot be read: {error.strerror}.") from error


def google_account(settings: Settings) -> str:
    """The key of the service account: a file, or the JSON itself."""
    if settings.google_account.startswith("{"):
        return settings.google_account
    return Path(settings.google_account).read_text("utf-8")


def account_in_secret(account: AwsResources) -> str:
    """Reads the key of the service account on AWS."""
    from frontdesk.connect.google_api import GoogleError

    secrets = account.client("secretsmanager")
    try:
        return str(secrets.get_secret_value(SecretId=account.drive_secret)["SecretString"])
    except secrets.exceptions.ResourceNotFoundException:
        raise GoogleError(f"There is no key to Google Drive in {account.drive_secret}.") from None


class DocumentTroubles(Frozen):
    """Tells staff of documents that cannot be read. `copies` are documents that another function
    reads: a copy that can be read says nothing about the document itself.
    """

    troubles: Troubles
    parts: Mapping[str, Part]
    """The part under which trouble with a document is recorded, by the document's name."""
    copies: Collection[str] = ()

    def failed(self, name: str, why: str, *, at_once: bool) -> None:
        self.troubles.failed(self.parts[name], why, at_once=at_once)

    def worked(self, names: Sequence[str]) -> None:
        self.troubles.worked(*(self.parts[name] for name in names if name not in self.copies))
