"""How a campaign stands, and what else it answers: its rule, what is next, its history, its seals.

What was decided at each look is data; ``words`` says it and decides nothing.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
