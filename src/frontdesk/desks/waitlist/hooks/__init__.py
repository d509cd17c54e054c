"""Where booking tools tell us that a time has come free."""
