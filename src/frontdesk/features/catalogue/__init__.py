"""The catalogue: services with lengths, prices and aliases, and the team.

There is one catalogue (`CATALOGUE`) for all desks. A desk passes a command that saves a catalogue
(decided by `change_catalogue`, which validates it and states the desk's fact), and for the console
a `CatalogueConsole` with a `ServiceUsers`: who uses a service, and how to move them to another. It
gets the pages on which staff edit services and team.
"""
