"""A page that runs inside the test, and a browser-like client that was let in."""

import warnings
from importlib.resources import files
from pathlib import Path

import pytest

from steelyard.surfaces.web.app import make_app
from steelyard.surfaces.web.app_state import AppState
from steelyard.surfaces.web.door.guard import TOKEN_HEADER, Access
from steelyard.surfaces.web.door.tokens import TokenBook, new_token
from steelyard.surfaces.web.uploads import Uploads

with warnings.catch_warnings():
    # Starlette would rather have another client than the one its earlier versions need.
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

__all__: list[str] = []

PORT = 8377
BASE = f"http://127.0.0.1:{PORT}"
DATA = Path(str(files("steelyard") / "data"))


class Here:
    """One running page and its parts."""

    def __init__(self, folder, **limits):
        self.folder = folder
        self.access = Access(token=new_token(), port=PORT, book=TokenBook(folder))
        self.uploads = Uploads(folder)
        self.app_state = AppState(folder=folder, uploads=self.uploads, **limits)
        self.routes = ()

    def app(self):
        return make_app(self.app_state, self.access, extra_routes=self.routes)

    def client(self, *, let_in=True, token=True):
        client = TestClient(self.app(), base_url=BASE, follow_redirects=False)
        if let_in:
            client.cookies.set(self.access.cookie, self.access.session(), domain="127.0.0.1")
        if token:
            client.headers[TOKEN_HEADER] = self.access.page_token()
        return client


@pytest.fixture
def here(tmp_path):
    return Here(tmp_path / "state")


@pytest.fixture
def client(here):
    return here.client()


@pytest.fixture
def ask(client):
    """Ask a page until it has answered."""

    def asking(page, width=560, **state):
        pairs = [
            [name, str(value)]
            for name, given in state.items()
            for value in (given if isinstance(given, list) else [given])
        ]
        while True:
            answer = client.post(f"/answers/{page}", json={"state": pairs, "width": width})
            found = answer.json()
            if "job" not in found:
                return found

    return asking
