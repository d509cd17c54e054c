-- The RSVP desk: events with their seats, guests, offers, imports.

CREATE TABLE ev_event (
    event_id    TEXT    NOT NULL PRIMARY KEY,
    slug        TEXT    NOT NULL UNIQUE,
    name        TEXT    NOT NULL,
    starts_at   INTEGER NOT NULL,
    ends_at     INTEGER NOT NULL,
    zone        TEXT    NOT NULL,
    venue       TEXT    NOT NULL,
    description TEXT    NOT NULL,
    settings    TEXT    NOT NULL CHECK (json_valid(settings)),
    state       TEXT    NOT NULL CHECK (state IN ('open', 'called_off')),
    sequence    INTEGER NOT NULL CHECK (sequence >= 0),
    version     INTEGER NOT NULL CHECK (version >= 0),
    thanks      TEXT    NOT NULL,
    thanks_sent INTEGER NOT NULL CHECK (thanks_sent IN (0, 1)),
    cap         INTEGER NOT NULL CHECK (cap >= 0),
    free        INTEGER NOT NULL,  -- negative while the host has cut below what is given away
    offered     INTEGER NOT NULL CHECK (offered >= 0),
    taken       INTEGER NOT NULL CHECK (taken >= 0),
    waiting     INTEGER NOT NULL CHECK (waiting >= 0),
    owed        INTEGER NOT NULL CHECK (owed BETWEEN 0 AND waiting),
    round       INTEGER NOT NULL CHECK (round >= 0),
    rev         INTEGER NOT NULL CHECK (rev >= 0),
    tickets     INTEGER NOT NULL CHECK (tickets >= 0),
    CHECK (free + offered + taken = cap),
    CHECK (starts_at <= ends_at)
) STRICT, WITHOUT ROWID;

-- An event's guests lie side by side; a guest is also found by their own id.
CREATE TABLE ev_guest (
    event_id  TEXT    NOT NULL REFERENCES ev_event,
    guest_id  TEXT    NOT NULL UNIQUE,
    person_id TEXT    NOT NULL REFERENCES fd_person,
    state     TEXT    NOT NULL
        CHECK (state IN ('pending', 'confirmed', 'waiting', 'offered', 'cancelled')),
    party     INTEGER NOT NULL CHECK (party >= 1),
    lane      TEXT    NOT NULL CHECK (lane IN ('form', 'email', 'import', 'host')),
    version   INTEGER NOT NULL CHECK (version >= 0),
    ticket    INTEGER NOT NULL,
    lapsed    INTEGER NOT NULL CHECK (lapsed IN (0, 1)),
    seen      INTEGER NOT NULL CHECK (seen >= -1),
    seq       INTEGER NOT NULL CHECK (seq >= 0),
    live      INTEGER NOT NULL CHECK (live IN (0, 1)),
    claim_by  INTEGER,
    reminders TEXT    NOT NULL,  -- the timers' names, as a JSON list
    arrived   INTEGER NOT NULL CHECK (arrived BETWEEN 0 AND party),
    joined_at INTEGER,
    PRIMARY KEY (event_id, guest_id),
    UNIQUE (person_id, event_id),
    CHECK (NOT live OR (state = 'offered' AND claim_by IS NOT NULL))
) STRICT, WITHOUT ROWID;
-- With the state in them these need no look at the guests' rows.
CREATE INDEX ev_guest_in_line ON ev_guest (event_id, lapsed, ticket, seen, party, state)
    WHERE state = 'waiting';
CREATE INDEX ev_guest_with_offer ON ev_guest (event_id, live, lapsed, ticket, state)
    WHERE state = 'offered';
CREATE INDEX ev_guest_by_ticket ON ev_guest (event_id, ticket, state)
    WHERE state IN ('waiting', 'offered');

CREATE TABLE ev_offer (
    guest_id TEXT    NOT NULL REFERENCES ev_guest (guest_id),
    seq      INTEGER NOT NULL CHECK (seq >= 1),
    event_id TEXT    NOT NULL,
    seats    INTEGER NOT NULL CHECK (seats >= 1),
    state    TEXT    NOT NULL
        CHECK (state IN ('pending', 'live', 'claimed', 'declined', 'expired', 'withdrawn')),
    made_at  INTEGER NOT NULL,
    armed_at INTEGER,
    claim_by INTEGER,
    ended_at INTEGER,
    fills    INTEGER NOT NULL,
    PRIMARY KEY (guest_id, seq),
    CHECK (state <> 'live' OR (armed_at IS NOT NULL AND claim_by IS NOT NULL)),
    CHECK ((state IN ('pending', 'live')) = (ended_at IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX ev_offer_by_event ON ev_offer (event_id, made_at);
CREATE UNIQUE INDEX ev_offer_open ON ev_offer (guest_id) WHERE state IN ('pending', 'live');

CREATE TABLE ev_import (
    job_id   TEXT    NOT NULL REFERENCES fd_job,
    line     INTEGER NOT NULL CHECK (line >= 0),
    name     TEXT    NOT NULL,
    email    TEXT    NOT NULL,
    party    INTEGER NOT NULL,
    outcome  TEXT    NOT NULL,
    guest_id TEXT    NOT NULL,
    PRIMARY KEY (job_id, line),
    CHECK (outcome = '' OR (name = '' AND email = ''))
) STRICT, WITHOUT ROWID;
CREATE INDEX ev_import_open ON ev_import (job_id, line) WHERE outcome = '';
