"""Who may come in: guard, tokens, and connections that must not pile up.

Every request passes here before any page sees it; who is turned away learns why, and nothing else.
"""

__all__: list[str] = []
