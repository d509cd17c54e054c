"""What several desks share. A feature knows no desk: each desk hands over a schema and commands."""
