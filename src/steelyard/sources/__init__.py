"""Where predictions come from: files, frames and arrays, understood before they are counted.

``opening`` goes the way: what a file is (``files``, ``logs``), how it is laid out (``shapes``),
what columns mean (``roles``). Faults are gathered before anything is refused; no row is dropped
unsaid.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
