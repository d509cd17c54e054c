-- The appointments of the reminders desk in a sheet: its versions, and the name of a row if it is not
-- the customer's own (a child, for example).

ALTER TABLE ar_appointment ADD COLUMN name TEXT NOT NULL DEFAULT '';
CREATE INDEX ar_appointment_of_sheet ON ar_appointment (starts_at, appointment_id)
    WHERE source IN ('sheet', 'mail');

CREATE TABLE ar_version (
    number INTEGER NOT NULL PRIMARY KEY CHECK (number >= 1),
    head   TEXT    NOT NULL CHECK (json_valid(head)),  -- when, by whom, what was done
    body   BLOB    NOT NULL                            -- its rows and problems: JSON, packed
) STRICT;
