"""The recipe for GitLab in the docs, read as GitLab reads it and run as its runner does."""

import os
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
import yaml

from tests.surfaces.action.test_steps import table

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/how-to/pull-requests.md").read_text(encoding="utf-8")
RECIPE = yaml.safe_load(re.search(r"```yaml\n# \.gitlab-ci\.yml\n(.*?)```", PAGE, re.DOTALL)[1])


@pytest.fixture
def gitlab(tmp_path):
    """What keeps the artifacts of earlier jobs: one file, for who has the job's token."""
    kept, asked = tmp_path / "kept.csv", []

    class Kept(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append((self.path, self.headers["JOB-TOKEN"]))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(kept.read_bytes())

        def log_message(self, *_):
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Kept)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/api/v4", kept, asked
    server.shutdown()
    server.server_close()


def test_a_merge_request_is_gated_against_what_the_default_branch_keeps(gitlab, tmp_path):
    address, kept, asked = gitlab
    table(tmp_path / "predictions.csv", wrong=range(3))
    table(kept, wrong=range(3, 40))
    ended = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", "\n".join(RECIPE["gate"]["script"])],
        cwd=tmp_path,
        env={
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(tmp_path),
            "CI_API_V4_URL": address,
            "CI_PROJECT_ID": "7",
            "CI_DEFAULT_BRANCH": "main",
            "CI_JOB_TOKEN": "secret",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert asked == [
        ("/api/v4/projects/7/jobs/artifacts/main/raw/predictions.csv?job=predict", "secret")
    ]
    artifacts = RECIPE["gate"]["artifacts"]
    assert all((tmp_path / name).is_file() for name in artifacts["paths"])
    assert (tmp_path / artifacts["reports"]["junit"]).is_file()


def test_what_the_gate_needs_runs_wherever_the_gate_does_and_on_the_default_branch():
    """A job without rules is in no pipeline of a merge request, and what needs it breaks that."""
    gate, predict = ([rule["if"] for rule in RECIPE[job]["rules"]] for job in ("gate", "predict"))
    assert RECIPE["gate"]["needs"] == ["predict"]
    assert set(gate) < set(predict)
    assert "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH" in predict
    assert RECIPE["gate"]["allow_failure"] == {"exit_codes": [4]}
