"""The answers: frozen, and able to say themselves, tabulate and serialise."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
