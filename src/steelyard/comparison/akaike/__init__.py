"""Same rate or different rates, by Akaike's information criterion (Ozeki's designs).

A model of equal rates is weighed against one of different rates; what is not known of the overlap
is maximised over. The criterion is a working, never a verdict by itself.
"""

__all__: list[str] = []
