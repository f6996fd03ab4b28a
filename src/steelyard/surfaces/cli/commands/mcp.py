"""``steelyard mcp``."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from steelyard.errors import ExtraMissing, RequestError

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from steelyard.surfaces.cli.fence import Fence

__all__ = ["command", "make_server"]

INSTRUCTIONS = (
    "Steelyard answers questions about recognition systems and other models from files of their "
    "answers: how good each is, which is better and how sure that is, whether a candidate may "
    "pass, how many items a test needs. Quote its sentence and its caveats; do not compute "
    "intervals or p-values yourself. A refusal says what to pass next."
)


@click.command("mcp", short_help="Offer these commands as tools to agents, over standard input.")
@click.argument("folders", nargs=-1, metavar="FOLDER...")
@click.option("--allow-write", is_flag=True, help="Let charts, reports and lists be written there.")
def command(folders: tuple[str, ...], *, allow_write: bool) -> None:
    """Offer these commands as tools to agents, over standard input.

    Speaks the Model Context Protocol. Only files inside the folders can be read, and nothing is
    written unless you allow it.

    \b
    steelyard mcp data
    steelyard mcp data results --allow-write
    """
    from steelyard.surfaces.cli.fence import Fence

    if not folders:
        message = "Name the folders whose files may be read: steelyard mcp data"
        raise RequestError(message)
    places = tuple(Path(one).expanduser().resolve() for one in folders)
    missing = next((one for one in places if not one.is_dir()), None)
    if missing is not None:
        message = f"{str(missing)!r} is not a folder. Name one that exists."
        raise RequestError(message)
    fence = Fence(folders=places, writing=allow_write)
    server = make_server(fence)
    # A relative name means a file in the first folder.
    os.chdir(places[0])
    _serve(server)


def make_server(fence: "Fence") -> "Server[Any]":
    """Make the server of the protocol: a tool for each verb."""
    try:
        from mcp import types
        from mcp.server.lowlevel import Server
    except ImportError as error:
        what = "steelyard mcp"
        raise ExtraMissing.for_part(what, extra="mcp") from error
    from anyio import CapacityLimiter, to_thread

    from steelyard._version import __version__
    from steelyard.journey.options import Verb
    from steelyard.surfaces.cli.tools import (
        OUTPUT_SCHEMA,
        ask,
        describe,
        input_schema,
        tool_names,
    )

    # What a verb prints is caught, and there is one standard output.
    one_at_a_time = CapacityLimiter(1)

    async def list_tools(context: object, asked: object) -> types.ListToolsResult:
        del context, asked
        tools = [
            types.Tool(
                name=verb,
                description=describe(verb),
                input_schema=input_schema(verb, writing=fence.writing),
                output_schema=None if verb == "report" else dict(OUTPUT_SCHEMA),
                annotations=types.ToolAnnotations(
                    read_only_hint=not fence.writing, open_world_hint=False
                ),
            )
            for verb in tool_names(writing=fence.writing)
        ]
        return types.ListToolsResult(tools=tools)

    async def call_tool(
        context: object, asked: types.CallToolRequestParams
    ) -> types.CallToolResult:
        del context
        verb, given = cast(Verb, asked.name), asked.arguments or {}
        answer = await to_thread.run_sync(ask, verb, given, fence, limiter=one_at_a_time)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=answer.text)],
            structured_content=answer.result,
            is_error=answer.refused,
        )

    return Server(
        "steelyard",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _serve(server: "Server[Any]") -> None:
    import anyio
    from mcp.server.stdio import stdio_server

    async def run() -> None:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(run)
