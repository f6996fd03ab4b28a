"""Rows become counts: portable SQL for tables, numpy for arrays, the same counts from both.

A tally is a sum without an order, so that it runs where the rows live and shards may be merged;
its cells add up to the rows seen, or it raises.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
