"""The file `rules.yml`: its schema, parser, errors, edits and reference page."""
