-- Rows of a long list are written in several commits before the one that adds their job, so they
-- refer to a job that may not exist yet.

CREATE TABLE ev_import_new (
    job_id   TEXT    NOT NULL,
    line     INTEGER NOT NULL CHECK (line >= 0),
    name     TEXT    NOT NULL,
    email    TEXT    NOT NULL,
    party    INTEGER NOT NULL,
    outcome  TEXT    NOT NULL,
    guest_id TEXT    NOT NULL,
    PRIMARY KEY (job_id, line),
    CHECK (outcome = '' OR (name = '' AND email = ''))
) STRICT, WITHOUT ROWID;
INSERT INTO ev_import_new SELECT * FROM ev_import;
DROP TABLE ev_import;
ALTER TABLE ev_import_new RENAME TO ev_import;
CREATE INDEX ev_import_open ON ev_import (job_id, line) WHERE outcome = '';
