-- Messages with all of their headers, incoming mail in the order of time, and what is tidied up.

ALTER TABLE fd_message ADD COLUMN from_name TEXT NOT NULL DEFAULT '';
ALTER TABLE fd_message ADD COLUMN reply_to TEXT NOT NULL DEFAULT '';
ALTER TABLE fd_message ADD COLUMN in_reply_to TEXT NOT NULL DEFAULT '';
ALTER TABLE fd_message ADD COLUMN unsubscribe_url TEXT NOT NULL DEFAULT '';

-- Only those whose words are kept: the others have been tidied up, or their person was erased.
DROP INDEX fd_message_by_time;
CREATE INDEX fd_message_with_words ON fd_message (sent_at) WHERE text <> '';

-- All that the list shows, so that no mail is read through for it.
CREATE INDEX fd_mail_by_time ON fd_mail (received_at, mail_id, sender, recipient, person_id, outcome);
CREATE INDEX fd_mail_for_a_person ON fd_mail (received_at) WHERE outcome = 'not for an event';
