"""DuckDB's httpfs, from its package, against a web server on this machine."""

import http.server
import re
import shutil
import threading
from pathlib import Path

import duckdb
import duckdb_extension_httpfs
import pytest

import steelyard as sy
from steelyard.errors import FileUnreadable


class Ranges(http.server.SimpleHTTPRequestHandler):
    """A server that gives parts of files, as every object store does."""

    def log_message(self, *said):
        """Say nothing."""

    def do_GET(self):
        """Give the bytes that were asked for."""
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        whole = path.read_bytes()
        asked = re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        start = int(asked[1]) if asked else 0
        part = whole[start : int(asked[2]) + 1 if asked and asked[2] else None]
        self.send_response(206 if asked else 200)
        if asked:
            self.send_header("Content-Range", f"bytes {start}-{start + len(part) - 1}/{len(whole)}")
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)


@pytest.fixture
def web(tmp_path, monkeypatch):
    """Serve a folder, and give DuckDB the extension in a home of its own."""
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    ((platform,),) = duckdb.sql("PRAGMA platform").fetchall()
    place = home / ".duckdb" / "extensions" / f"v{duckdb.__version__}" / platform
    place.mkdir(parents=True)
    (packed,) = Path(duckdb_extension_httpfs.__file__).parent.rglob("httpfs.duckdb_extension")
    shutil.copy(packed, place)
    folder = tmp_path / "web"
    folder.mkdir()
    rows = (
        "SELECT 'i' || i AS item, i % 2 AS truth, i % 2 AS svm, i % 3 % 2 AS rf FROM range(60) t(i)"
    )
    duckdb.sql(f"COPY ({rows}) TO '{folder}/a.parquet'")
    duckdb.sql(f"COPY ({rows}) TO '{folder}/a.csv'")
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), lambda *given: Ranges(*given, directory=str(folder))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def test_parquet_and_csv_are_read_from_a_server(web):
    place = sy.compare(f"{web}/a.parquet?key=hush", truth="truth", item="item")
    copied = sy.compare(f"{web}/a.csv?key=hush", truth="truth", item="item")
    assert place.systems == copied.systems
    assert place.systems[0].system == "svm"
    assert "hush" not in place.to_json() + copied.to_json()


def test_what_is_not_there_is_said_without_keys(web):
    for name in ("b.parquet", "b.csv"):
        with pytest.raises(FileUnreadable, match="404") as refused:
            sy.compare(f"{web}/{name}?key=hush")
        assert "hush" not in str(refused.value)
