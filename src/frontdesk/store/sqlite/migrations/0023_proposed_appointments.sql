-- Appointments that were read from mails and calendars: staff approve or discard them. `email` and
-- `mobile` are what was read, so that erasing a person finds it.

CREATE TABLE ar_proposal (
    proposal_id TEXT    NOT NULL PRIMARY KEY,
    mail_id     TEXT    NOT NULL,
    sender      TEXT    NOT NULL,
    email       TEXT    NOT NULL,
    mobile      TEXT    NOT NULL,
    received_at INTEGER NOT NULL,
    body        TEXT    NOT NULL CHECK (json_valid(body)),
    status      TEXT    NOT NULL CHECK (status IN ('open', 'approved', 'discarded')),
    entry_id    TEXT    NOT NULL,
    settled_at  INTEGER,
    CHECK ((status = 'open') = (settled_at IS NULL)),
    CHECK ((status = 'approved') = (entry_id <> ''))
) STRICT, WITHOUT ROWID;
CREATE INDEX ar_proposal_by_status ON ar_proposal (status, received_at, proposal_id);
