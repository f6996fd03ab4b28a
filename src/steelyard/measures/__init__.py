"""How good: what counts say of one system, each number with its interval and its doubts."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
