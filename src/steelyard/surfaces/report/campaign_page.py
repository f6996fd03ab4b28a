"""A campaign as one HTML file: the verdict, its path, what the rule really does, every entry."""

from markupsafe import Markup

from steelyard.display.figures.document import script_hash, script_json
from steelyard.display.html import table_markup
from steelyard.errors import counted
from steelyard.results.campaign import CampaignStatus
from steelyard.results.campaign_records import CampaignHistory, CampaignRule
from steelyard.surfaces.report.page import ICON, page_environment, page_style
from steelyard.surfaces.report.pictures import picture

__all__ = ["campaign_html"]


def campaign_html(
    status: CampaignStatus,
    history: CampaignHistory,
    rule: CampaignRule | None,
    *,
    title: str | None = None,
) -> str:
    """Write the campaign with its pictures, doubts and methods; the JSON of its status is inside.

    Without a ``rule``, what it really does is left out.
    """
    style = page_style()
    subtitle = (
        f"{counted(len(status.systems), 'system')}, {counted(status.items, 'item')} that count, "
        f"{counted(status.results, 'result')} in {status.entries} entries"
    )
    ruled = [] if rule is None else rule.tables()
    return (
        page_environment()
        .get_template("campaign.html")
        .render(
            title=title or status.name,
            subtitle=subtitle,
            policy="default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
            f"style-src {script_hash(style)}",
            icon=ICON,
            status=status,
            rule=rule,
            # Markup: our own files, tables and pictures that escape what they hold, escaped JSON.
            style=Markup(style),
            tables=[Markup(table_markup(one)) for one in status.tables()],
            ruled=[Markup(table_markup(one)) for one in ruled],
            entries=[Markup(table_markup(one)) for one in history.tables()],
            pictures=[
                picture(name.replace(" ", "-"), draw()) for name, draw in status.charts().items()
            ],
            doubts=status.notes() or ["There is no doubt to name."],
            methods=[
                *status.details(),
                *([] if rule is None else [f"What the rule does: {rule.details()[0]}"]),
            ],
            saved=Markup(script_json(status.to_dict())),
        )
    )
