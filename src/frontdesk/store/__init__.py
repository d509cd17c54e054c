"""Where it is kept: one package per database."""
