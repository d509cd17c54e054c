-- Where a mail is kept: what was sent to the waitlist has a shelf of its own, and so has what staff
-- have discarded of it.

ALTER TABLE fd_mail ADD COLUMN shelf TEXT NOT NULL DEFAULT 'mail'
    CHECK (shelf IN ('mail', 'waitlist', 'discarded'));
UPDATE fd_mail SET shelf = 'waitlist' WHERE mail_id IN (SELECT mail_id FROM wl_proposal);
UPDATE fd_mail SET shelf = 'discarded'
    WHERE mail_id IN (SELECT mail_id FROM wl_proposal WHERE status = 'discarded');
