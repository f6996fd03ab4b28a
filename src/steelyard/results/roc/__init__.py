"""How systems trade detections against false alarms: the curves and what was read off them.

All that a curve tells is held as data; ``tables`` lays it out and draws it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
