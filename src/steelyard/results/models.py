"""Fitted models in the order of an information criterion."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from steelyard.display.numbers import show_number, show_probability
from steelyard.display.tables import Table, number_cell, text_cell
from steelyard.display.text import join_names, show_name
from steelyard.results.base import Cell, Provenance, Result, tidy_row

__all__ = ["Models", "RankedModel"]

NEAR = 2.0
"""Models less than this far from the best have, by convention, substantial support."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedModel:
    """One model: what it was fitted with, its criteria, and how it stands to the best.

    ``difference`` and ``weight`` go by the chosen criterion; ``log_bayes_factor`` is that of the
    best model by BIC over this one.
    """

    name: str
    log_likelihood: float
    parameters: int
    aic: float
    aicc: float | None
    bic: float
    difference: float
    weight: float
    log_bayes_factor: float

    def rows(self) -> list[dict[str, Cell]]:
        """List every number of the model as tidy rows."""
        numbers: dict[str, float | None] = {
            "log-likelihood": self.log_likelihood,
            "parameters": float(self.parameters),
            "AIC": self.aic,
            "AICc": self.aicc,
            "BIC": self.bic,
            "difference": self.difference,
            "weight": self.weight,
            "ln Bayes factor of the best": self.log_bayes_factor,
        }
        lost = "too few observations for so many parameters"
        return [
            tidy_row(
                measure=name, system=self.name, value=value, reason=lost if value is None else None
            )
            for name, value in numbers.items()
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Models(Result):
    """Models of the same observations, the best first."""

    kind: ClassVar[str] = "models"
    criterion: Literal["aic", "aicc", "bic"]
    items: int
    models: tuple[RankedModel, ...]
    provenance: Provenance

    def headline(self) -> str:
        """Say which model to take, or that several are close."""
        if len(self.models) < 2:
            return ""
        best = show_name(self.models[0].name)
        near = [one.name for one in self.models[1:] if one.difference < NEAR]
        if near:
            return f"Take none yet: {best} and {join_names(near)} are close."
        return f"Take {best}."

    def sentence(self) -> str:
        """Say which model is best, by how much, and which are close."""
        if not self.models:
            return "No model was ranked."
        best, name = self.models[0], {"aic": "AIC", "aicc": "AICc", "bic": "BIC"}[self.criterion]
        said = (
            f"{show_name(best.name)} has the lowest {name} of {len(self.models)} models, with "
            f"weight {show_probability(min(1.0, max(0.0, best.weight)))}"
        )
        near = [one.name for one in self.models[1:] if one.difference < NEAR]
        if near:
            verb = "is" if len(near) == 1 else "are"
            return f"{said}; {join_names(near)} {verb} less than {NEAR:g} away and not ruled out."
        if len(self.models) == 1:
            return f"{said}."
        second = self.models[1]
        return (
            f"{said}; the next, {show_name(second.name)}, is {show_number(second.difference)} away."
        )

    def rows(self) -> list[dict[str, Cell]]:
        """List every number of every model."""
        return [row for one in self.models for row in one.rows()]

    def tables(self) -> list[Table]:
        """Show the models from the best down."""
        rows = [
            [
                text_cell("model", one.name),
                number_cell("log-lik.", one.log_likelihood),
                number_cell("parameters", one.parameters, str),
                number_cell("AIC", one.aic),
                number_cell("AICc", one.aicc),
                number_cell("BIC", one.bic),
                number_cell("difference", one.difference),
                number_cell("weight", min(1.0, max(0.0, one.weight)), show_probability),
                number_cell("ln B best", one.log_bayes_factor),
            ]
            for one in self.models
        ]
        return [Table.of("Models", rows)] if rows else []

    def details(self) -> list[str]:
        """Say what was compared and how."""
        return [f"Models of {self.items:,} observations.", *self.provenance.lines()]
