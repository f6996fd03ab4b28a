"""The commands, a module each, imported when called."""

__all__: list[str] = []
