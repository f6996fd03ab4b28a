"""Which is better: posteriors, tests and rank sets, for independent and for common items.

Every function takes counts and gives numbers; ``methods`` calls them by name. Which of them
answers is chosen elsewhere: nothing here looks at data to choose its own test.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
