"""How sure a posterior will be after n samples, and how many make it sure enough."""

__all__: list[str] = []
