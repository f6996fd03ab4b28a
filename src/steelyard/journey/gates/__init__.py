"""May the candidate pass? The walk of ``gate``.

A gate is an interval of an advantage held against a limit; undecided is an answer.
"""

__all__: list[str] = []
