"""What stopping rules cost and risk, followed item by item."""

__all__: list[str] = []
