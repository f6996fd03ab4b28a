"""How does a system trade detections against false alarms? The walk of ``roc``."""

__all__: list[str] = []
