-- The waitlist desk: entries on the list, slots that came free, their offers.
-- Days are ISO dates.

CREATE TABLE wl_entry (
    entry_id    TEXT    NOT NULL PRIMARY KEY,
    person_id   TEXT    NOT NULL REFERENCES fd_person,
    service     TEXT    NOT NULL,
    party       INTEGER NOT NULL CHECK (party >= 1),
    earliest_on TEXT    NOT NULL,
    latest_on   TEXT    NOT NULL,
    staff       TEXT    NOT NULL,
    priority    INTEGER NOT NULL CHECK (priority IN (0, 1)),
    joined_at   INTEGER NOT NULL,
    status      TEXT    NOT NULL
        CHECK (status IN ('waiting', 'booked', 'left', 'stopped', 'expired')),
    lane        TEXT    NOT NULL CHECK (lane IN ('sheet', 'inbox', 'form', 'staff')),
    version     INTEGER NOT NULL CHECK (version >= 1),
    UNIQUE (person_id, service),
    CHECK (earliest_on <= latest_on)
) STRICT, WITHOUT ROWID;
-- The two orders, with all that the checks look at: a walk along one of them reads no other row.
CREATE INDEX wl_entry_by_priority ON wl_entry
    (service, priority DESC, joined_at, entry_id, party, earliest_on, latest_on, staff, status)
    WHERE status = 'waiting';
CREATE INDEX wl_entry_by_joined ON wl_entry
    (service, joined_at, entry_id, party, earliest_on, latest_on, staff, status)
    WHERE status = 'waiting';
CREATE INDEX wl_entry_by_latest ON wl_entry (latest_on, entry_id) WHERE status = 'waiting';
CREATE INDEX wl_entry_by_status ON wl_entry (status, entry_id);

CREATE TABLE wl_slot (
    slot_id     TEXT    NOT NULL PRIMARY KEY,
    origin      TEXT    NOT NULL UNIQUE,
    service     TEXT    NOT NULL,
    starts_at   INTEGER NOT NULL,
    duration    INTEGER NOT NULL CHECK (duration > 0),  -- seconds
    capacity    INTEGER NOT NULL CHECK (capacity >= 1),
    staff       TEXT    NOT NULL,
    price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
    rules       TEXT    NOT NULL CHECK (json_valid(rules)),
    freed_at    INTEGER NOT NULL,
    status      TEXT    NOT NULL CHECK (status IN ('open', 'booked', 'handed_back')),
    offer_seq   INTEGER NOT NULL CHECK (offer_seq BETWEEN 0 AND offers),
    live        INTEGER NOT NULL CHECK (live IN (0, 1)),
    offers      INTEGER NOT NULL CHECK (offers >= 0),
    nobody_fits INTEGER NOT NULL CHECK (nobody_fits IN (0, 1)),
    booked_by   TEXT    NOT NULL,
    closed_at   INTEGER,
    CHECK (NOT live OR offer_seq > 0),
    CHECK (status = 'open' OR offer_seq = 0),
    CHECK ((status = 'open') = (closed_at IS NULL)),
    CHECK ((status = 'booked') = (booked_by <> ''))
) STRICT, WITHOUT ROWID;
CREATE INDEX wl_slot_open ON wl_slot (starts_at, slot_id) WHERE status = 'open';
CREATE INDEX wl_slot_idle ON wl_slot (service, starts_at, slot_id)
    WHERE status = 'open' AND offer_seq = 0;
CREATE INDEX wl_slot_by_freed ON wl_slot (freed_at, slot_id);

CREATE TABLE wl_offer (
    slot_id  TEXT    NOT NULL REFERENCES wl_slot,
    seq      INTEGER NOT NULL CHECK (seq >= 1),
    entry_id TEXT    NOT NULL REFERENCES wl_entry,
    state    TEXT    NOT NULL CHECK (state IN ('pending', 'live', 'claimed', 'declined',
        'expired', 'withdrawn', 'unreachable')),
    made_at  INTEGER NOT NULL,
    refusals INTEGER NOT NULL CHECK (refusals >= 0),
    armed_at INTEGER,
    claim_by INTEGER,
    ended_at INTEGER,
    PRIMARY KEY (slot_id, seq),
    UNIQUE (slot_id, entry_id),
    CHECK (state <> 'live' OR (armed_at IS NOT NULL AND claim_by IS NOT NULL)),
    CHECK ((state IN ('pending', 'live')) = (ended_at IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX wl_offer_open ON wl_offer (slot_id) WHERE state IN ('pending', 'live');
CREATE UNIQUE INDEX wl_offer_claimed ON wl_offer (slot_id) WHERE state = 'claimed';
CREATE INDEX wl_offer_by_entry ON wl_offer (entry_id, slot_id);
