"""May the candidate replace the baseline? The walk of ``gate``.

A gate is an interval of an advantage held against a limit; undecided is an answer.
"""

__all__: list[str] = []
