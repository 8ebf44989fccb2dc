"""What `-T` sets in a task of ours; and how Inspect hears what does not fit: in a line, as of its own problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any

from inspect_ai._util.error import PrerequisiteError  # the only one that `inspect eval` shows without a traceback
from pydantic import BeforeValidator, Field, SerializeAsAny, ValidationInfo, model_validator
from rich.markup import escape

from harness.core.agent_config import Settings
from harness.core.config import Ask, ConfigProblem, UserSettings
from harness.core.config_file import fitted
from harness.core.suite import SuiteError
from harness.core.user_config import as_user
from servers.catalog import BrokenApp, UnknownApp
from servers.kernel import Fault

__all__ = ("GIVEN", "FolderOptions", "Options", "chosen", "in_a_line", "signature")

GIVEN = Path("-T")
"""What a problem with an option is told of."""


def _user(value: Any, info: ValidationInfo) -> Any:
    """A user's settings, or its kind alone."""
    return None if value is None else as_user({"kind": value} if isinstance(value, str) else value, info)


class Options(Settings):
    """Of a suite on offer: `prompt`, `ask` and `user` of a condition, `seed` of a run (docs/config.md).

    `limit` takes the first tasks, `sample` some of each template. Without `user` the usual one answers.
    """

    prompt: str = "original"
    ask: Ask = "off"
    user: Annotated[SerializeAsAny[UserSettings] | None, BeforeValidator(_user)] = None
    sample: int | None = Field(default=None, ge=1)
    limit: int | None = Field(default=None, ge=1)
    seed: int = 0

    @model_validator(mode="after")
    def _fit(self) -> Options:
        if self.user is not None and self.ask == "off":
            raise ValueError("`user` says who answers, but nobody is asked: give `ask=ask_user` or `ask=clarify` too")
        if self.limit is not None and self.sample is not None:
            raise ValueError("`limit` takes the first tasks, `sample` some of each template: give only one of them")
        return self


class FolderOptions(Options):
    """Of a suite in a folder, which `path` is."""

    path: str


def chosen(model: type[Options], given: Mapping[str, Any]) -> Options:
    """The options that values make. Raises `ConfigProblem`."""
    return fitted(model, given, GIVEN)


def signature(model: type[Options]) -> Signature:
    """The options as parameters: Inspect reads there what it may give, and logs what was not given with its default.

    What has another name comes too, so that it is refused: Inspect would leave it out, with a warning at most.
    """
    named = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=Parameter.empty if field.is_required() else field.default)
        for name, field in model.model_fields.items()
    ]
    return Signature([*named, Parameter("others", Parameter.VAR_KEYWORD)])


@contextmanager
def in_a_line() -> Iterator[None]:
    """Raise what whoever called can do something about as Inspect tells such things."""
    try:
        yield
    except (BrokenApp, ConfigProblem, Fault, SuiteError, UnknownApp) as problem:
        raise PrerequisiteError(escape(str(problem))) from None
