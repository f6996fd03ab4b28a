"""Who may come in: guard, tokens, and connections that must not pile up."""
