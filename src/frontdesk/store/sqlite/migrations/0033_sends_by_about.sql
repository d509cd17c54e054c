-- No statement reads sends by what they are about, so this index only slows down writes.

DROP INDEX fd_send_by_about;
