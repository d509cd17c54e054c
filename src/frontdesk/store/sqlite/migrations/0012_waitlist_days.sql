-- A day of the waitlist is told from all of its facts.

CREATE INDEX fd_fact_of_waitlist ON fd_fact (at) WHERE desk = 'wl';
