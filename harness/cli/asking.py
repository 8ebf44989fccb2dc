"""`harness users`: questions put to a simulated user, without a run, an agent or a sandbox."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from harness.cli.problems import CallProblem
from harness.cli.saying import say

if TYPE_CHECKING:
    from harness.core.config import UserSettings
    from harness.core.task import Brief
    from servers.kernel import Answer, Question

__all__ = ("measure", "try_", "user_settings")


def try_(
    file: Annotated[
        Path, typer.Argument(metavar="FILE.jsonl", help="One JSON object per line: intent, sent, withheld, question...")
    ],
    user: Annotated[
        str, typer.Option(metavar="JSON", help="The user's settings, as a condition's `user` has them.")
    ] = "{}",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")] = False,
) -> None:
    """Put questions to a simulated user, and show the answers. Each question starts a fresh conversation."""
    import anyio

    settings = user_settings(user)
    asked = list(_read(file))
    answers = anyio.run(_answers, settings, asked)
    for (_, question), answer in zip(asked, answers, strict=True):
        _show(question, answer, as_json=json)


def measure(
    user: Annotated[
        str, typer.Option(metavar="JSON", help="The user's settings, as a condition's `user` has them.")
    ] = "{}",
    half: Annotated[
        Literal["frozen", "long", "earlier", "tuned"],
        typer.Option(
            help="Which: nothing was tuned on those of `frozen` and `long`; totals of `earlier` guided development."
        ),
    ] = "frozen",
    at_once: Annotated[int, typer.Option(min=1, help="Conversations at once, for users that wait for a model.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure how many questions a user understands. They are those of docs/clarification.md."""
    from functools import partial

    import anyio

    from harness.cli import render
    from harness.report.heard import table

    settings = user_settings(user)
    sums = anyio.run(partial(_heard, settings, half, at_once))
    name, void = settings.label, sum(row["void"] for row in sums.values())
    if json:
        render.as_json({"user": name, "half": half, "templates": sums})
        return
    questions = sum(row["questions"] for row in sums.values())
    render.terminal([table({name: {half: sums}})])
    if void:
        say(f"{void} of {questions} questions had no answer that could be used: nothing was told.")


async def _heard(
    settings: UserSettings, half: Literal["frozen", "long", "earlier", "tuned"], at_once: int
) -> Mapping[str, Mapping[str, int]]:
    from harness.wiring import wiring

    wired = wiring()
    try:
        return await wired.heard(settings, half, at_once=at_once)
    finally:
        await wired.aclose()


async def _answers(settings: UserSettings, asked: list[tuple[Brief, Question]]) -> list[Answer]:
    from harness.wiring import wiring
    from servers.kernel import Fault

    wired, answers = wiring(), []
    try:
        for brief, question in asked:
            try:
                answers.append(await wired.user(settings, brief).answer(question))
            except Fault as error:
                raise CallProblem(f"{question.text!r:.60}: {error}") from None
    finally:
        await wired.aclose()
    return answers


def user_settings(text: str) -> UserSettings:
    """The settings that `--user` gives as JSON. Raises `CallProblem`."""
    from json import JSONDecodeError, loads

    from pydantic import ValidationError

    from harness.core.config import Condition

    try:
        found = Condition.model_validate({"user": loads(text)})
    except JSONDecodeError as error:
        raise CallProblem(f"--user is not JSON: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        raise CallProblem(f"--user: {'.'.join(map(str, first['loc'][1:])) or 'user'}: {first['msg']}") from None
    return found.user


def _read(file: Path) -> Iterator[tuple[Brief, Question]]:
    """What each line's user knows, and is asked. Raises `CallProblem` naming line and field."""
    from pydantic import BaseModel, ValidationError

    from harness.core.task import Brief, Segment, Slot
    from servers.kernel import Question

    class Item(BaseModel):
        id: str
        value: str
        kind: str = ""
        role: str = ""

    class Line(BaseModel):
        intent: str
        question: str
        sent: str = ""
        context: str = ""
        withheld: tuple[Item, ...] = ()
        stated: tuple[Item, ...] = ()

    def segments(items: tuple[Item, ...]) -> tuple[Segment, ...]:
        return tuple(
            Segment(id=item.id, slot=Slot(name=item.id, kind=item.kind, text=item.value, role=item.role))
            for item in items
        )

    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CallProblem(f"{file} cannot be read: {error}") from None
    for number, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        try:
            line = Line.model_validate_json(text)
        except ValidationError as error:
            first = error.errors()[0]
            raise CallProblem(f"{file}:{number}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
        brief = Brief(
            intent=line.intent, sent=line.sent, withheld=segments(line.withheld), stated=segments(line.stated)
        )
        yield brief, Question(text=line.question, context=line.context)


def _show(question: Question, answer: Answer, *, as_json: bool) -> None:
    from harness.cli import render

    told: dict[str, Any] = {
        "question": question.text,
        "answer": answer.text,
        "targets": answer.targets,
        "revealed": answer.revealed,
        "status": {part.target: part.kind for part in answer.parts} or dict.fromkeys(answer.revealed, "given"),
    }
    if as_json:
        render.as_json_line(told)
        return
    status = ", ".join(f"{item or 'else'}: {kind}" for item, kind in told["status"].items())
    say(f"Q: {question.text}\nA: {answer.text}\n   asked for: {', '.join(answer.targets) or 'nothing withheld'}")
    say(f"   {status or 'told nothing'}\n")
