"""The engine runs any desk: its commands, facts, timers and sends. It knows no desk by name."""
