-- Consent to texts: the statements of each person about their numbers, as JSON. Also what the sheets
-- say about it in the row of an appointment or an entry.

CREATE TABLE fd_consent (
    person_id  TEXT    NOT NULL PRIMARY KEY REFERENCES fd_person,
    statements TEXT    NOT NULL CHECK (json_valid(statements)),
    version    INTEGER NOT NULL CHECK (version >= 1)
) STRICT, WITHOUT ROWID;

ALTER TABLE ar_appointment ADD COLUMN consent TEXT NOT NULL DEFAULT '';
ALTER TABLE wl_entry ADD COLUMN consent TEXT NOT NULL DEFAULT '';
