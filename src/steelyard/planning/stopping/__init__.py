"""What stopping rules cost and risk, followed item by item.

A rule is a walk over the items on which two systems differ: exact while its states can be held,
drawn where they cannot, and then with the error of drawing.
"""

__all__: list[str] = []
