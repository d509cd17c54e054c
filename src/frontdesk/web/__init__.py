"""HTTP: the app, sessions, links, templates, static files and the API."""
