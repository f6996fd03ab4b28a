"""Who may come in: the owner's token, and tokens for one purpose, kept as hashes."""

import hashlib
import hmac
import json
import os
import re
import secrets
import stat
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from steelyard.display.saving import write_whole
from steelyard.errors import RequestError, printable

__all__ = [
    "BYTES",
    "LAUNCH_SECONDS",
    "ScopedToken",
    "TokenBook",
    "new_launch",
    "new_token",
    "private_folder",
    "same_text",
    "session_token",
    "signature",
    "write_private",
]

BYTES = 32
LAUNCH_SECONDS = 60
"""A link that opens the page works once, and for so long."""
SHORTEST = 32
"""A token that somebody made up has at least so many characters."""
VARIABLE = "STEELYARD_TOKEN"
MARK = "sy_"
SCOPE = re.compile(r"[a-z]+:[A-Za-z0-9][A-Za-z0-9._-]{0,99}|[a-z]+:\*")


def new_token() -> str:
    """Draw a token of 32 random bytes."""
    return secrets.token_urlsafe(BYTES)


def same_text(given: str, expected: str) -> bool:
    """Compare in a time that does not depend on where two texts part."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode())


def signature(token: str, purpose: str, *, port: int) -> str:
    """Prove that one knows the owner's token, without sending it, to a server at one port."""
    words = f"{purpose}:{port}".encode()
    return hmac.new(token.encode(), words, hashlib.sha256).hexdigest()


def new_launch(token: str, *, port: int) -> str:
    """Draw what opens the page once, within a minute: who knows the token can make it alone.

    Nothing has to be asked of whatever listens at the port, and what it hears opens nothing else.
    """
    words = f"{int(time.time()) + LAUNCH_SECONDS}.{secrets.token_urlsafe(16)}"
    return f"{words}.{signature(token, f'launch:{words}', port=port)}"


def session_token(
    folder: Path, *, file: Path | None = None, renew: bool = False, environment: Mapping[str, str]
) -> str:
    """Find the owner's token: named file, environment, or the one kept in the state folder.

    The kept one is drawn when it is first needed and readable by its owner only, so that a page
    which was open before a restart goes on.
    """
    if file is not None:
        return _check_token(_read(file), f"the file {file.name}")
    if environment.get(VARIABLE):
        return _check_token(environment[VARIABLE], VARIABLE)
    kept = folder / "token"
    if renew or not kept.exists():
        write_private(kept, new_token())
    _refuse_exposed(kept)
    return _check_token(_read(kept), "the state folder")


def _refuse_exposed(kept: Path) -> None:
    """Refuse a kept token that others can read or have written: whoever knows it comes in."""
    seen = kept.stat()
    mode = stat.S_IMODE(seen.st_mode)
    owned = hasattr(os, "geteuid")  # where files have owners and modes
    if owned and (mode & 0o077 or seen.st_uid != os.geteuid()):
        message = (
            f"The token {printable(kept)} can be read by others (mode {mode:o}): other users of "
            "this machine may know it. Draw a new one: steelyard serve --new-token"
        )
        raise RequestError(message, code="token-exposed")


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        message = f"The token file {printable(file)} cannot be read. Name a file with one line."
        raise RequestError(message, code="no-token-file") from None


def _check_token(token: str, where: str) -> str:
    token = token.strip()
    if len(token) < SHORTEST or not token.isascii() or not token.isprintable() or " " in token:
        message = (
            f"The token of {where} has {len(token)} characters; expected at least {SHORTEST} "
            "letters and digits without spaces. To make one: "
            'python -c "import secrets; print(secrets.token_urlsafe(32))"'
        )
        raise RequestError(message, code="weak-token")
    return token


def write_private(path: Path, text: str) -> None:
    """Write a file that nobody else can read at any time, whole or not at all."""
    private_folder(path.parent)
    write_whole(path, f"{text}\n".encode(), mode=0o600)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopedToken:
    """What is kept of a token for one purpose: never the token itself."""

    name: str
    scope: str
    digest: str
    issued: str


class TokenBook:
    """Tokens for one purpose, such as ``campaign:radar``: a folder with a file of hashes for each.

    A token is issued by making its file and revoked by deleting it, so that any number of
    processes may do so at once and none undoes what another has done. The folder is listed at
    every request: a token which was revoked from another terminal is refused at once.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "tokens"
        self._known: dict[str, ScopedToken] = {}
        self._adopt(folder / "tokens.json")

    def issue(self, scope: str) -> str:
        """Make a token; this is the only time that it is seen."""
        if not SCOPE.fullmatch(scope):
            message = (
                f"{printable(scope)!r} is not a scope; expected a kind and a name, such as "
                "campaign:radar."
            )
            raise RequestError(message, code="bad-scope")
        token = MARK + new_token()
        kept = ScopedToken(
            name=secrets.token_hex(4),
            scope=scope,
            digest=_digest(token),
            issued=time.strftime("%Y-%m-%d", time.gmtime()),
        )
        write_private(self._file(kept.name), json.dumps(asdict(kept)))
        return token

    def revoke(self, name: str) -> int:
        """Forget the token of this name, or all of a scope; give the number forgotten."""
        meant = [one for one in self.tokens() if name in {one.name, one.scope}]
        if not meant:
            message = (
                f"No token has the name or scope {printable(name)!r}. Type: steelyard serve "
                "--list-tokens"
            )
            raise RequestError(message, code="no-such-token")
        for one in meant:
            self._file(one.name).unlink(missing_ok=True)
        return len(meant)

    def tokens(self) -> tuple[ScopedToken, ...]:
        """List what is known, the oldest first."""
        made: dict[str, int] = {}
        try:
            listed = list(os.scandir(self.folder))
        except FileNotFoundError:
            listed = []
        for one in listed:
            with suppress(FileNotFoundError):  # one that goes just now leaves the others known
                made[one.name] = one.stat().st_mtime_ns if one.is_file() else 0
        names = [name for name in sorted(made, key=made.__getitem__) if name.endswith(".json")]
        # A file is never written to again, so that what was read of it stays true.
        self._known = {
            name: known
            for name in (one.removesuffix(".json") for one in names)
            if (known := self._known.get(name) or self._read(name)) is not None
        }
        return tuple(self._known.values())

    def scope_of(self, token: str) -> str | None:
        """Give the scope of a token; None for one that was never issued or is revoked."""
        digest = _digest(token)
        found = [one.scope for one in self.tokens() if hmac.compare_digest(one.digest, digest)]
        return found[0] if found else None

    def _adopt(self, book: Path) -> None:
        """Take over the tokens of earlier versions, which were kept in one file."""
        taken = book.with_name(f"tokens.json.{os.getpid()}")
        try:
            book.rename(taken)  # of several processes one gets it
        except FileNotFoundError:
            return
        try:
            for one in json.loads(taken.read_text(encoding="utf-8")):
                kept = ScopedToken(**one)
                write_private(self._file(kept.name), json.dumps(asdict(kept)))
        except (ValueError, TypeError, RecursionError):
            taken.rename(book.with_name("tokens.json.damaged"))
            message = (
                f"{printable(book)} is damaged, and its tokens cannot be read; it is now called "
                "tokens.json.damaged. Issue new ones: steelyard serve --issue-token SCOPE"
            )
            raise RequestError(message, code="damaged-token") from None
        taken.unlink()

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def _read(self, name: str) -> ScopedToken | None:
        """Read one token; None when it was revoked a moment ago."""
        path = self._file(name)
        try:
            kept = ScopedToken(**json.loads(path.read_text(encoding="utf-8")))
            texts = (kept.name, kept.scope, kept.digest, kept.issued)
            if kept.name == name and all(isinstance(one, str) for one in texts):
                return kept
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, RecursionError):
            pass
        message = (
            f"{printable(path)} is damaged: it holds no token. Delete it, and issue its token "
            "anew: steelyard serve --issue-token SCOPE"
        )
        raise RequestError(message, code="damaged-token")


def _digest(token: str) -> str:
    """Hash a token; one that holds 32 random bytes needs no salt."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def private_folder(folder: Path) -> Path:
    """Make a folder that only its owner can enter; one that is there is left as it is.

    Refused where others could put files of theirs in place of ours.
    """
    made = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    found = folder.stat()
    if made:
        folder.chmod(0o700)
    elif hasattr(os, "getuid") and (found.st_uid != os.getuid() or found.st_mode & 0o022):
        message = (
            f"Others may write to the folder {printable(folder)}, and could let themselves in. "
            f"Name another one, or keep it to yourself: chmod 700 {printable(folder)}"
        )
        raise RequestError(message, code="open-folder")
    return folder
