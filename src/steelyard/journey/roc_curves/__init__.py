"""How does a system trade detections against false alarms? The walk of ``roc``.

What is asked is read once, for all systems; each then has the same curve, points and bands.
"""

__all__: list[str] = []
