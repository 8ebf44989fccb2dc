"""What can be typed behind `harness`: its own commands, and `harness VERB NAME` of benchmarks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

from harness import wiring
from harness.cli.saying import say

__all__ = ("Verbs",)


class _Group(NamedTuple):
    """Commands of one kind, `harness new app`: what help says of them, and where each is."""

    help: str
    commands: dict[str, str]


_OWN: dict[str, str | _Group] = {
    "eval": "evaluating:evaluate",
    "list": "listing:list_",
    "show": "showing:show",
    "view": "viewing:view",
    "score": "runs:score",
    "judge": "judging:judge",
    "replay": "runs:replay",
    "report": "runs:report",
    "audit": "auditing:audit",
    "serve": "serving:serve",
    "diff": "states:diff",
    "reset": "states:reset",
    "snapshot": "states:snapshot",
    "restore": "states:restore",
    "connect": "connecting:connect",
    "play": "playing:play",
    "capture": "capturing:capture",
    "fork": "forking:fork",
    "voi": "valuing:voi",
    "doctor": "doctoring:doctor",
    "new": _Group(
        "Start an app or a suite of your own.", {"app": "scaffolding:new_app", "suite": "scaffolding:new_suite"}
    ),
    "users": _Group(
        "Try out and measure the users who answer agents.", {"try": "asking:try_", "measure": "asking:measure"}
    ),
    "export": _Group(
        "Export a world as a folder, or a run as logs for Inspect.",
        {"world": "exporting:world", "inspect": "exporting:inspect"},
    ),
    "folder": _Group(
        "Copy a folder of this machine into `filesystem`, or back.",
        {"import": "folders:import_", "export": "folders:export"},
    ),
}
"""The harness's own commands, in the order in which help lists them: module of this package and function."""

_HELP = {
    "build": "Make a benchmark's samples, to play later.",
    "import": "Import published data, as a suite where it can be played.",
    "rescore": "Score published runs under their release's rules.",
}
"""What verbs mean whose benchmark brings them; of others, help says whose they are."""

_CHOICE = re.compile(r"'([^']*)'")
_NO_CHOICE = re.compile(r"'(?P<given>.*)' is not one of (?P<known>.+)\.")
"""As Typer says it."""


class _Own(Mapping[str, Any]):
    """The harness's own commands by name, each made when it is asked for."""

    def __getitem__(self, name: str) -> Any:
        found = _OWN[name]
        if isinstance(found, str):
            return _command(name, _function(found))
        group = typer.Typer(name=name, help=found.help, no_args_is_help=True, rich_markup_mode=None)
        for each, where in found.commands.items():
            group.command(each)(_function(where))
        return get_group(group)

    def __iter__(self) -> Iterator[str]:
        return iter(_OWN)

    def __len__(self) -> int:
        return len(_OWN)


def _function(where: str) -> Callable[..., object]:
    module, _, name = where.partition(":")
    found: Callable[..., object] = getattr(import_module(f"harness.cli.{module}"), name)
    return found


class Verbs(TyperGroup):
    """The harness's own commands, and behind them the verbs of benchmarks, which cannot take an own one's place.

    A benchmark may add to an own group: `harness new session`.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: Any = _Own()

    @cached_property
    def _catalog(self) -> wiring.Catalog:
        return wiring.catalog()

    def list_commands(self, ctx: Any) -> list[str]:
        return [*self.commands, *sorted(self._catalog.commands.keys() - _OWN.keys())]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in _OWN:
            own = self.commands[cmd_name]
            if isinstance(_OWN[cmd_name], _Group):
                return _Verb(cmd_name, lambda: self._catalog.commands.get(cmd_name, {}), own)
            return own
        if brought := self._catalog.commands.get(cmd_name):
            return _Verb(cmd_name, lambda: brought)
        for problem in self._catalog.broken:  # whose verb it may be
            say(problem, err=True)
        return None

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = _plainly(error.message)
            raise

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """As of any group, but of no signature: to read them all takes longer than the rest of help."""
        listed: dict[str, Any] = {name: TyperCommand(name, help=self._about(name)) for name in self.list_commands(ctx)}
        TyperGroup(commands=listed).format_commands(ctx, formatter)

    def _about(self, name: str) -> str:
        found = _OWN.get(name)
        if found is None:
            return _of_others(name, self._catalog.commands[name])
        return found.help if isinstance(found, _Group) else _function(found).__doc__ or ""


class _Verb(TyperGroup):
    """One verb: what the harness has of it, and behind that what benchmarks `brought`.

    A benchmark's function is imported when its name is typed, or listed.
    """

    def __init__(self, verb: str, brought: Callable[[], Mapping[str, wiring.Command]], own: Any = None) -> None:
        about = own.help if own else _of_others(verb, brought())
        super().__init__(name=verb, help=about, no_args_is_help=True, rich_markup_mode=None)
        self._bring = brought
        self.commands = own.commands if own else {}

    @cached_property
    def _brought(self) -> Mapping[str, wiring.Command]:
        return self._bring()

    def list_commands(self, ctx: Any) -> list[str]:
        return [*self.commands, *sorted(self._brought.keys() - self.commands.keys())]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        from harness.core.suite import SuiteError

        if cmd_name in self.commands:
            return self.commands[cmd_name]
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


def _plainly(problem: str) -> str:
    """Without what pydantic puts before it, and of a choice that is none with those that are near."""
    from harness.core.near import near
    from harness.core.validation import own_words

    text = own_words(problem)
    choice = _NO_CHOICE.fullmatch(text)
    return text + near(choice["given"], _CHOICE.findall(choice["known"])) if choice else text


def _of_others(verb: str, brought: Mapping[str, wiring.Command]) -> str:
    return _HELP.get(verb, f"Of {', '.join(sorted(brought))}.")


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
