-- Requests that came in for the waitlist, as they were read: nobody is on the list before staff
-- say so. `email` and `mobile` are what was read, so that erasing a person finds it.

CREATE TABLE wl_proposal (
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
CREATE INDEX wl_proposal_by_status ON wl_proposal (status, received_at, proposal_id);
CREATE INDEX wl_proposal_by_sender ON wl_proposal (sender);
CREATE INDEX wl_proposal_by_email ON wl_proposal (email);
CREATE INDEX wl_proposal_by_mobile ON wl_proposal (mobile);

CREATE INDEX wl_slot_by_start ON wl_slot (starts_at, slot_id);
