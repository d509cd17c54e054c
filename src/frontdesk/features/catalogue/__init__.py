"""The services of the business with their lengths, prices and aliases, and who works there.

A desk hands over the key of its setting (`saved_catalogue`), a command that saves a catalogue
(decided by `change_catalogue`, which checks it and states the desk's fact), and for the console a
`CatalogueConsole` with a `ServiceUsers`: who uses a service now, and how they are moved to another
one. It gets back typed reads, and the pages on which staff edit services and team.
"""
