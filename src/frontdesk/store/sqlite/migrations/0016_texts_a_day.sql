-- How many texts went out on each day, for the ceiling of the settings.

CREATE TABLE fd_texts (
    day  TEXT    NOT NULL PRIMARY KEY,
    sent INTEGER NOT NULL CHECK (sent > 0)
) STRICT, WITHOUT ROWID;
