"""What the Tab key completes: commands, options, their words, and files everywhere else."""

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
)

__all__ = ["complete_files"]


def complete_files() -> None:
    """Let shells fall back on names of files, which they no longer do by themselves."""
    for shell in (BashComplete, ZshComplete, FishComplete):
        add_completion_class(_fall_back(shell))


def _fall_back(shell: type[ShellComplete]) -> type[ShellComplete]:
    def get_completions(
        self: ShellComplete, args: list[str], incomplete: str
    ) -> list[CompletionItem]:
        found = shell.get_completions(self, args, incomplete)
        return found or (
            [] if incomplete.startswith("-") else [CompletionItem(incomplete, type="file")]
        )

    return type(shell.__name__, (shell,), {"get_completions": get_completions})
