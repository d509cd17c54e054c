-- Who has a slot keeps it when they ask for no offers after that.

ALTER TABLE wl_entry ADD COLUMN no_more INTEGER NOT NULL DEFAULT 0
    CHECK (no_more IN (0, 1) AND (NOT no_more OR status = 'booked'));
