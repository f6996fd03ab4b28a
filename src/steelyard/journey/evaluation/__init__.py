"""How good is each system? The walk of ``evaluate``."""
