"""Forms of many writers: rows and maps of verdicts, and files that hold totals only.

No tool signs them, so they are told after all formats that one does, and by more than a key.
"""

__all__: list[str] = []
