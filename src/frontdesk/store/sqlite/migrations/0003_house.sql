-- The house: links that let a member in once, and from which browser a session is.

CREATE TABLE fd_sign_in (
    member_id  TEXT    NOT NULL REFERENCES fd_member,
    nonce      INTEGER NOT NULL CHECK (nonce BETWEEN 0 AND 4294967295),
    kind       TEXT    NOT NULL CHECK (kind IN ('mailed', 'invited', 'printed')),
    expires_at INTEGER NOT NULL,
    spent_at   INTEGER,
    PRIMARY KEY (member_id, nonce)
) STRICT, WITHOUT ROWID;

ALTER TABLE fd_session ADD COLUMN device TEXT NOT NULL DEFAULT '';

CREATE INDEX fd_member_by_person ON fd_member (person_id);
CREATE INDEX fd_person_by_name ON fd_person (name COLLATE NOCASE) WHERE NOT erased;
CREATE INDEX fd_send_by_time ON fd_send (queued_at);
CREATE INDEX fd_dead_letter_open ON fd_dead_letter (id) WHERE replayed_at IS NULL;
