CREATE TABLE cb_call (
    call_id   TEXT    NOT NULL PRIMARY KEY,
    person_id TEXT    NOT NULL REFERENCES fd_person (person_id),
    question  TEXT    NOT NULL,
    call_at   INTEGER NOT NULL,
    state     TEXT    NOT NULL CHECK (state IN ('planned', 'reminded'))
) STRICT;
