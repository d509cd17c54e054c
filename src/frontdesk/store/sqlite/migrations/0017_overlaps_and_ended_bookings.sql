-- A slot names the resource that it needs, so that two cannot have it at the same time; it names the
-- slots that it overlaps with staff's consent, and entries that are not asked again; and a booking can
-- be cancelled or missed. SQLite cannot change a CHECK in place: both tables are made anew.

CREATE TABLE wl_slot_new (
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
    status      TEXT    NOT NULL
        CHECK (status IN ('open', 'booked', 'handed_back', 'cancelled', 'no_show')),
    offer_seq   INTEGER NOT NULL CHECK (offer_seq BETWEEN 0 AND offers),
    live        INTEGER NOT NULL CHECK (live IN (0, 1)),
    offers      INTEGER NOT NULL CHECK (offers >= 0),
    nobody_fits INTEGER NOT NULL CHECK (nobody_fits IN (0, 1)),
    booked_by   TEXT    NOT NULL,
    closed_at   INTEGER,
    resource    TEXT    NOT NULL,  -- '' if several places can be given at one time
    beside      TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(beside)),
    not_to      TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(not_to)),
    CHECK (NOT live OR offer_seq > 0),
    CHECK (status = 'open' OR offer_seq = 0),
    CHECK ((status = 'open') = (closed_at IS NULL)),
    CHECK ((status IN ('booked', 'cancelled', 'no_show')) = (booked_by <> ''))
) STRICT, WITHOUT ROWID;

INSERT INTO wl_slot_new (slot_id, origin, service, starts_at, duration, capacity, staff, price_cents,
    rules, freed_at, status, offer_seq, live, offers, nobody_fits, booked_by, closed_at, resource)
SELECT slot_id, origin, service, starts_at, duration, capacity, staff, price_cents,
    rules, freed_at, status, offer_seq, live, offers, nobody_fits, booked_by, closed_at,
    CASE
        WHEN trim(staff) <> '' THEN 'staff:' || lower(trim(staff))
        WHEN capacity = 1 THEN 'service:' || lower(trim(service))
        ELSE ''
    END
FROM wl_slot;

CREATE TABLE wl_offer_new (
    slot_id  TEXT    NOT NULL REFERENCES wl_slot_new,
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

INSERT INTO wl_offer_new SELECT slot_id, seq, entry_id, state, made_at, refusals, armed_at, claim_by,
    ended_at FROM wl_offer;

DROP TABLE wl_offer;
DROP TABLE wl_slot;
ALTER TABLE wl_slot_new RENAME TO wl_slot;
ALTER TABLE wl_offer_new RENAME TO wl_offer;

CREATE INDEX wl_slot_open ON wl_slot (starts_at, slot_id) WHERE status = 'open';
CREATE INDEX wl_slot_idle ON wl_slot (service, starts_at, slot_id)
    WHERE status = 'open' AND offer_seq = 0;
CREATE INDEX wl_slot_by_start ON wl_slot (starts_at, slot_id);
CREATE INDEX wl_slot_by_freed ON wl_slot (freed_at, slot_id);
CREATE INDEX wl_slot_taken ON wl_slot (resource, starts_at) WHERE status IN ('open', 'booked');

CREATE UNIQUE INDEX wl_offer_open ON wl_offer (slot_id) WHERE state IN ('pending', 'live');
CREATE UNIQUE INDEX wl_offer_claimed ON wl_offer (slot_id) WHERE state = 'claimed';
CREATE INDEX wl_offer_by_entry ON wl_offer (entry_id, slot_id);
