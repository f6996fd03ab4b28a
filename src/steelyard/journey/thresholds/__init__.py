"""Where do I set the threshold of a system? The walk of ``threshold``."""

__all__: list[str] = []
