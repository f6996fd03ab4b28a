"""How good: what counts say of one system, each number with its interval and its doubts.

A measure is declared once in ``catalogue``, its formula a function of the margins of a table;
value, interval, clusters, weights and thresholds follow. What is undefined is None with a reason.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
