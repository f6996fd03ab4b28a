"""Which is better: posteriors, tests and rank sets, for independent and for common items."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
