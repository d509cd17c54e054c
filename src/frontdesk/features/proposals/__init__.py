"""Requests read from mail, scans and photos: each becomes a proposal that staff approve or discard.

A desk passes a `ProposalDesk`: its commands and changes (empty subclasses of those here), the facts
that it states, and the outcomes that it notes on a mail. Its own decision says what an approved
proposal does; `ProposalDesk.approve` settles the proposal in the same commit. For reading it passes
its time zone and its catalogue.

It gets the rules for its commands (`rules`), a `RequestReader` that reads each mail once in its own
job, rows in both stores, and the console pages (`console`).
"""
