-- The record of a request has the chosen time, and lists of requests show one lane. Expired holds
-- are found by their end.

ALTER TABLE bk_request ADD COLUMN chosen TEXT CHECK (chosen IS NULL OR json_valid(chosen));
DROP INDEX bk_request_by_status;
CREATE INDEX bk_request_by_status ON bk_request (status, received_at, request_id, lane);
CREATE INDEX bk_hold_by_end ON bk_hold (until);
