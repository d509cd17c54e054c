"""How people are told: the mailbox, SMTP and the rest."""
