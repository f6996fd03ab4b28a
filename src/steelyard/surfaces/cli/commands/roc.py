"""``steelyard roc``."""

from pathlib import Path
from typing import Any

from steelyard.surfaces.cli.options import verb_command
from steelyard.surfaces.cli.running import run_verb

__all__ = ["command"]


@verb_command("roc", short_help="How does a system trade detections against false alarms?")
def command(curve: str | None, **given: Any) -> None:  # noqa: ANN401
    """How does a system trade detections against false alarms?

    Draws the ROC curve of each system and reads anything off it. A number per class, without
    --positive, gives a curve for each class and Hand and Till's area.

    \b
    steelyard roc scores.csv --truth label --positive ship --at pfa=0.1 --at threshold=0.5
    steelyard roc scores.csv --positive ship --partial pfa:0:0.1 --curve points.csv
    steelyard roc scores.csv --positive ship --cost fn=5,fp=1 --prevalence 0.01
    steelyard roc folds.csv --positive ship --fold fold --average false-alarm-rate,pooled
    """
    from steelyard.journey import roc

    if curve is not None and given["points"] is None:
        given["points"] = 0
    result = run_verb(roc, "roc", "drawing the curves", given)
    if curve is not None:
        _write(result, Path(curve))


def _write(result: Any, path: Path) -> None:  # noqa: ANN401
    from steelyard.display.saving import write_whole
    from steelyard.surfaces.cli.showing import announce_file, unwritable

    try:
        write_whole(path, result.curve_csv().encode())
    except OSError as error:
        raise unwritable(path, error) from None
    announce_file(path)
