"""``steelyard models``."""

from typing import Any

import click

from steelyard.surfaces.cli.options import (
    GroupedCommand,
    group_option,
    name_parts,
    result_options,
)
from steelyard.surfaces.cli.showing import print_result

__all__ = ["command"]

WORDS = {"llf": "log_likelihood", "k": "parameters", "n": "items"}


@click.command(
    "models", cls=GroupedCommand, short_help="Which fitted model describes the data best?"
)
@group_option(
    "--model",
    "models",
    group="Question",
    multiple=True,
    required=True,
    metavar="NAME=llf:-120.5,k:3,n:100",
    help="A model: log-likelihood, number of parameters, observations. Give two or more.",
)
@group_option(
    "--criterion",
    group="Question",
    type=click.Choice(["aic", "aicc", "bic"]),
    default="aic",
    help="What to rank by. [default: aic]",
)
@result_options
def command(models: tuple[str, ...], criterion: Any, **shown: Any) -> None:  # noqa: ANN401
    """Which fitted model describes the data best?

    Ranks models of the same observations by AIC, AICc or BIC, with differences, weights and the
    logarithm of the Bayes factor.

    \b
    steelyard models --model A=llf:-120.5,k:3,n:100 --model B=llf:-121.0,k:5,n:100
    """
    from steelyard.journey import rank_models

    print_result(rank_models([_read_typed(one) for one in models], criterion=criterion), **shown)


def _read_typed(given: str) -> Any:  # noqa: ANN401
    from steelyard.measures import FittedModel

    name, _, facts = given.rpartition("=")
    pairs = name_parts(facts, None, mark=":")
    try:
        if not name or set(pairs) != set(WORDS):
            raise ValueError  # noqa: TRY301 - one message for all that can be wrong
        return FittedModel(
            name=name,
            log_likelihood=float(pairs["llf"]),
            parameters=int(pairs["k"]),
            items=int(pairs["n"]),
        )
    except ValueError as error:
        message = str(error) if "has log-likelihood" in str(error) else ""
        message = message or f"{given!r} is not of the form NAME=llf:-120.5,k:3,n:100."
        raise click.BadParameter(message, param_hint="--model") from None
