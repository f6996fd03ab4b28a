"""Accept or reject: how many trials show that a rate keeps a limit, and what such a test risks.

Both risks are exact sums: of passing what is bad, and of failing what is good.
"""

__all__: list[str] = []
