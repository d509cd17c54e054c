-- Mail to the reminders desk has a shelf of its own. SQLite cannot change a CHECK: the column is made anew.

ALTER TABLE fd_mail ADD COLUMN folder TEXT NOT NULL DEFAULT 'mail'
    CHECK (folder IN ('mail', 'waitlist', 'reminders', 'discarded'));
UPDATE fd_mail SET folder = shelf;
ALTER TABLE fd_mail DROP COLUMN shelf;
ALTER TABLE fd_mail RENAME COLUMN folder TO shelf;

-- The id under which the network knows a text: its reports name it.
ALTER TABLE fd_message ADD COLUMN provider_id TEXT NOT NULL DEFAULT '';
