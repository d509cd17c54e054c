"""How any desk is run: commands, facts, timers, sends. Knows no desk by name."""
