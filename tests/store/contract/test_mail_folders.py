"""Mail in its folders: mail to the waitlist, and mail that staff have discarded."""

from __future__ import annotations

from typing import cast

import pytest

from frontdesk.core.decision import Accepted, Change
from frontdesk.core.mail import KeepMail, MailFolder, MailId, RawMail, SettleMail
from frontdesk.core.people import AddPerson, ErasePerson, PersonId
from frontdesk.desks.admin.reads import AdminReads, MailFilter
from frontdesk.engine.ports import Store
from frontdesk.values import replace
from tests.support.waitlist import NINE

ANN, WRITTEN = PersonId("ann"), b"Subject: A cut?\r\n\r\nPlease."
each_shelf = pytest.mark.parametrize("shelf", list(MailFolder))


def a_mail(shelf: MailFolder, name: str = "m1") -> RawMail:
    sender, to = "ann@example.org", "waitlist@example.org"
    return RawMail(MailId(name), NINE, sender, to, WRITTEN, shelf=shelf)


def commit(store: Store, *changes: Change) -> None:
    store.commit(Accepted(changes), by="cli", at=NINE)


@pytest.mark.spec("WL-03")
@each_shelf
def test_a_mail_is_read_back_from_its_shelf(store: Store, shelf: MailFolder) -> None:
    mail = a_mail(shelf)
    commit(store, KeepMail(mail))

    reads = cast(AdminReads, store.reads().desk("fd"))
    assert store.reads().engine.raw_mail(mail.id) == mail
    assert [each.head for each in reads.mails(MailFilter(), limit=2)] == [WRITTEN]


@pytest.mark.spec("WL-03")
def test_discarded_mail_is_kept_separately_and_unchanged(store: Store) -> None:
    mail, other = a_mail(MailFolder.WAITLIST), a_mail(MailFolder.WAITLIST, "m2")
    commit(store, KeepMail(mail), KeepMail(other))

    commit(store, SettleMail(mail.id, "", "discarded", MailFolder.DISCARDED))
    commit(store, SettleMail(other.id, ANN, "on the waitlist"))

    reads = store.reads().engine
    aside = replace(mail, outcome="discarded", shelf=MailFolder.DISCARDED)
    assert reads.raw_mail(mail.id) == aside
    assert reads.raw_mail(other.id) == replace(other, person_id=ANN, outcome="on the waitlist")


def test_a_mail_says_where_it_was_sent_until_it_is_dealt_with(store: Store) -> None:
    mail, reads = a_mail(MailFolder.WAITLIST), store.reads().engine
    assert (reads.knows_mail(mail.id), reads.new_mail_to(mail.id)) == (False, "")

    commit(store, KeepMail(mail))
    assert (reads.knows_mail(mail.id), reads.new_mail_to(mail.id)) == (True, mail.recipient)

    commit(store, SettleMail(mail.id, "", "discarded"))
    assert (reads.knows_mail(mail.id), reads.new_mail_to(mail.id)) == (True, "")


@pytest.mark.spec("FD-13")
@each_shelf
def test_erasing_a_person_reaches_their_mail_on_every_shelf(
    store: Store, shelf: MailFolder
) -> None:
    by_them, about_them = a_mail(shelf), replace(a_mail(shelf, "m2"), sender="x@example.net")
    about_them = replace(about_them, raw=b"From: ann@example.org\r\n\r\nA cut?")
    strangers = replace(a_mail(shelf, "m3"), sender="bob@example.org")
    commit(store, AddPerson(ANN, "Ann", "ann@example.org", "ann@example.org"))
    commit(store, *(KeepMail(each) for each in (by_them, about_them, strangers)))

    commit(store, ErasePerson(ANN))

    reads = store.reads().engine
    assert [reads.raw_mail(each.id) for each in (by_them, about_them)] == [None, None]
    assert reads.raw_mail(strangers.id) == strangers
