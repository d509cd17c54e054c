-- A customer who joined without the number that came beside their address earlier is told by mail.
ALTER TABLE wl_entry ADD COLUMN mail_only INTEGER NOT NULL DEFAULT 0 CHECK (mail_only IN (0, 1));
