"""The places of mail in buckets, also after a failed or unfinished commit."""

from __future__ import annotations

import pytest
from botocore.exceptions import ClientError

from frontdesk.core.decision import Accepted, Change
from frontdesk.core.mail import KeepMail, MailFolder, MailId, RawMail, SettleMail
from frontdesk.core.people import AddPerson, ErasePerson, PersonId
from frontdesk.errors import Conflict
from frontdesk.store.dynamodb.admin import ADMIN
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.store.dynamodb.table_reader import ContentBucket
from tests.support.dynamodb import Tables, keys_in, needs_dynamodb
from tests.support.waitlist import NINE

pytestmark = needs_dynamodb

M1, EMAIL = MailId("m1"), "ann@example.org"
ASIDE = SettleMail(M1, "", "discarded", MailFolder.DISCARDED)


@pytest.fixture
def tables(dynamodb: Tables) -> Tables:
    """Empties the buckets."""
    for bucket in (dynamodb.bucket, dynamodb.waitlist_mail):
        for key in keys_in(bucket):
            bucket.delete(key)
    return dynamodb


def open_store(tables: Tables, *, two: bool = True) -> DynamoStore:
    own = {MailFolder.WAITLIST: tables.waitlist_mail} if two else None
    return DynamoStore(
        tables.client, tables.bucket, [ADMIN], prefix=tables.prefix, mail_buckets=own
    )


def commit(store: DynamoStore, *changes: Change) -> None:
    store.commit(Accepted(changes), by="cli", at=NINE)


def keep(store: DynamoStore, shelf: MailFolder, mail_id: MailId = M1) -> None:
    commit(store, KeepMail(RawMail(mail_id, NINE, EMAIL, "waitlist@x", b"A cut?", shelf=shelf)))


def lies(tables: Tables) -> tuple[list[str], list[str]]:
    """Returns the keys in the bucket for all mail, and in the bucket for mail to the waitlist."""
    return keys_in(tables.bucket), keys_in(tables.waitlist_mail)


@pytest.mark.spec("WL-03")
def test_mail_to_the_waitlist_has_its_own_bucket_with_a_folder_for_discarded_mail(
    tables: Tables,
) -> None:
    store = open_store(tables)
    for number, shelf in enumerate((MailFolder.MAIL, MailFolder.WAITLIST, MailFolder.WAITLIST)):
        keep(store, shelf, MailId(f"m{number}"))

    commit(store, ASIDE)

    assert lies(tables) == (["mail/m0"], ["discarded/m1", "mail/m2"])


def test_one_bucket_has_the_same_prefixes(tables: Tables) -> None:
    store = open_store(tables, two=False)
    keep(store, MailFolder.WAITLIST)

    commit(store, ASIDE)

    assert lies(tables) == (["discarded/m1"], [])


def test_if_the_commit_fails_the_mail_is_found_where_it_was(tables: Tables) -> None:
    store = open_store(tables)
    keep(store, MailFolder.WAITLIST)

    with pytest.raises(Conflict):
        commit(store, ASIDE, SettleMail(MailId("nobody"), "", "discarded"))

    found = store.reads().engine.raw_mail(M1)
    assert found is not None
    assert (found.shelf, found.raw) == (MailFolder.WAITLIST, b"A cut?")


def test_if_it_cannot_be_taken_away_it_is_set_aside_all_the_same_and_erasing_finds_both(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(tables)
    keep(store, MailFolder.WAITLIST)

    with monkeypatch.context() as away:
        away.setattr(ContentBucket, "delete", _refused)
        commit(store, ASIDE)

    found = store.reads().engine.raw_mail(M1)
    assert found is not None
    assert (found.shelf, found.outcome) == (MailFolder.DISCARDED, "discarded")
    assert lies(tables) == ([], ["discarded/m1", "mail/m1"])
    commit(store, AddPerson(PersonId("ann"), "Ann", EMAIL, EMAIL))
    commit(store, ErasePerson(PersonId("ann")))
    assert lies(tables) == ([], [])


def _refused(_bucket: ContentBucket, _key: str) -> None:
    raise ClientError({"Error": {"Code": "SlowDown", "Message": ""}}, "DeleteObject")
