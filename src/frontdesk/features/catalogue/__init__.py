"""The catalogue: services with lengths, prices and aliases, and the team.

A desk passes the key of its setting (`saved_catalogue`), a command that saves a catalogue (decided
by `change_catalogue`, which validates it and states the desk's fact), and for the console a
`CatalogueConsole` with a `ServiceUsers`: who uses a service, and how to move them to another. It
gets typed reads, and the pages on which staff edit services and team.
"""
