-- Name and address stay with each sign-up as they were given.

ALTER TABLE ev_guest ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE ev_guest ADD COLUMN email TEXT NOT NULL DEFAULT '';
ALTER TABLE ev_guest ADD COLUMN own_name INTEGER NOT NULL DEFAULT 0 CHECK (own_name IN (0, 1));

UPDATE ev_guest SET (name, email) =
    (SELECT p.name, p.email FROM fd_person p WHERE p.person_id = ev_guest.person_id);
