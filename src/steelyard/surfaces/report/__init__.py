"""The report: one file with the answer, its pictures, its doubts and its sources."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
