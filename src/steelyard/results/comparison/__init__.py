"""Which system is better, and how sure one can be: the data, the words, the tables, the methods.

An answer holds what was decided of every pair. ``words`` says it, ``tables`` lays it out and draws
it, ``methods`` writes what a paper says of it; none of them decides anything.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
