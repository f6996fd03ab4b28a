"""A page for each question, and the frame around them.

A page takes the state in its address and gives HTML, drawings and what to type for the same; the
answer itself is that of the verb.
"""

__all__: list[str] = []
