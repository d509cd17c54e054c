"""SQLite: the engine's tables, and one module per desk."""
