"""The frame around every page, and the list of pages."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import QueryParams

from steelyard.errors import SteelyardError
from steelyard.surfaces.web import compare_page, evaluate_page, plan_page
from steelyard.surfaces.web.asking import State
from steelyard.surfaces.web.desk import Desk, Entry
from steelyard.surfaces.web.jobs import Job, Progress
from steelyard.surfaces.web.templating import rendered

__all__ = ["PAGES", "Page", "begin", "begun", "page_html"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page: parse (``asked``), call the journey (``find``), show (``show`` and ``refuse``)."""

    title: str
    question: str
    asked: Callable[[State], bool]
    find: Callable[[Desk, State, Progress], Any]
    show: Callable[[Desk, State, Any, int], dict[str, Any]]
    refuse: Callable[[Desk, State, SteelyardError], dict[str, Any]]
    controls: Callable[[Desk, QueryParams], dict[str, Any]]
    scripts: tuple[str, ...] = ()


PAGES: dict[str, Page] = {
    "evaluate": Page(
        title="Evaluate",
        question="How good is each system?",
        asked=evaluate_page.asked,
        find=evaluate_page.find,
        show=evaluate_page.show,
        refuse=evaluate_page.refuse,
        controls=evaluate_page.controls,
        scripts=("evaluate.js",),
    ),
    "compare": Page(
        title="Compare",
        question="Which is better, and how sure is that?",
        asked=compare_page.asked,
        find=compare_page.find,
        show=compare_page.show,
        refuse=compare_page.refuse,
        controls=compare_page.controls,
    ),
    "plan": Page(
        title="Plan",
        question="How many test samples do I need?",
        asked=plan_page.asked,
        find=plan_page.find,
        show=plan_page.show,
        refuse=plan_page.refuse,
        controls=plan_page.controls,
        scripts=("plan.js",),
    ),
}


def page_html(name: str, query: QueryParams, desk: Desk, *, token: str) -> str:
    """Write the page without its answer, which its script asks for."""
    page = PAGES[name]
    own = [Entry(title=one.title, path=f"/{path}") for path, one in PAGES.items()]
    return rendered(
        f"{name}.html",
        page=page,
        name=name,
        token=token,
        entries=[*own, *desk.entries],
        here=f"/{name}",
        **page.controls(desk, query),
    )


def begin(desk: Desk, state: State) -> Job | None:
    """Begin what a page needs for its answer; None when nothing was asked yet."""
    page = PAGES[state.page]
    if not page.asked(state):
        return None
    return desk.workshop.start(desk.key(state), lambda progress: page.find(desk, state, progress))


def begun(desk: Desk, state: State) -> Job | None:
    """Find work that was begun for a state."""
    return desk.workshop.known(desk.key(state))
