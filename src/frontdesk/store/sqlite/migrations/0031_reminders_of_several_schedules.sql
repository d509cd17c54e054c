-- Visits of one day share a message also if their services are reminded of at different times.
ALTER TABLE ar_send ADD COLUMN lead_window TEXT
    CHECK (lead_window IN ('first', 'second', 'third'));
ALTER TABLE ar_send_archive ADD COLUMN lead_window TEXT;
