"""The commands, a module each, imported when called."""
