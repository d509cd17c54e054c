"""The SQLite store: the engine's tables, and one package for each desk."""
