"""`harness VERB NAME`: commands that benchmarks bring, each by its suite entry (`SuiteEntry.commands`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from harness import wiring

__all__ = ("Verbs",)

_HELP = {
    "import": "Read official data into a local suite.",
    "rescore": "Score published runs under their release's rules.",
}
"""What verbs mean whose benchmark brings them; of others, help says whose they are."""


class Verbs(TyperGroup):
    """The harness's own commands, and behind them the verbs of benchmarks, which cannot take an own one's place."""

    @cached_property
    def _catalog(self) -> wiring.Catalog:
        return wiring.catalog()

    def list_commands(self, ctx: Any) -> list[str]:
        own = super().list_commands(ctx)
        return [*own, *sorted(self._catalog.commands.keys() - own)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        own = super().get_command(ctx, cmd_name)
        if own is not None:
            return own
        if brought := self._catalog.commands.get(cmd_name):
            return _Verb(cmd_name, brought)
        for problem in self._catalog.broken:  # whose verb it may be
            typer.echo(problem, err=True)
        return None


class _Verb(TyperGroup):
    """One verb. A benchmark's function is imported when its name is typed, or listed."""

    def __init__(self, verb: str, brought: Mapping[str, wiring.Command]) -> None:
        about = _HELP.get(verb, f"Of {', '.join(sorted(brought))}.")
        super().__init__(name=verb, help=about, no_args_is_help=True, rich_markup_mode=None)
        self._brought = brought

    def list_commands(self, ctx: Any) -> list[str]:
        return sorted(self._brought)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        from harness.core.suite import SuiteError

        if cmd_name not in self._brought:
            return None
        brought = self._brought[cmd_name]
        try:
            function = brought.function()
        except SuiteError as error:
            return _problem(cmd_name, error)
        try:
            return _command(cmd_name, function)
        except Exception as error:  # noqa: BLE001 (whatever Typer makes of a signature)
            return _problem(cmd_name, SuiteError(f"{brought}, and its signature does not fit a command: {error}"))


def _command(name: str, function: Callable[..., object], **settings: Any) -> Any:
    one = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    one.command(name, context_settings=settings)(function)
    return get_command(one)


def _problem(name: str, problem: Exception) -> Any:
    """A command that says what is wrong with it, also among others in help."""

    def tell() -> None:
        raise problem

    tell.__doc__ = f"Cannot be used: {problem}"
    return _command(name, tell, ignore_unknown_options=True, allow_extra_args=True)
