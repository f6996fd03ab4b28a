"""What a stopping rule really does: exactly where its paths can be followed, else simulated.

Many campaigns are walked side by side, as columns of one table of counts; the same conditions are
judged as in a real campaign.
"""

__all__: list[str] = []
