-- Replies that customers write: asked which visit, opted out of texts, other words.

CREATE TABLE ar_reply_next (
    appointment_id TEXT    NOT NULL REFERENCES ar_appointment,
    nonce          TEXT    NOT NULL,  -- the message that it answers: '<chain>.<window>', or its own id
    action         TEXT    NOT NULL
        CHECK (action IN ('confirm', 'move', 'cancel', 'which', 'stop', 'other')),
    chain          INTEGER NOT NULL,
    at             INTEGER NOT NULL,
    means          TEXT    NOT NULL CHECK (means IN ('link', 'text', 'mail', 'staff')),
    before         TEXT    NOT NULL,
    after          TEXT    NOT NULL,
    wishes         TEXT    NOT NULL,
    PRIMARY KEY (appointment_id, nonce, action)
) STRICT, WITHOUT ROWID;
INSERT INTO ar_reply_next
    SELECT appointment_id, nonce, action, chain, at, means, before, after, wishes FROM ar_reply;
DROP TABLE ar_reply;
ALTER TABLE ar_reply_next RENAME TO ar_reply;
