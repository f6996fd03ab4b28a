"""Where people meet it: each surface parses, calls the journey and shows."""

__all__: list[str] = []
