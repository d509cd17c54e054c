-- An idempotency key belongs to the content of its request; older keys know none.

ALTER TABLE fd_idempotency ADD COLUMN content TEXT NOT NULL DEFAULT '';
