"""An agent's session: a real client of the protocol over standard input and output."""

import json
import os
import re
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import anyio
import pytest

from steelyard.errors import RequestError
from steelyard.journey.options import options_of
from steelyard.results.reading import read_result
from steelyard.surfaces.cli.fence import Fence, _folder_end
from steelyard.surfaces.cli.tools import POINTS, ask, input_schema, tool_names, words_of
from tests.typed import type_words

DATA = Path(__file__).parents[3] / "src/steelyard/data"


def test_a_client_lists_the_tools_calls_them_and_is_kept_inside_the_folder(tmp_path):
    from mcp.client.session import ClientSession
    from mcp.client.stdio import StdioServerParameters, stdio_client

    inside = tmp_path / "data"
    inside.mkdir()
    (inside / "digits.csv").write_bytes((DATA / "digits_labels.csv").read_bytes())
    (tmp_path / "secret.csv").write_text("item,truth,a\n1,x,x\n2,y,y\n", encoding="utf-8")
    (inside / "link.csv").symlink_to(tmp_path / "secret.csv")
    start = StdioServerParameters(
        command=sys.executable,
        args=["-m", "steelyard", "mcp", str(inside)],
        env=dict(os.environ),
    )
    said = {}

    async def session():
        async with stdio_client(start) as streams, ClientSession(*streams) as client:
            said["hello"] = await client.initialize()
            said["tools"] = (await client.list_tools()).tools
            asked = {"files": ["digits.csv"], "truth": "truth", "systems": ["svm", "tree"]}
            said["answer"] = await client.call_tool("compare", asked)
            said["link"] = await client.call_tool("evaluate", {"files": ["link.csv"]})
            said["odd"] = [
                await client.call_tool(name, given)
                for name, given in (
                    ("evaluate", {"files": {"a": "digits.csv"}}),
                    ("plan", {"question": "--help"}),
                    ("no such tool", {}),
                )
            ]
            said["plan"] = await client.call_tool(
                "plan", {"question": "pair", "rates": {"S": 0.9, "T": 0.88}}
            )

    # In a thread of its own: another test may have left a loop running in this one.
    with ThreadPoolExecutor(1) as apart:
        apart.submit(anyio.run, session).result()
    assert "Quote its sentence" in said["hello"].instructions
    assert [tool.name for tool in said["tools"]] == list(tool_names(writing=False))
    assert all(tool.annotations.read_only_hint for tool in said["tools"])
    answer = said["answer"]
    assert not answer.is_error
    assert answer.content[0].text.startswith("svm is better than tree")
    assert answer.structured_content["kind"] == "comparison"
    assert answer.structured_content["sentence"] in answer.content[0].text
    assert said["link"].is_error
    assert "outside of the folders" in said["link"].content[0].text
    assert all(one.is_error and "expected" in one.content[0].text for one in said["odd"][:1])
    assert all(one.is_error and "Choose one of" in one.content[0].text for one in said["odd"][1:])
    assert not said["plan"].is_error, said["plan"].content
    assert said["plan"].structured_content["kind"] == "plan"


@pytest.fixture
def fence(tmp_path, monkeypatch):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "t.csv").write_text(
        "item,truth,a,b\n" + "".join(f"{n},{n % 2},{n % 2},{n % 3 % 2}\n" for n in range(40)),
        encoding="utf-8",
    )
    (tmp_path / "secret.csv").write_text("item,truth\n1,0\n", encoding="utf-8")
    monkeypatch.chdir(folder)
    return Fence(folders=(folder,))


@pytest.mark.parametrize(
    "given",
    [
        {"files": ["../secret.csv"]},
        {"files": ["a=../secret.csv"]},
        {"files": ["../*.csv"]},
        {"files": ["*/../../secret.csv"]},
        {"files": ["-"]},
        {"files": ["https://example.org/x.parquet"]},
        {"files": ["postgresql://host/lab?table=runs"]},
        {"files": ["t.csv"], "truth": "../secret.csv"},
        {"files": ["t.csv"], "truth": "../secret.csv:truth"},
        {"files": ["t.csv"], "settings": "../secret.csv"},
    ],
    ids=str,
)
def test_no_argument_leads_out_of_the_folders(fence, given):
    answer = ask("compare", given, fence)
    assert answer.refused
    assert "outside of the folders" in answer.text


LINKS = {
    "another folder": lambda folder: folder.parent / "secret.csv",
    "the environment": lambda folder: "/proc/self/environ",
    "a device without end": lambda folder: "/dev/zero",
}


@pytest.mark.parametrize("asked", ["way*", "inner/*.csv", "*/way.csv", "inner"])
@pytest.mark.parametrize("leads", list(LINKS))
def test_no_link_leads_out_by_a_pattern_or_a_folder(fence, monkeypatch, leads, asked):
    monkeypatch.setenv("STEELYARD_TESTED", "hunter2")
    folder = fence.folders[0]
    (folder / "inner").mkdir()
    for name in ("way.csv", "inner/way.csv", "inner/way.jsonl"):
        (folder / name).symlink_to(LINKS[leads](folder))
    answer = ask("compare", {"files": [asked], "truth": "zzz"}, fence)
    assert answer.refused
    assert "secret" not in answer.text.replace("secret.csv", "")
    assert "hunter2" not in answer.text and "item" not in answer.text


@pytest.mark.parametrize("leads", ["/proc/self/environ", "/proc/self/cmdline", "/dev/zero"])
def test_while_a_tool_works_no_process_and_no_device_is_read(fence, leads):
    with fence.closing(), pytest.raises(PermissionError):
        Path(leads).open("rb")
    with fence.closing():
        assert Path("/proc/meminfo").read_text(encoding="utf-8")


def test_a_pipe_is_no_file(fence):
    os.mkfifo(fence.folders[0] / "pipe.csv")
    for asked in ("pipe.csv", "p*.csv"):
        assert "is not a file" in ask("evaluate", {"files": [asked]}, fence).text


def test_nothing_can_be_written_unless_it_is_allowed(fence, tmp_path):
    asked = {"files": ["t.csv"], "items": "list.csv"}
    assert "takes no 'items' here" in ask("compare", asked, fence).text
    assert "report" not in tool_names(writing=False)
    allowed = Fence(folders=fence.folders, writing=True)
    assert not ask("compare", asked, allowed).refused
    assert (fence.folders[0] / "list.csv").is_file()
    outside = ask("compare", {**asked, "items": "../list.csv"}, allowed)
    assert outside.refused and not (tmp_path / "list.csv").exists()


def test_while_a_tool_works_python_itself_opens_nothing_outside(fence, tmp_path):
    secret = tmp_path / "secret.csv"
    with fence.closing(), pytest.raises(PermissionError, match="outside of the folders"):
        secret.read_text(encoding="utf-8")
    with fence.closing(), pytest.raises(PermissionError):
        (fence.folders[0] / "new.txt").write_text("x", encoding="utf-8")
    with fence.closing():
        assert Path("t.csv").read_text(encoding="utf-8")
    assert secret.read_text(encoding="utf-8")


@pytest.mark.parametrize("verb", tool_names(writing=True))
def test_a_schema_has_every_option_that_the_command_has_but_those_of_printing(verb):
    schema = input_schema(verb, writing=True)["properties"]
    left = {"engine", "master", "query", "as_json", "as_csv", "raw_csv", "details", "verbose"}
    left |= {"question", "more"} if verb == "plan" else set()
    assert set(schema) - {"files", "question"} == set(options_of(verb, "cli")) - left
    assert all(one["description"] for one in schema.values())


@pytest.mark.parametrize(
    "given",
    [
        {"files": [None]},
        {"files": [["t.csv"]]},
        {"files": {"a": "t.csv"}},
        {"files": ["t.csv"], "level": [0.9]},
        {"files": ["t.csv"], "level": True},
        {"files": ["t.csv"], "truth": {"column": "truth"}},
        {"files": ["t.csv"], "lower_is_better": "no"},
        {"files": ["t.csv"], "cost": {"fn": [1]}},
    ],
    ids=str,
)
def test_an_argument_of_another_shape_is_refused_in_words(fence, given):
    answer = ask("evaluate", given, fence)
    assert answer.refused
    assert "; expected " in answer.text


def test_a_pattern_and_settings_lead_through_no_link(fence, tmp_path):
    (tmp_path / "out").mkdir()
    text = (fence.folders[0] / "t.csv").read_text(encoding="utf-8")
    (tmp_path / "out/secret.csv").write_text(text, encoding="utf-8")
    (fence.folders[0] / "linked").symlink_to(tmp_path / "out")
    settings = f'truth = "{tmp_path}/out/secret.csv:truth"\nitem = "item"\n'
    (fence.folders[0] / "led.toml").write_text(settings, encoding="utf-8")
    rows = [line.replace("truth", "c") for line in text.splitlines()]
    (fence.folders[0] / "answers.csv").write_text("\n".join(rows), encoding="utf-8")
    led = {"files": ["answers.csv"], "settings": "led.toml"}
    for given in ({"files": ["link*/secret.csv"]}, {"files": ["**/secret.csv"]}, led):
        answer = ask("evaluate", given, fence)
        assert answer.refused
        assert "outside of the folders" in answer.text


@pytest.mark.parametrize(
    ("verb", "more"), [("roc", {"resamples": 0}), ("targeting", {"by": "curve"})]
)
def test_a_curve_is_short_unless_more_of_it_is_asked_for(fence, verb, more):
    rows = [f"{n},{n % 2},{n * 7 % 1009 / 1009}" for n in range(1000)]
    text = "\n".join(["item,truth,s", *rows])
    (fence.folders[0] / "scores.csv").write_text(text, encoding="utf-8")
    asked = {"files": ["scores.csv"], "positive": "1", **more}
    short, whole = (ask(verb, {**asked, **kept}, fence) for kept in ({}, {"points": 0}))
    assert short.text == whole.text
    assert len(json.dumps(short.result)) < len(json.dumps(whole.result)) / 3
    assert str(POINTS) in input_schema(verb)["properties"]["points"]["description"]


def test_a_part_that_is_missing_and_a_fault_of_ours_are_words(fence, monkeypatch, capsys):
    def fail(error):
        def typed(words):
            raise error

        monkeypatch.setattr("steelyard.surfaces.cli.tools._type_command", typed)
        return ask("evaluate", {"files": ["t.csv"]}, fence)

    missing = fail(ModuleNotFoundError("No module named 'pyarrow.feather'", name="pyarrow.feather"))
    assert missing.refused and 'pip install "steelyard[arrow]"' in missing.text
    fault = fail(ZeroDivisionError("division by zero"))
    assert fault.refused and "itself failed (ZeroDivisionError: division by zero)" in fault.text
    assert "Traceback" in capsys.readouterr().err


def test_packages_are_read_wherever_they_lie_and_written_nowhere(fence, tmp_path, monkeypatch):
    """An environment may lie among temporary files, of which no other is read."""
    place = tmp_path / "venv/lib"
    place.mkdir(parents=True)
    (place / "module.py").write_text("x = 1", encoding="utf-8")
    with fence.closing(), pytest.raises(PermissionError):
        (place / "module.py").read_text(encoding="utf-8")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "venv"))
    with fence.closing():
        assert (place / "module.py").read_text(encoding="utf-8")
    with fence.closing(), pytest.raises(PermissionError):
        (place / "module.py").write_text("x = 2", encoding="utf-8")


def test_every_kind_of_value_is_typed_as_a_person_would():
    given = {
        "files": ["a.csv"],
        "classes": ["x", "y"],
        "pass_at": [1, 4],
        "range": [1, 5],
        "lower_is_better": True,
        "higher_is_better": False,
    }
    assert words_of("evaluate", given)[2:] == [
        "--classes=x", "--classes=y", "--lower-is-better", "--range=1,5", "--pass-at=1,4",
        "--", "a.csv",
    ]  # fmt: skip
    with pytest.raises(RequestError, match="takes no 'colour'"):
        words_of("gate", {"colour": 1})


@pytest.mark.parametrize(
    ("verb", "given"),
    [
        ("evaluate", {"systems": ["a,b"]}),
        ("evaluate", {"classes": ["x,1", "y"]}),
        ("compare", {"correct": {"S=190,T": 194}, "tested": 200}),
        ("compare", {"correct": {"S": "190,T=194"}, "tested": 200}),
        ("compare", {"prior": {"S=1:1": "2:2"}}),
    ],
)
def test_a_name_is_one_name_whatever_it_holds(fence, verb, given):
    answer = ask(verb, given | ({} if "correct" in given else {"files": ["t.csv"]}), fence)
    assert answer.refused
    assert "would be taken apart at its mark" in answer.text


def test_a_baseline_may_be_a_system_wherever_the_server_was_started(fence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = fence.folders[0] / "t.csv"
    systems = path.read_text(encoding="utf-8").partition("\n")[0].split(",")[-2:]
    asked = {"files": [str(path)], "candidate": systems[0], "require": ["better"]}
    assert not ask("gate", asked | {"baseline": systems[1]}, fence).refused
    for outside in ("/etc/passwd", "../x.csv", "~/.bashrc", "/etc/pass*"):
        answer = ask("gate", asked | {"baseline": outside}, fence)
        assert answer.refused
        assert "outside of the folders" in answer.text


def test_the_result_is_that_of_the_command_and_a_refusal_is_its_words(fence):
    answer = ask("compare", {"files": ["t.csv"]}, fence)
    typed = type_words(["compare", "t.csv", "--json"])
    assert read_result(typed.out) == read_result(json.dumps(answer.result))
    refused = ask("compare", {"files": ["t.csv"], "truth": "label"}, fence)
    assert refused.refused and "No column 'label'" in refused.text
    assert "no such file" in ask("compare", {"files": ["u.csv"]}, fence).text


def test_folders_must_be_named_and_be_there(tmp_path):
    assert "Name the folders" in type_words(["mcp"]).words
    assert "is not a folder" in type_words(["mcp", tmp_path / "none"]).words


def test_a_fence_stays_shut_for_all_threads_and_is_open_afterwards(fence, tmp_path):
    """Threads that open files meanwhile neither open a gap nor keep it shut for ever."""
    outside, ended, seen = tmp_path / "outside.txt", threading.Event(), set()
    outside.write_text("x")

    def look():
        while not ended.is_set():
            try:
                outside.read_text()
                seen.add("read")
            except PermissionError:
                seen.add("refused")

    with fence.closing():
        threads = [threading.Thread(target=look) for _ in range(4)]
        for thread in threads:
            thread.start()
        while "refused" not in seen:
            pass
        assert "read" not in seen
    while "read" not in seen:
        pass
    ended.set()
    for thread in threads:
        thread.join()
    assert outside.read_text() == "x"


def test_the_folder_of_a_pattern_is_looked_at_whichever_way_it_is_written(fence, monkeypatch):
    """A pattern may begin at the root, and Windows parts folders by two characters."""
    for pattern in ("/*.csv", "/et?/*.csv"):
        assert "outside of the folders" in ask("evaluate", {"files": [pattern]}, fence).text
    monkeypatch.setattr("os.altsep", "\\")
    pattern = "C:\\data\\*.csv"
    assert pattern[: _folder_end(pattern, pattern.index("*"))] == "C:\\data\\"


def test_an_environment_in_the_temporary_folder_is_read(fence, tmp_path, monkeypatch):
    module = Path(sys.modules[Fence.__module__].__file__)
    monkeypatch.setattr(tempfile, "tempdir", str(module.parents[4]))
    with fence.closing():
        assert module.read_bytes()
        with pytest.raises(PermissionError, match="outside of the folders"):
            (tmp_path / "secret.csv").read_bytes()
        with pytest.raises(PermissionError, match="outside of the folders"):
            module.open("a")


def test_the_session_on_the_page_is_a_real_one(tmp_path, monkeypatch):
    page = (DATA.parents[2] / "docs/how-to/agents.md").read_text(encoding="utf-8")
    (tmp_path / "digits.csv").write_bytes((DATA / "digits_labels.csv").read_bytes())
    monkeypatch.chdir(tmp_path)
    calls = re.findall(r"```text\n(\w+) (\{[^\n]*\})\n(.*?)```", page, re.DOTALL)
    assert [verb for verb, *_ in calls] == ["compare", "gate", "plan", "evaluate"]
    for verb, given, shown in calls:
        answer = ask(verb, json.loads(given), Fence(folders=(tmp_path,)))
        said, _, result = " ".join(shown.split()).partition(" {")
        told = said.removeprefix("error: ").replace("/home/me/data", str(tmp_path))
        assert " ".join(answer.text.split()).startswith(told), answer.text
        assert answer.refused == said.startswith("error: ")
        if result:
            kind, schema = re.match(r'"kind": "(\w+)", "schema": (\d+)', result).groups()
            assert (answer.result["kind"], answer.result["schema"]) == (kind, int(schema))
