"""The answers: frozen, and able to say themselves, tabulate and serialise.

A kind of result is a module: data, sentence, tables, drawing. Each is written and read by its own
fields (``codec``), and ``read_result(result.to_json()) == result`` holds for all.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
