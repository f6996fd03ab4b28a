"""Which system is better, and how sure is that? The walk of ``compare``.

``compare`` opens the data, ``kinds`` chooses the way for the kind of counts, a module for each kind
weighs them, and ``question`` puts the answer together.
"""

__all__: list[str] = []
