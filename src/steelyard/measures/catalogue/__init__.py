"""Every measure in one place: what it is called, computes, needs and means."""

__all__: list[str] = []
