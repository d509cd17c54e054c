"""The schema of the tables: keys, indexes, streams, and expiry of rows.

`script/aws_template.py` generates the template for AWS from it.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from frontdesk.values import Frozen

Kind = Literal["S", "N"]


class TableKey(Frozen):
    """A partition key, and a sort key if it has one."""

    partition: tuple[str, Kind]
    sort: tuple[str, Kind] | None = None

    @property
    def parts(self) -> tuple[tuple[str, Kind], ...]:
        return (self.partition, self.sort) if self.sort else (self.partition,)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.parts)


class Table(Frozen):
    name: str
    key: TableKey
    local: tuple[tuple[str, TableKey], ...] = ()
    """Local indexes. Their reads can be strongly consistent, so decisions may use them."""
    global_: tuple[tuple[str, TableKey], ...] = ()
    """Global indexes, for display and for finding lost work."""
    holding: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Global indexes that hold only keys and these attributes. Changes of other attributes do not
    write to the index, so they cost nothing there."""
    stream: bool = False
    expires: bool = False
    """Whether DynamoDB deletes rows after the instant in `expires_at`."""
    renamed: tuple[tuple[str, str], ...] = ()
    """Attributes with another name in an earlier version: the old and the new name."""


def _key(partition: str, sort: str = "", *, kind: Kind = "S", sort_kind: Kind = "S") -> TableKey:
    return TableKey((partition, kind), (sort, sort_kind) if sort else None)


EV_EVENT: Final = Table(
    "ev-event",
    _key("event_id"),
    renamed=(("taken", "confirmed_count"), ("waiting", "waitlist_len")),
)
"""Also 'slug#<slug>': the event with this slug."""
EV_GUESTS: Final = Table(
    "ev-guests",
    _key("event_id", "guest_id"),
    local=(
        ("in-line", _key("event_id", "place")),
        ("by-ticket", _key("event_id", "open_ticket", sort_kind="N")),
    ),
)
"""Also ('guest#<guest>', '-'): the event; ('person#<person>', <event>): the guest."""
EV_OFFERS: Final = Table(
    "ev-offers",
    _key("guest_id", "seq", sort_kind="N"),
    global_=(("by-event", _key("event_id", "made_at", sort_kind="N")),),
)
EV_IMPORTS: Final = Table("ev-imports", _key("job_id", "chunk", sort_kind="N"))

WL_ENTRIES: Final = Table(
    "wl-entries",
    _key("shelf", "entry_id"),
    local=(
        ("by-priority", _key("shelf", "place")),
        ("by-joined", _key("shelf", "joined")),
        ("by-latest", _key("shelf", "latest")),
    ),
)
"""All entries are in one partition. Also ('person#<person>', <service>): the entry;
('entry#<entry>', <slot>): the offer."""
WL_SLOTS: Final = Table(
    "wl-slots",
    _key("shelf", "slot_id"),
    local=(
        ("open", _key("shelf", "open_place")),
        ("by-start", _key("shelf", "start")),
        ("by-freed", _key("shelf", "freed")),
    ),
    renamed=(("offer_seq", "live_offer_seq"),),
)
"""All slots are in one partition. Also ('origins', <origin>): the slot; ('guards', <resource>):
how many slots were added for the resource."""
WL_OFFERS: Final = Table("wl-offers", _key("slot_id", "seq", sort_kind="N"))
"""wl-entries has rows that find offers by entry."""
WL_PROPOSALS: Final = Table(
    "wl-proposals",
    _key("shelf", "proposal_id"),
    local=(("by-status", _key("shelf", "filed")),),
)
WL_RATELIMIT: Final = Table("wl-ratelimit", _key("bucket"), expires=True)
"""Like fd-ratelimit, for the public pages of the waitlist."""

TBL_BOOKINGS: Final = Table(
    "tbl-bookings",
    _key("shelf", "id"),
    local=(
        ("by-start", _key("shelf", "start")),
        ("by-status", _key("shelf", "filed")),
    ),
)
"""All bookings are in one partition, 'bookings'. Also ('person#<person>', <booking>): their
bookings; ('handovers', <handover>); ('holds', <hold>); ('tally#<scope>', <period>)."""
TBL_CLAIMS: Final = Table("tbl-claims", _key("resource", "hour", sort_kind="N"))
"""One row for each resource and hour, with an attribute for each cell that has a holder."""
TBL_REQUESTS: Final = Table(
    "tbl-requests",
    _key("shelf", "request_id"),
    local=(("by-status", _key("shelf", "filed")),),
)

AR_APPOINTMENTS: Final = Table(
    "ar-appointments",
    _key("shelf", "id"),
    local=(
        ("by-start", _key("shelf", "start")),
        ("by-state", _key("shelf", "filed")),
    ),
)
"""All appointments are in one partition, 'appointments'. Also ('person#<person>', <appointment>):
their appointments."""
AR_SENDS: Final = Table("ar-sends", _key("appointment_id", "window"))
"""The reminders of the present chain of each appointment."""
AR_SENDS_ARCHIVE: Final = Table("ar-sends-archive", _key("appointment_id", "sent"))
"""The reminders of earlier chains, by '<chain>#<window>'."""
AR_REPLIES: Final = Table("ar-replies", _key("appointment_id", "reply"))
"""Replies by '<nonce>#<action>', so that each message is answered once with each action."""
AR_PROPOSALS: Final = Table(
    "ar-proposals",
    _key("shelf", "proposal_id"),
    local=(("by-status", _key("shelf", "filed")),),
)

_AUDIT_INDEXES: Final = (
    ("by-desk", _key("desk", "seq", sort_kind="N")),
    ("by-about", _key("about", "seq", sort_kind="N")),
)
EV_AUDIT: Final = Table("ev-audit", _key("subject", "seq", sort_kind="N"), global_=_AUDIT_INDEXES)
WL_AUDIT: Final = Table("wl-audit", _key("subject", "seq", sort_kind="N"), global_=_AUDIT_INDEXES)
FD_AUDIT: Final = Table("fd-audit", _key("subject", "seq", sort_kind="N"), global_=_AUDIT_INDEXES)
TBL_AUDIT: Final = Table("tbl-audit", _key("subject", "seq", sort_kind="N"), global_=_AUDIT_INDEXES)
AR_AUDIT: Final = Table("ar-audit", _key("subject", "seq", sort_kind="N"), global_=_AUDIT_INDEXES)
AUDITS: Final = {
    "ev": EV_AUDIT,
    "wl": WL_AUDIT,
    "bk": TBL_AUDIT,
    "ar": AR_AUDIT,
    "fd": FD_AUDIT,
}
"""By the desk's code."""

FD_OUTBOX: Final = Table("fd-outbox", _key("seq", kind="N"), stream=True)
FD_TIMERS: Final = Table(
    "fd-timers",
    _key("name"),
    global_=(("by-due", _key("desk", "due_at", sort_kind="N")),),
    stream=True,
)
FD_SENDS: Final = Table(
    "fd-sends",
    _key("send_id"),
    global_=(
        ("by-state", _key("state", "due_at", sort_kind="N")),
        ("by-person", _key("person_id", "queued_at", sort_kind="N")),
        ("by-desk", _key("desk", "queued_at", sort_kind="N")),
    ),
    holding=(("by-person", ("desk", "kind")), ("by-desk", ("kind",))),
    stream=True,
)
FD_MESSAGES: Final = Table("fd-messages", _key("send_id"))
"""Copies of sent messages."""
FD_PEOPLE: Final = Table(
    "fd-people", _key("person_id"), global_=(("by-mobile", _key("mobile", "person_id")),)
)
"""Also 'email#<key>': the person with this address; 'stopped#<digest>': a number after STOP;
'consent#<person>': their consent to texts."""
FD_MEMBERS: Final = Table("fd-members", _key("member_id"))
"""Also 'once#<person>#<role>#<event>', for uniqueness, and 'owners': their number."""
FD_SESSIONS: Final = Table("fd-sessions", _key("token_hash"), expires=True)
"""Also 'sign-in#<member>#<nonce>': sign-in links; 'printed': the link that was printed last."""
FD_SETTINGS: Final = Table("fd-settings", _key("key"))
"""Also 'number-key': the secret key for the digests of numbers after STOP."""
FD_IDEMPOTENCY: Final = Table("fd-idempotency", _key("key"), expires=True)
FD_RATELIMIT: Final = Table("fd-ratelimit", _key("bucket"), expires=True)
FD_DEADLETTERS: Final = Table(
    "fd-deadletters",
    _key("id", kind="N"),
    global_=(("open", _key("open", "id", sort_kind="N")),),
)
FD_JOBS: Final = Table(
    "fd-jobs",
    _key("job_id"),
    global_=(("open", _key("open", "job_id")), ("by-subject", _key("subject", "job_id"))),
    stream=True,
)
FD_MAIL: Final = Table(
    "fd-mail",
    _key("mail_id"),
    global_=(
        ("by-time", _key("box", "received_at", sort_kind="N")),
        ("by-person", _key("person_id", "received_at", sort_kind="N")),
    ),
)
"""Incoming mail; the mails themselves are in a bucket."""

TABLES: Final = (
    EV_EVENT,
    EV_GUESTS,
    EV_OFFERS,
    EV_IMPORTS,
    EV_AUDIT,
    WL_ENTRIES,
    WL_SLOTS,
    WL_OFFERS,
    WL_PROPOSALS,
    WL_RATELIMIT,
    WL_AUDIT,
    TBL_BOOKINGS,
    TBL_CLAIMS,
    TBL_REQUESTS,
    TBL_AUDIT,
    AR_APPOINTMENTS,
    AR_SENDS,
    AR_SENDS_ARCHIVE,
    AR_REPLIES,
    AR_PROPOSALS,
    AR_AUDIT,
    FD_AUDIT,
    FD_OUTBOX,
    FD_TIMERS,
    FD_SENDS,
    FD_MESSAGES,
    FD_PEOPLE,
    FD_MEMBERS,
    FD_SESSIONS,
    FD_SETTINGS,
    FD_IDEMPOTENCY,
    FD_RATELIMIT,
    FD_DEADLETTERS,
    FD_JOBS,
    FD_MAIL,
)


def create_request(table: Table, prefix: str = "") -> dict[str, Any]:
    """Returns the request for `create_table`."""
    keys = [table.key, *(key for _, key in (*table.local, *table.global_))]
    kinds = {name: kind for key in keys for name, kind in key.parts}
    request: dict[str, Any] = {
        "TableName": prefix + table.name,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": _schema(table.key),
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": kind} for name, kind in sorted(kinds.items())
        ],
    }
    if table.local:
        request["LocalSecondaryIndexes"] = [_index(*each) for each in table.local]
    if table.global_:
        request["GlobalSecondaryIndexes"] = [
            _index(*each, dict(table.holding).get(each[0])) for each in table.global_
        ]
    if table.stream:
        request["StreamSpecification"] = {
            "StreamEnabled": True,
            "StreamViewType": "NEW_AND_OLD_IMAGES",
        }
    return request


def _schema(key: TableKey) -> list[dict[str, str]]:
    return [
        {"AttributeName": name, "KeyType": kind}
        for name, kind in zip(key.names, ("HASH", "RANGE"), strict=False)
    ]


def _index(name: str, key: TableKey, holding: tuple[str, ...] | None = None) -> dict[str, Any]:
    return {"IndexName": name, "KeySchema": _schema(key), "Projection": _projection(holding)}


def _projection(holding: tuple[str, ...] | None) -> dict[str, Any]:
    if holding is None:
        return {"ProjectionType": "ALL"}
    return {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(holding)}
