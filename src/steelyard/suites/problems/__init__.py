"""Problems and suites as files: written, sealed, checked, read.

A suite is a folder of problems, a problem three tables: training items, test items, answers. The
one rule: the answers lie in a table of their own, which nothing but the scorer reads.
"""

__all__: list[str] = []
