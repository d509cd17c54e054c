"""Requests read from mail, scans and photos: each becomes a proposal that staff approve or discard.

A desk hands over a `ProposalDesk`: its commands and changes (empty subclasses of those here), the
facts that it states, and what a mail's outcome is called. Its own decision says what an approved
proposal does; `ProposalDesk.approve` adds that the proposal is settled, in the same commit. For
reading it hands over a `Vocabulary`: its time zone, services and staff.

It gets back the rules for its commands (`rules`), a `RequestReader` that reads each mail once in a
job of its own, rows in both stores, and the console pages (`console`).
"""
