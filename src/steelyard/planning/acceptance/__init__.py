"""Accept or reject: how many trials show that a rate keeps a limit, and what such a test risks."""

__all__: list[str] = []
