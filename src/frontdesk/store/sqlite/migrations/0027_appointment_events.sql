-- The calendar that has the event of an appointment, and a change that the event has yet to follow.

ALTER TABLE ar_appointment ADD COLUMN calendar TEXT NOT NULL DEFAULT '';
ALTER TABLE ar_appointment ADD COLUMN event TEXT CHECK (event IS NULL OR json_valid(event));
