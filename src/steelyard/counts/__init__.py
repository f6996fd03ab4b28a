"""All that is kept of the rows: frozen, validated, mergeable with ``+``.

A count is whole: what is checked when it is made needs no check afterwards, and shards may be
added in any order. All that is said of systems is worked out from these, never from rows.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
