"""One process on one machine: web, writer, followers, timers and mail in."""
