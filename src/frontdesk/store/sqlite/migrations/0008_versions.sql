-- Every version of the list as staff keep it: a table, a file or a sheet.

CREATE TABLE wl_version (
    number INTEGER NOT NULL PRIMARY KEY CHECK (number >= 1),
    head   TEXT    NOT NULL CHECK (json_valid(head)),  -- when, by whom, what was done
    body   BLOB    NOT NULL                            -- its rows and problems: JSON, packed
) STRICT;
