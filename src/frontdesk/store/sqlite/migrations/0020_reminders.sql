-- The reminders desk: appointments, the reminders of their chains, and replies.
-- Instants and lengths are seconds. A chain is one time of an appointment: a move starts a new one.

CREATE TABLE ar_appointment (
    appointment_id TEXT    NOT NULL PRIMARY KEY,
    source         TEXT    NOT NULL CHECK (source IN ('sheet', 'calendar', 'mail', 'booking')),
    ref            TEXT    NOT NULL,
    person_id      TEXT    NOT NULL REFERENCES fd_person,
    service        TEXT    NOT NULL,
    starts_at      INTEGER NOT NULL,
    duration       INTEGER NOT NULL CHECK (duration > 0),
    booked_at      INTEGER NOT NULL,
    staff          TEXT    NOT NULL,
    state          TEXT    NOT NULL
        CHECK (state IN ('expected', 'confirmed', 'cancelled', 'no_show', 'came')),
    chain          INTEGER NOT NULL CHECK (chain >= 1),
    settled        TEXT    NOT NULL CHECK (json_valid(settled)),
    told_at        INTEGER,
    answered_at    INTEGER,
    closed_at      INTEGER,
    tags           TEXT    NOT NULL CHECK (json_valid(tags)),
    phone          TEXT    NOT NULL,
    version        INTEGER NOT NULL CHECK (version >= 1),
    CHECK ((state IN ('expected', 'confirmed')) = (closed_at IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX ar_appointment_live ON ar_appointment (starts_at, appointment_id)
    WHERE state IN ('expected', 'confirmed');
CREATE INDEX ar_appointment_by_start ON ar_appointment (starts_at, appointment_id);
CREATE INDEX ar_appointment_by_person ON ar_appointment (person_id, starts_at);
CREATE INDEX ar_appointment_by_state ON ar_appointment (state, starts_at, appointment_id);
CREATE INDEX ar_appointment_missed ON ar_appointment (person_id) WHERE state = 'no_show';

CREATE TABLE ar_send (
    appointment_id TEXT    NOT NULL REFERENCES ar_appointment,
    window       TEXT    NOT NULL CHECK (window IN ('first', 'second', 'third', 'gap')),
    chain          INTEGER NOT NULL CHECK (chain >= 1),
    person_id      TEXT    NOT NULL,
    starts_at      INTEGER NOT NULL,
    state          TEXT    NOT NULL CHECK (state IN ('due', 'sent', 'failed', 'skipped')),
    at             INTEGER NOT NULL,
    lead           TEXT    NOT NULL,
    why            TEXT    NOT NULL,
    PRIMARY KEY (appointment_id, window)
) STRICT, WITHOUT ROWID;

CREATE TABLE ar_send_archive (
    appointment_id TEXT    NOT NULL REFERENCES ar_appointment,
    window       TEXT    NOT NULL,
    chain          INTEGER NOT NULL,
    person_id      TEXT    NOT NULL,
    starts_at      INTEGER NOT NULL,
    state          TEXT    NOT NULL,
    at             INTEGER NOT NULL,
    lead           TEXT    NOT NULL,
    why            TEXT    NOT NULL,
    PRIMARY KEY (appointment_id, chain, window)
) STRICT, WITHOUT ROWID;

CREATE TABLE ar_reply (
    appointment_id TEXT    NOT NULL REFERENCES ar_appointment,
    nonce          TEXT    NOT NULL,  -- the message that it answers: '<chain>.<window>'
    action         TEXT    NOT NULL CHECK (action IN ('confirm', 'move', 'cancel')),
    chain          INTEGER NOT NULL,
    at             INTEGER NOT NULL,
    means          TEXT    NOT NULL CHECK (means IN ('link', 'text', 'mail', 'staff')),
    before         TEXT    NOT NULL,
    after          TEXT    NOT NULL,
    wishes         TEXT    NOT NULL,
    PRIMARY KEY (appointment_id, nonce, action)
) STRICT, WITHOUT ROWID;
