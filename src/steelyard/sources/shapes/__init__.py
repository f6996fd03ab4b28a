"""How predictions are laid out: long or wide, one file a system, vectors in columns or lists."""

__all__: list[str] = []
