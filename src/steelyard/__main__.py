"""Run the command line with ``python -m steelyard``."""

from steelyard.surfaces.cli.entry import run

__all__: list[str] = []

if __name__ == "__main__":
    run()
