"""How sure: intervals for shares, differences and areas, and p-values for many questions.

An interval keeps its level where it is claimed to (``certificates/``), or says where it does not.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
