"""How each surface is handed an input of the corpus, and what it answers."""

import re
import warnings
from pathlib import Path
from urllib.parse import quote

from steelyard.journey.campaigns.campaign import Campaign
from steelyard.surfaces.cli.next_command import keep_typed_names
from steelyard.surfaces.cli.refusals import show_refusal
from steelyard.surfaces.web.app import make_app
from steelyard.surfaces.web.app_state import AppState
from steelyard.surfaces.web.door.guard import TOKEN_HEADER, Access
from steelyard.surfaces.web.door.tokens import TokenBook, new_token
from steelyard.surfaces.web.served import ServedCampaigns, ServedSuites
from steelyard.surfaces.web.uploads import Uploads

with warnings.catch_warnings():
    # Starlette would rather have another client than the one its earlier versions need.
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

__all__ = ["CAMPAIGN", "Page", "SuitePage", "in_the_terminal", "new_campaign", "state_of"]

PORT = 8378
CAMPAIGN = "faults"
"""The name of a new campaign, which is that of its file."""


def state_of(roles):
    """Spell roles as a form of the page does."""
    return [
        [name, str(value)]
        for name, given in roles.items()
        for value in (given if isinstance(given, list) else [given])
    ]


def new_campaign(folder):
    """Start a campaign of two systems whose names no input has."""
    where = folder / f"{CAMPAIGN}.db"
    Campaign.create(where, systems=["a", "b"], stop="evidence >= 20 or n >= 600")
    return str(where)


def let_in(app_state, access):
    """Give a client that the page knows."""
    app = make_app(app_state, access)
    client = TestClient(app, base_url=f"http://127.0.0.1:{PORT}", follow_redirects=False)
    client.cookies.set(access.cookie, access.session(), domain="127.0.0.1")
    client.headers[TOKEN_HEADER] = access.page_token()
    return client


class SuitePage:
    """A page that serves one suite."""

    def __init__(self, state, folder):
        access = Access(token=new_token(), port=PORT, book=TokenBook(state))
        app_state = AppState(
            folder=state, uploads=Uploads(state), suites=ServedSuites.of([str(folder)])
        )
        self.client = let_in(app_state, access)

    def refusal(self):
        """Ask who leads, and give the words of the refusal."""
        while True:
            asked = {"state": [], "width": 560}
            found = self.client.post("/answers/suites", json=asked).json()
            if "job" not in found:
                return found.get("refused")


class Page:
    """A page that runs inside the test: files are uploaded, questions asked, batches added."""

    def __init__(self, folder):
        self.ledger = new_campaign(folder)
        state = folder / "state"
        access = Access(token=new_token(), port=PORT, book=TokenBook(state))
        self.uploads = Uploads(state)
        app_state = AppState(
            folder=state, uploads=self.uploads, campaigns=ServedCampaigns.of([self.ledger])
        )
        self.client = let_in(app_state, access)

    def kept(self, data):
        """Bring data to the page: one file by upload, several as ``steelyard serve`` takes them."""
        if isinstance(data, str):
            path = Path(data)
            answer = self.client.post(
                "/files", content=path.read_bytes(), headers={"X-File-Name": quote(path.name)}
            )
            return answer.json()["data"]
        return self.uploads.register(
            data, tuple(f"{name}={path}" for name, path in data.items())
        ).key

    def refusal(self, verb, data, roles):
        """Ask the page, and give the words of its refusal."""
        state = [["data", self.kept(data)], *state_of(roles)]
        while True:
            found = self.client.post(f"/answers/{verb}", json={"state": state, "width": 560}).json()
            if "job" not in found:
                return found.get("refused")

    def batch_refusal(self, data, roles):
        """Add the file to the campaign, and give the words of the refusal."""
        state = [["campaign", "faults"], ["data", self.kept(data)], *state_of(roles)]
        return self.client.post("/campaigns/batch", json={"state": state}).json().get("refused")


def in_the_terminal(said, err, words):
    """Give what the terminal shows of a message, which may end with the command to type next."""
    # The page names its pages, the terminal its commands.
    said = re.sub(r"\buse (Compare|Evaluate|Agreement)\b", lambda page: page[0].lower(), f"{said}")
    message = keep_typed_names(f"steelyard: {said}", [str(word) for word in words])
    _, mark, command = err.rstrip("\n").rpartition("\nType: ")
    if not mark or message.endswith(command):
        return show_refusal(message) + "\n"
    assert command.startswith("steelyard ")
    return show_refusal(message, command) + "\n"
