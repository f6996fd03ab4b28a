"""The frame around every page, and the list of pages."""

from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from starlette.datastructures import QueryParams

from steelyard.errors import SteelyardError
from steelyard.surfaces.web.app_state import AppState, Entry
from steelyard.surfaces.web.asking import State
from steelyard.surfaces.web.jobs import Job, Progress
from steelyard.surfaces.web.pages.templating import render

__all__ = ["PAGES", "Page", "begin", "find_work", "page_html"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page; its module has the steps, and is loaded when the first of them is taken.

    ``asks_something`` and ``controls`` parse, ``find`` calls the journey, ``show`` and ``refuse``
    show.
    """

    title: str
    question: str
    module: str
    scripts: tuple[str, ...] = ()
    verb: str = ""
    """What is asked, where pages share a module."""

    def load(self) -> ModuleType:
        """Import the module of the page, with all that counts and draws."""
        return import_module(f"steelyard.surfaces.web.pages.{self.module}")

    def asks_something(self, state: State) -> bool:
        """Tell whether there is something to answer."""
        return bool(self.load().asks_something(state))

    def find(self, app_state: AppState, state: State, progress: Progress) -> Any:  # noqa: ANN401
        """Call the journey."""
        return self.load().find(app_state, state, progress)

    def show(self, app_state: AppState, state: State, found: Any, width: int) -> dict[str, Any]:  # noqa: ANN401
        """Write the answer for the browser."""
        return dict(self.load().show(app_state, state, found, width))

    def refuse(self, app_state: AppState, state: State, error: SteelyardError) -> dict[str, Any]:
        """Say why there is no answer."""
        return dict(self.load().refuse(app_state, state, error))

    def mark(self, app_state: AppState, state: State) -> str:
        """Tell one state of what is looked at from another, where others change it."""
        made = getattr(self.load(), "mark", None)
        return "" if made is None else str(made(app_state, state))

    def result_of(self, found: Any) -> Any:  # noqa: ANN401
        """Give the result within what was found."""
        made = getattr(self.load(), "result_of", None)
        return found if made is None else made(found)

    def controls(self, app_state: AppState, query: QueryParams) -> dict[str, Any]:
        """Fill the controls from the link."""
        told = (app_state, query, self.verb) if self.verb else (app_state, query)
        return dict(self.load().controls(*told))


PAGES: dict[str, Page] = {
    "evaluate": Page(
        title="Evaluate",
        question="How good is each system?",
        module="evaluate",
        scripts=("evaluate.js",),
    ),
    "compare": Page(
        title="Compare",
        question="Which is better, and how sure is that?",
        module="compare",
    ),
    "plan": Page(
        title="Plan",
        question="How many test items do I need?",
        module="plan",
        scripts=("plan.js",),
    ),
    "calibration": Page(
        title="Calibration",
        question="Do probabilities mean what they say?",
        module="question",
        verb="calibration",
    ),
    "targeting": Page(
        title="Targeting",
        question="Whom do I contact first, and what does it bring?",
        module="question",
        verb="targeting",
    ),
    "agreement": Page(
        title="Agreement",
        question="How far do raters or systems agree?",
        module="question",
        verb="agreement",
    ),
    "gate": Page(
        title="Gate",
        question="May the candidate pass?",
        module="question",
        verb="gate",
    ),
    "campaigns": Page(
        title="Campaigns",
        question="May I stop testing now?",
        module="campaigns",
        scripts=("campaigns.js",),
    ),
    "suites": Page(
        title="Suites",
        question="Who leads over many problems?",
        module="suites",
        scripts=("suites.js",),
    ),
}


def page_html(name: str, query: QueryParams, app_state: AppState, *, token: str) -> str:
    """Write the page without its answer, which its script asks for."""
    page = PAGES[name]
    own = [Entry(title=one.title, path=f"/{path}") for path, one in PAGES.items()]
    return render(
        "question.html" if page.verb else f"{name}.html",
        page=page,
        name=name,
        token=token,
        entries=[*own, *app_state.entries],
        here=f"/{name}",
        **page.controls(app_state, query),
    )


def begin(app_state: AppState, state: State) -> Job | None:
    """Begin what a page needs for its answer; None when nothing was asked yet."""
    page = PAGES[state.page]
    if not page.asks_something(state):
        return None
    return app_state.jobs.start(
        _key(app_state, state), lambda progress: page.find(app_state, state, progress)
    )


def find_work(app_state: AppState, state: State) -> Job | None:
    """Find work that was begun for a state."""
    return app_state.jobs.find(_key(app_state, state))


def _key(app_state: AppState, state: State) -> object:
    return [app_state.key(state), PAGES[state.page].mark(app_state, state)]
