"""Words for people: nothing that came from data or file names steers their terminal."""

import sys

import click

from steelyard.errors import strip_control_characters

__all__ = ["hand_over", "say"]


def say(text: str, *, err: bool = False) -> None:
    """Say something in words."""
    click.echo(strip_control_characters(text), err=err)


def hand_over(text: str) -> None:
    """Print what a program is to read, byte for byte; on a terminal a person reads it."""
    seen = sys.stdout.isatty()
    # With color=True nothing is taken out of what goes to a program.
    click.echo(strip_control_characters(text) if seen else text, nl=False, color=True)
