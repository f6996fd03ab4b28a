"""How sure a posterior will be after n samples, and how many make it sure enough.

The data of a test that has not been done are averaged over; rates are supposed, never their
verdict.
"""

__all__: list[str] = []
