"""The page: one local server, its guard at the door, and a page for each question.

Nothing is imported here: tokens can be issued without loading what draws and counts.
"""

__all__: list[str] = []
