-- What the texts of each month (UTC) cost by the price list, in millionths of a US dollar.

CREATE TABLE fd_text_spend (
    month  TEXT    NOT NULL PRIMARY KEY,
    micros INTEGER NOT NULL CHECK (micros > 0)
) STRICT, WITHOUT ROWID;
