-- The booking desk: bookings, the cells that they claim, holds, handovers, tallies, requests.
-- A cell is one place of one tick (5 minutes since 1970, UTC) of a resource. Days are ISO dates.

CREATE TABLE bk_claim (
    resource TEXT    NOT NULL,
    tick     INTEGER NOT NULL,
    place    INTEGER NOT NULL CHECK (place >= 0),
    holder   TEXT    NOT NULL CHECK (holder <> ''),  -- 'booking:<id>', 'hold:<id>:<until>', …
    PRIMARY KEY (resource, tick, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE bk_booking (
    booking_id     TEXT    NOT NULL PRIMARY KEY,
    person_id      TEXT    NOT NULL REFERENCES fd_person,
    service        TEXT    NOT NULL,
    party          INTEGER NOT NULL CHECK (party >= 1),
    starts_at      INTEGER NOT NULL,
    ends_at        INTEGER NOT NULL,
    resources      TEXT    NOT NULL CHECK (json_valid(resources)),
    places         TEXT    NOT NULL CHECK (json_valid(places)),
    capacities     TEXT    NOT NULL CHECK (json_valid(capacities)),
    lane           TEXT    NOT NULL
        CHECK (lane IN ('form', 'reading', 'direct', 'staff', 'waitlist')),
    booked_at      INTEGER NOT NULL,
    local_on       TEXT    NOT NULL,
    status         TEXT    NOT NULL CHECK (status IN ('pending', 'claimed', 'confirmed',
        'cancelled', 'declined', 'lapsed', 'released', 'no_show')),
    buffer_before  INTEGER NOT NULL CHECK (buffer_before >= 0),  -- seconds
    buffer_after   INTEGER NOT NULL CHECK (buffer_after >= 0),
    price_cents    INTEGER NOT NULL,
    name           TEXT    NOT NULL,
    email          TEXT    NOT NULL,
    mobile         TEXT    NOT NULL,
    answers        TEXT    NOT NULL CHECK (json_valid(answers)),
    note           TEXT    NOT NULL,
    anyone         INTEGER NOT NULL CHECK (anyone IN (0, 1)),
    why_resource   TEXT    NOT NULL,
    overrides      TEXT    NOT NULL CHECK (json_valid(overrides)),
    sequence       INTEGER NOT NULL CHECK (sequence >= 0),
    moves          INTEGER NOT NULL CHECK (moves >= 0),
    decide_by      INTEGER,
    reminders      TEXT    NOT NULL CHECK (json_valid(reminders)),
    calendars      TEXT    NOT NULL CHECK (json_valid(calendars)),
    calendar_tries INTEGER NOT NULL CHECK (calendar_tries >= 0),
    request_id     TEXT    NOT NULL,
    waitlist_slot  TEXT    NOT NULL,
    closed_at      INTEGER,
    version        INTEGER NOT NULL CHECK (version >= 1),
    CHECK (starts_at < ends_at),
    CHECK ((status = 'pending') = (decide_by IS NOT NULL)),
    CHECK ((status IN ('pending', 'claimed', 'confirmed')) = (closed_at IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX bk_booking_by_start ON bk_booking (starts_at, booking_id);
CREATE INDEX bk_booking_by_person ON bk_booking (person_id, starts_at);
CREATE INDEX bk_booking_by_status ON bk_booking (status, starts_at, booking_id);

CREATE TABLE bk_hold (
    hold_id    TEXT    NOT NULL PRIMARY KEY,
    service    TEXT    NOT NULL,
    starts_at  INTEGER NOT NULL,
    resources  TEXT    NOT NULL CHECK (json_valid(resources)),
    span_start INTEGER NOT NULL,
    span_end   INTEGER NOT NULL,
    until      INTEGER NOT NULL,
    version    INTEGER NOT NULL CHECK (version >= 1),
    CHECK (span_start < span_end)
) STRICT, WITHOUT ROWID;

CREATE TABLE bk_handover (
    handover_id TEXT    NOT NULL PRIMARY KEY,
    origin      TEXT    NOT NULL,
    service     TEXT    NOT NULL,
    starts_at   INTEGER NOT NULL,
    ends_at     INTEGER NOT NULL,
    resources   TEXT    NOT NULL CHECK (json_valid(resources)),
    places      TEXT    NOT NULL CHECK (json_valid(places)),
    span_start  INTEGER NOT NULL,
    span_end    INTEGER NOT NULL,
    handed_at   INTEGER NOT NULL,
    price_cents INTEGER NOT NULL,
    status      TEXT    NOT NULL CHECK (status IN ('open', 'booked', 'released')),
    booking_id  TEXT    NOT NULL,
    closed_at   INTEGER,
    version     INTEGER NOT NULL CHECK (version >= 1),
    CHECK (span_start < span_end),
    CHECK ((status = 'open') = (closed_at IS NULL)),
    CHECK ((status = 'booked') = (booking_id <> ''))
) STRICT, WITHOUT ROWID;
CREATE INDEX bk_handover_open ON bk_handover (handed_at, handover_id) WHERE status = 'open';

CREATE TABLE bk_tally (
    scope    TEXT    NOT NULL,
    period   TEXT    NOT NULL,
    bookings INTEGER NOT NULL CHECK (bookings >= 0),
    minutes  INTEGER NOT NULL CHECK (minutes >= 0),
    last_at  INTEGER,
    PRIMARY KEY (scope, period)
) STRICT, WITHOUT ROWID;

CREATE TABLE bk_request (
    request_id  TEXT    NOT NULL PRIMARY KEY,
    lane        TEXT    NOT NULL
        CHECK (lane IN ('form', 'reading', 'direct', 'staff', 'waitlist')),
    received_at INTEGER NOT NULL,
    status      TEXT    NOT NULL CHECK (status IN ('open', 'draft', 'booked', 'forwarded',
        'waitlisted', 'discarded')),
    person_id   TEXT    NOT NULL,
    mail_id     TEXT    NOT NULL,
    sender      TEXT    NOT NULL,
    text        TEXT    NOT NULL,
    fields      TEXT    NOT NULL CHECK (json_valid(fields)),
    reader      TEXT    NOT NULL,
    proposed    TEXT    NOT NULL CHECK (json_valid(proposed)),
    booking_id  TEXT    NOT NULL,
    settled_at  INTEGER,
    version     INTEGER NOT NULL CHECK (version >= 1)
) STRICT, WITHOUT ROWID;
CREATE INDEX bk_request_by_status ON bk_request (status, received_at, request_id);
CREATE INDEX bk_request_by_person ON bk_request (person_id) WHERE person_id <> '';
CREATE INDEX bk_request_by_sender ON bk_request (sender) WHERE sender <> '';
