"""Rows become counts: portable SQL for tables, numpy for arrays, the same counts from both."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
