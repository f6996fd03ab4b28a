"""Every measure in one place: what it is called, computes, needs and means.

``measure`` says what a declaration holds, ``of_calls`` and ``of_scores`` declare, ``listing``
finds by any name. A measure that is not declared here exists for no verb.
"""

__all__: list[str] = []
