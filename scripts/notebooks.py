"""Run the notebooks of the documentation while it is built, and show them as pages.

A notebook is kept without its outputs. It runs in this process, cell after cell, so that neither a
kernel nor a network is needed; what a cell shows is what Jupyter would show of it. The page links
to the notebook with its outputs, to be taken along.
"""

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

__all__ = ["as_page", "on_files", "run_notebook"]

HTML, TEXT = "text/html", "text/plain"


def run_notebook(path: Path) -> dict[str, Any]:
    """Run every cell, and give the notebook with what they showed; an error is an error here."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    number = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            place = f"{path.name}, cell {number}"
            cell["execution_count"] = number
            cell["outputs"] = _outputs("".join(cell["source"]), names, place, number)
    return notebook


def _outputs(source: str, names: dict[str, Any], place: str, number: int) -> list[dict[str, Any]]:
    """Run one cell; the value of a last line that is an expression is shown."""
    tree = ast.parse(source, filename=place)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, place, "exec"), names)
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), place, "eval"), names)
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        found.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue()})
    if value is not None:
        shown = {"data": _shown(value), "metadata": {}, "execution_count": number}
        found.append({"output_type": "execute_result", **shown})
    return found


def _shown(value: Any) -> dict[str, str]:  # noqa: ANN401
    draw = getattr(value, "_repr_html_", None)
    if draw is None:
        return {TEXT: repr(value)}
    return {HTML: draw(), TEXT: getattr(value, "summary", None) or str(value)}


def as_page(notebook: dict[str, Any], name: str) -> str:
    """Write a notebook that was run as Markdown."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        parts += [_as_markdown(output) for output in cell["outputs"]]
    parts.append(f"[Take this notebook along]({name}.ipynb), with all that it showed.")
    return "\n\n".join(parts) + "\n"


def _as_markdown(output: dict[str, Any]) -> str:
    if output["output_type"] == "stream":
        return f"```text\n{output['text'].rstrip()}\n```"
    if HTML in output["data"]:
        # An empty line would end the block of HTML in Markdown.
        drawn = "\n".join(line for line in output["data"][HTML].splitlines() if line.strip())
        return f'<div class="shown">{drawn}</div>'
    return f"```text\n{output['data'][TEXT]}\n```"


def on_files(files: Any, config: Any) -> Any:  # noqa: ANN401
    """Add a page for each notebook, and put the one with outputs in place of the bare one."""
    from mkdocs.structure.files import File

    for file in [one for one in files if one.src_uri.endswith(".ipynb")]:
        path = Path(file.abs_src_path)
        run = run_notebook(path)
        files.remove(file)
        page = file.src_uri.removesuffix(".ipynb") + ".md"
        whole = json.dumps(run, indent=1, ensure_ascii=False) + "\n"
        files.append(File.generated(config, file.src_uri, content=whole))
        files.append(File.generated(config, page, content=as_page(run, path.stem)))
    return files
