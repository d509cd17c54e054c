-- A slot of a room or device names it, but nobody serves there.
ALTER TABLE wl_slot ADD COLUMN in_room INTEGER NOT NULL DEFAULT 0 CHECK (in_room IN (0, 1));
