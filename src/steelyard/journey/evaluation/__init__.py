"""How good is each system? The walk of ``evaluate``.

``question`` holds what was asked, ``from_rows`` counts, ``measures`` finds whatever the catalogue
has.
"""

__all__: list[str] = []
