"""How good each system is: its calls and scores, its numbers, its events over an exposure.

Each system is looked at on its own; to choose between them is for a comparison.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
