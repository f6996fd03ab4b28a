"""The command line.

Commands are made from the table of options; one place prints, one says what to type next.
"""

__all__: list[str] = []
