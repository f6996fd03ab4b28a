"""Which system is best: posteriors of rates, for independent and for common items.

Every Beta posterior is a density of the log-odds, integrated by one quadrature; what is best,
how ranks fall and what is lost are integrals over it.
"""

__all__: list[str] = []
