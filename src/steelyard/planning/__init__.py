"""How many samples: the size of a test that can settle the question asked.

A plan follows the test (or posterior) that will be used over what may come; where it takes a
formula of large samples instead, it says so.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
