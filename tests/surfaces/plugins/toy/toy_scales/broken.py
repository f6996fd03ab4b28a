"""A module that cannot be imported, and even wants to end the process."""

raise SystemExit("no licence was found")
