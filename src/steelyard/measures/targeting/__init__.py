"""Whom to contact first: cumulative gain, lift and captured share."""
