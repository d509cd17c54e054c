"""The admin desk: who may sign in to the console, and what is common to all desks there."""
