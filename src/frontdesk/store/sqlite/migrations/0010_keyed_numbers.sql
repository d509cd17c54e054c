-- Numbers that want no texts, under a key that is not in this file: whoever has the file alone cannot
-- try all numbers. The mark tells under which key a row was written, and shows nothing of it.

ALTER TABLE fd_stopped_number ADD COLUMN key_mark TEXT NOT NULL DEFAULT '';
UPDATE fd_stopped_number SET digest = keyed(digest), key_mark = keyed('');
