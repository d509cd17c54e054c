"""The admin desk: the team, sign-in, and the console pages that all desks share."""
