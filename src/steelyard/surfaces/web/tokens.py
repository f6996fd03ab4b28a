"""Who may come in: the owner's token, and tokens for one purpose, kept as hashes."""

import hashlib
import hmac
import json
import re
import secrets
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from steelyard.display.saving import write_whole
from steelyard.errors import RequestError, printable

__all__ = [
    "BYTES",
    "ScopedToken",
    "TokenBook",
    "new_token",
    "private_folder",
    "same_text",
    "session_token",
]

BYTES = 32
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


def session_token(
    folder: Path, *, file: Path | None = None, renew: bool = False, environment: Mapping[str, str]
) -> str:
    """Find the owner's token: named file, environment, or the one kept in the state folder.

    The kept one is drawn when it is first needed and readable by its owner only, so that a page
    which was open before a restart goes on.
    """
    if file is not None:
        return _checked(_read(file), f"the file {file.name}")
    if environment.get(VARIABLE):
        return _checked(environment[VARIABLE], VARIABLE)
    kept = folder / "token"
    if renew or not kept.exists():
        _write_private(kept, new_token())
    return _checked(_read(kept), "the state folder")


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        message = f"The token file {printable(file)} cannot be read. Name a file with one line."
        raise RequestError(message, code="no-token-file") from None


def _checked(token: str, where: str) -> str:
    token = token.strip()
    if len(token) < SHORTEST or not token.isascii() or not token.isprintable() or " " in token:
        message = (
            f"The token of {where} has {len(token)} characters; expected at least {SHORTEST} "
            "letters and digits without spaces. To make one: "
            'python -c "import secrets; print(secrets.token_urlsafe(32))"'
        )
        raise RequestError(message, code="weak-token")
    return token


def _write_private(path: Path, text: str) -> None:
    """Write a file that nobody else can read, whole or not at all."""
    private_folder(path.parent)
    write_whole(path, f"{text}\n".encode())
    path.chmod(0o600)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopedToken:
    """What is kept of a token for one purpose: never the token itself."""

    name: str
    scope: str
    digest: str
    issued: str


class TokenBook:
    """Tokens for one purpose, such as ``campaign:radar``, in one file of hashes.

    The file is read again whenever it has changed, so that a token which was revoked from another
    terminal is refused at once.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / "tokens.json"
        self._stamp: tuple[int, int] | None = None
        self._known: tuple[ScopedToken, ...] = ()

    def issue(self, scope: str) -> str:
        """Make a token; this is the only time that it is seen."""
        if not SCOPE.fullmatch(scope):
            message = (
                f"{printable(scope)!r} is no scope; expected a kind and a name, such as "
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
        self._write((*self.tokens(), kept))
        return token

    def revoke(self, name: str) -> int:
        """Forget the token of this name, or all of a scope; give the number forgotten."""
        known = self.tokens()
        left = tuple(one for one in known if name not in {one.name, one.scope})
        if len(left) == len(known):
            message = (
                f"No token has the name or scope {printable(name)!r}. Type: steelyard serve "
                "--list-tokens"
            )
            raise RequestError(message, code="no-such-token")
        self._write(left)
        return len(known) - len(left)

    def tokens(self) -> tuple[ScopedToken, ...]:
        """List what is known."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return ()
        stamp = (found.st_mtime_ns, found.st_size)
        if stamp != self._stamp:
            saved = json.loads(self.path.read_text(encoding="utf-8"))
            self._known = tuple(ScopedToken(**one) for one in saved)
            self._stamp = stamp
        return self._known

    def scope_of(self, token: str) -> str | None:
        """Give the scope of a token; None for one that was never issued or is revoked."""
        digest = _digest(token)
        found = [one.scope for one in self.tokens() if hmac.compare_digest(one.digest, digest)]
        return found[0] if found else None

    def _write(self, tokens: tuple[ScopedToken, ...]) -> None:
        _write_private(self.path, json.dumps([asdict(one) for one in tokens], indent=1))
        self._stamp = None


def _digest(token: str) -> str:
    """Hash a token; one that holds 32 random bytes needs no salt."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def private_folder(folder: Path) -> Path:
    """Make a folder that only its owner can enter."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.chmod(0o700)
    return folder
