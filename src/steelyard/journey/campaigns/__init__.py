"""May I stop testing now? From what a user has in hand to a ledger, and from it to answers.

``rows`` makes single answers of whatever is given, ``campaign`` is what a user holds, ``answers``
turns progress into results that say themselves.
"""

__all__: list[str] = []
