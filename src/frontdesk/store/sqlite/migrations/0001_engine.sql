-- What belongs to no desk: people, facts, followers, timers, sends, jobs, mail, members.
-- Instants are whole seconds since 1970 in UTC.

CREATE TABLE fd_person (
    person_id       TEXT    NOT NULL PRIMARY KEY,
    name            TEXT    NOT NULL,
    email           TEXT    NOT NULL,
    email_key       TEXT    UNIQUE,  -- NULL once erased
    contact_version INTEGER NOT NULL DEFAULT 0 CHECK (contact_version >= 0),
    bounced         TEXT    NOT NULL DEFAULT '',
    opted_out       INTEGER NOT NULL DEFAULT 0 CHECK (opted_out IN (0, 1)),
    erased          INTEGER NOT NULL DEFAULT 0 CHECK (erased IN (0, 1)),
    CHECK (erased = (email_key IS NULL)),
    CHECK (NOT erased OR (name = '' AND email = ''))
) STRICT, WITHOUT ROWID;

-- Append-only, so a plain key gives each fact the next number and never the same twice.
CREATE TABLE fd_fact (
    seq     INTEGER NOT NULL PRIMARY KEY,
    at      INTEGER NOT NULL,
    by      TEXT    NOT NULL,
    desk    TEXT    NOT NULL,
    kind    TEXT    NOT NULL,
    subject TEXT    NOT NULL,
    about   TEXT    NOT NULL,
    body    TEXT    NOT NULL
) STRICT;
CREATE INDEX fd_fact_by_subject ON fd_fact (subject, seq);
CREATE INDEX fd_fact_by_about ON fd_fact (about, seq) WHERE about <> '';
CREATE TRIGGER fd_fact_stays BEFORE DELETE ON fd_fact
BEGIN
    SELECT RAISE(ABORT, 'facts are never deleted');
END;
CREATE TRIGGER fd_fact_is_final BEFORE UPDATE ON fd_fact
BEGIN
    SELECT RAISE(ABORT, 'facts are never changed');
END;

CREATE TABLE fd_follower (
    name TEXT    NOT NULL PRIMARY KEY,
    seq  INTEGER NOT NULL CHECK (seq >= 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE fd_timer (
    name   TEXT    NOT NULL PRIMARY KEY,
    due_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX fd_timer_by_due ON fd_timer (due_at);

CREATE TABLE fd_send (
    send_id   TEXT    NOT NULL PRIMARY KEY,
    key       TEXT    NOT NULL,
    desk      TEXT    NOT NULL,
    kind      TEXT    NOT NULL,
    person_id TEXT    NOT NULL REFERENCES fd_person,
    subject   TEXT    NOT NULL,
    about     TEXT    NOT NULL,
    state     TEXT    NOT NULL
        CHECK (state IN ('queued', 'held', 'sending', 'sent', 'failed', 'dropped', 'unknown')),
    queued_at INTEGER NOT NULL,
    due_at    INTEGER NOT NULL,
    quiet     TEXT    NOT NULL CHECK (quiet IN ('hold', 'ignore')),
    tell_by   INTEGER,
    attempts  INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    why       TEXT    NOT NULL DEFAULT '',
    sent_at   INTEGER,
    words     TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(words)),
    CHECK ((state = 'sent') = (sent_at IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX fd_send_by_due ON fd_send (due_at, send_id, state) WHERE state IN ('queued', 'held');
CREATE INDEX fd_send_by_state ON fd_send (state, queued_at);
CREATE INDEX fd_send_by_person ON fd_send (person_id, queued_at);
CREATE INDEX fd_send_by_about ON fd_send (about, queued_at);

-- A message as it went out.
CREATE TABLE fd_message (
    send_id         TEXT    NOT NULL PRIMARY KEY REFERENCES fd_send,
    channel         TEXT    NOT NULL,
    to_email        TEXT    NOT NULL,
    to_name         TEXT    NOT NULL,
    from_email      TEXT    NOT NULL,
    subject         TEXT    NOT NULL,
    text            TEXT    NOT NULL,
    html            TEXT    NOT NULL,
    calendar        BLOB,
    calendar_method TEXT    NOT NULL,
    message_id      TEXT    NOT NULL,
    sent_at         INTEGER NOT NULL
) STRICT;
CREATE INDEX fd_message_by_time ON fd_message (sent_at);

CREATE TABLE fd_dead_letter (
    id          INTEGER NOT NULL PRIMARY KEY,
    at          INTEGER NOT NULL,
    what        TEXT    NOT NULL CHECK (what IN ('fact', 'timer', 'send', 'mail', 'job')),
    ref         TEXT    NOT NULL,
    why         TEXT    NOT NULL,
    replayed_at INTEGER
) STRICT;

CREATE TABLE fd_job (
    job_id   TEXT    NOT NULL PRIMARY KEY,
    desk     TEXT    NOT NULL,
    kind     TEXT    NOT NULL,
    subject  TEXT    NOT NULL,
    cursor   TEXT    NOT NULL,
    done     INTEGER NOT NULL CHECK (done >= 0),
    total    INTEGER NOT NULL CHECK (total >= 0),
    finished INTEGER NOT NULL CHECK (finished IN (0, 1)),
    words    TEXT    NOT NULL CHECK (json_valid(words))
) STRICT;
CREATE INDEX fd_job_open ON fd_job (job_id) WHERE NOT finished;
CREATE INDEX fd_job_by_subject ON fd_job (subject);

-- Mail as it came in.
CREATE TABLE fd_mail (
    mail_id     TEXT    NOT NULL PRIMARY KEY,
    received_at INTEGER NOT NULL,
    sender      TEXT    NOT NULL,
    recipient   TEXT    NOT NULL,
    raw         BLOB    NOT NULL,
    person_id   TEXT    NOT NULL,
    outcome     TEXT    NOT NULL
) STRICT;
CREATE INDEX fd_mail_by_person ON fd_mail (person_id);

-- The facts of a commit have numbers that follow each other.
CREATE TABLE fd_idempotency (
    key       TEXT    NOT NULL PRIMARY KEY,
    at        INTEGER NOT NULL,
    first_seq INTEGER NOT NULL,
    facts     INTEGER NOT NULL CHECK (facts >= 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE fd_member (
    member_id  TEXT    NOT NULL PRIMARY KEY,
    person_id  TEXT    NOT NULL REFERENCES fd_person,
    role       TEXT    NOT NULL CHECK (role IN ('owner', 'staff', 'host')),
    event_id   TEXT    NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    removed_at INTEGER,
    CHECK ((role = 'host') = (event_id <> ''))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX fd_member_once ON fd_member (person_id, role, event_id)
    WHERE removed_at IS NULL;

CREATE TABLE fd_session (
    token_hash TEXT    NOT NULL PRIMARY KEY,
    member_id  TEXT    NOT NULL REFERENCES fd_member,
    csrf       TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    ended_at   INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX fd_session_by_member ON fd_session (member_id);

CREATE TABLE fd_setting (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL CHECK (json_valid(value))
) STRICT, WITHOUT ROWID;
