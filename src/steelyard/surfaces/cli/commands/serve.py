"""``steelyard serve``."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from steelyard.errors import need
from steelyard.surfaces.cli.options import GroupedCommand, group_option

if TYPE_CHECKING:
    from steelyard.surfaces.web.uploads import Uploads

__all__ = ["command"]

PORT = 8377
HELP_PORT = f"Port; fixed, so that links keep working. [default: {PORT}]"


@click.command(
    "serve",
    cls=GroupedCommand,
    short_help="The same answers on a page in your browser, on this machine only.",
)
@click.argument("files", nargs=-1, metavar="FILE...")
@group_option(
    "--campaign",
    "campaigns",
    group="What is shown",
    multiple=True,
    metavar="NAME=LEDGER",
    help="Campaign to show and to take results for; also a PostgreSQL address. Repeatable.",
)
@group_option(
    "--suite",
    "suites",
    group="What is shown",
    multiple=True,
    metavar="FOLDER",
    help="Suite to show; repeatable.",
)
@group_option(
    "--port", group="Address", type=click.IntRange(1, 65535), default=PORT, help=HELP_PORT
)
@group_option("--no-browser", group="Address", is_flag=True, help="Only print the link.")
@group_option(
    "--state",
    group="What is kept",
    metavar="DIR",
    help="Folder that is kept across restarts. [default: XDG state]",
)
@group_option(
    "--token-file",
    group="Tokens",
    metavar="FILE",
    help="File with the token; otherwise STEELYARD_TOKEN, or the one kept.",
)
@group_option(
    "--new-token",
    group="Tokens",
    is_flag=True,
    help="Make a new token; it ends all sessions.",
)
@group_option(
    "--url",
    "link",
    group="Address",
    is_flag=True,
    help="Print a link to the page that runs already.",
)
@group_option(
    "--host", group="Address", default="127.0.0.1", metavar="ADDRESS", help="Address to listen at."
)
@group_option(
    "--remote",
    group="Address",
    is_flag=True,
    help="Confirm that other machines may reach it (with --host).",
)
@group_option(
    "--allow-host",
    group="Address",
    multiple=True,
    metavar="NAME",
    help="Another host name to answer to.",
)
@group_option(
    "--most-megabytes", group="Limits", type=click.IntRange(1), default=512, help="Largest upload."
)
@group_option(
    "--most-rows",
    group="Limits",
    type=click.IntRange(1),
    default=20_000_000,
    help="Most rows counted.",
)
@group_option(
    "--issue-token",
    group="Tokens",
    metavar="SCOPE",
    help="Print a token for a rig: campaign:radar.",
)
@group_option(
    "--revoke-token", group="Tokens", metavar="NAME", help="Forget a token, or all of a scope."
)
@group_option(
    "--list-tokens", group="Tokens", is_flag=True, help="List the tokens that were issued."
)
def command(files: tuple[str, ...], **given: Any) -> None:  # noqa: ANN401
    """The same answers on a page in your browser, on this machine only.

    Drop a file, move the threshold, change the prior, plan a test; every page has a link that holds
    its state, and says what to type for the same answer.

    \b
    steelyard serve
    steelyard serve scores.csv
    steelyard serve svm=svm.csv rf=rf.csv --port 9000 --no-browser
    steelyard serve --campaign radar=radar.db --suite ground
    steelyard serve --url
    steelyard serve --issue-token campaign:radar
    """
    from steelyard.surfaces.web.door.tokens import private_folder
    from steelyard.surfaces.web.uploads import state_folder

    folder = private_folder(state_folder(given["state"], os.environ))
    if not _about_tokens(folder, given):
        _serve(folder, files, given)


def _about_tokens(folder: Path, given: dict[str, Any]) -> bool:
    """Do what was asked about tokens; False when nothing was."""
    from steelyard.surfaces.web.door.tokens import TokenBook

    book = TokenBook(folder)
    if given["issue_token"]:
        click.echo(book.issue(given["issue_token"]))
        click.echo("Shown this once. Send it as: Authorization: Bearer TOKEN", err=True)
    elif given["revoke_token"]:
        gone = book.revoke(given["revoke_token"])
        click.echo(f"Revoked {gone} token{'' if gone == 1 else 's'}.")
    elif given["list_tokens"]:
        for one in book.tokens():
            click.echo(f"{one.name}  {one.scope}  issued {one.issued}")
        if not book.tokens():
            click.echo("No token was issued. Type: steelyard serve --issue-token campaign:NAME")
    else:
        return False
    return True


def _serve(folder: Path, files: tuple[str, ...], given: dict[str, Any]) -> None:
    from steelyard.surfaces.web.door.tokens import session_token

    file = Path(given["token_file"]) if given["token_file"] else None
    token = session_token(folder, file=file, renew=given["new_token"], environment=os.environ)
    port = given["port"]
    if given["link"]:
        from steelyard.surfaces.web.serving import serving_link

        click.echo(serving_link(token, port))
        return
    for module in ("starlette", "uvicorn", "jinja2", "vl_convert", "sqlalchemy"):
        need(module, "steelyard serve", extra="page")
    from steelyard.surfaces.web.app import make_app
    from steelyard.surfaces.web.app_state import AppState
    from steelyard.surfaces.web.door.guard import Access, hosts_for
    from steelyard.surfaces.web.door.tokens import TokenBook
    from steelyard.surfaces.web.served import ServedCampaigns, ServedSuites
    from steelyard.surfaces.web.serving import Serving, serve
    from steelyard.surfaces.web.static_files import prepare
    from steelyard.surfaces.web.uploads import Uploads

    uploads = Uploads(folder)
    campaigns = ServedCampaigns.of(given["campaigns"])
    suites = ServedSuites.of(given["suites"])
    page = _register(uploads, files)
    if not files:
        page = "/campaigns" if given["campaigns"] else "/suites" if given["suites"] else page
    serving = Serving(host=given["host"], port=port, browser=not given["no_browser"], page=page)
    if not serving.local and not given["remote"]:
        message = (
            f"--host {given['host']} lets other machines in. If that is meant, add --remote and "
            "--allow-host NAME; to reach this page from another machine, ssh -L "
            f"{port}:127.0.0.1:{port} is safer."
        )
        raise click.UsageError(message)
    access = Access(
        token=token, port=port, book=TokenBook(folder), hosts=hosts_for(given["allow_host"])
    )
    app_state = AppState(
        folder=folder,
        uploads=uploads,
        most_bytes=given["most_megabytes"] << 20,
        most_rows=given["most_rows"],
        campaigns=campaigns,
        suites=suites,
    )
    prepare(folder)
    serve(
        make_app(app_state, access),
        access,
        serving,
        folder=folder,
        say=lambda text: click.echo(text, err=True),
    )


def _register(uploads: "Uploads", files: tuple[str, ...]) -> str:
    """Offer the files: named ones as one set, others each by itself."""
    from steelyard.sources.files.files import expand_paths
    from steelyard.surfaces.cli.running import gather_files, split_name

    if not files:
        return "/evaluate"
    data = gather_files(files)
    if any(split_name(file)[2] == "-" for file in files):
        message = (
            "A page reads its files for every question, and standard input only once: name one."
        )
        raise click.UsageError(message)
    if isinstance(data, dict):
        for part in data.values():
            for path in [part] if isinstance(part, str) else part:
                expand_paths(path)
        first = uploads.register(data, files)
    else:
        paths = [path for one in files for path in expand_paths(one)]
        first, *_ = [uploads.register(str(path), (str(path),)) for path in paths]
    return f"/evaluate?data={first.key}"
