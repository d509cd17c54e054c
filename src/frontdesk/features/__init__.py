"""Features that several desks share. They know no desk: each passes a schema and commands."""
