-- The number to which texts could not be delivered. It counts while it is the person's number.

ALTER TABLE fd_person ADD COLUMN failed_mobile TEXT NOT NULL DEFAULT ''
    CHECK (NOT erased OR failed_mobile = '');
