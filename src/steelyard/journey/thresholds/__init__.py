"""Where do I set the threshold of a system? The walk of ``threshold``.

Every recipe is shown beside the one asked for, each with what to expect of it on new items.
"""

__all__: list[str] = []
