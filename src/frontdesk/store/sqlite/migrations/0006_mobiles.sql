-- Mobile numbers, texts, and numbers that want none.

ALTER TABLE fd_person ADD COLUMN mobile TEXT NOT NULL DEFAULT '' CHECK (NOT erased OR mobile = '');
CREATE INDEX fd_person_by_mobile ON fd_person (mobile, person_id) WHERE mobile <> '';

-- A digest of the number: it stays when the person is erased, and shows no number.
CREATE TABLE fd_stopped_number (
    digest TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;

ALTER TABLE fd_send ADD COLUMN via TEXT NOT NULL DEFAULT 'mail' CHECK (via IN ('mail', 'text'));
ALTER TABLE fd_message ADD COLUMN to_mobile TEXT NOT NULL DEFAULT '';
