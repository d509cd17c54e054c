-- Sign-in links that were made until this instant are dead: the address has changed since,
-- or a mail to it came back.
ALTER TABLE fd_person ADD COLUMN links_until INTEGER NOT NULL DEFAULT 0;
