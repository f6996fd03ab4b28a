"""May I stop testing now? From what a user has in hand to a ledger, and from it to answers."""
