"""Where people meet it: each surface parses, calls the journey and shows.

Nothing is computed here. What two surfaces offer has one row in ``journey/options.py``.
"""

__all__: list[str] = []
