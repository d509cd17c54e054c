"""Features that several desks share. A feature knows no desk: a desk passes a schema and
commands."""
