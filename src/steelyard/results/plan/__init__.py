"""How many samples a question takes, and how to test an absolute claim: data, words, tables.

A plan holds numbers; ``words`` says them, ``tables`` lays them out and draws them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
