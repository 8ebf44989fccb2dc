"""`harness users`: questions put to a simulated user, without a run, an agent or a sandbox."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from harness.cli.options import Json, JsonLines
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
    json: JsonLines = False,
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
    json: Json = False,
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

    from harness.core.config import Condition, ConfigProblem
    from harness.core.config_file import fitted

    try:
        found = fitted(Condition, {"user": loads(text)}, Path("--user"))
    except JSONDecodeError as error:
        raise CallProblem(f"--user is not JSON: {error}") from None
    except ConfigProblem as error:
        raise CallProblem(str(error).replace("--user: user.", "--user: ")) from None
    return found.user


def _read(file: Path) -> Iterator[tuple[Brief, Question]]:
    """What each line's user knows, and is asked. What looks wrong is told.

    Raises `CallProblem` naming line and field.
    """
    from json import loads

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
            told = (f"{file}:{number}", ".".join(map(str, first["loc"])), first["msg"])
            raise CallProblem(": ".join(filter(None, told))) from None
        for doubt in _doubts(loads(text)):
            say(f"{file}:{number}: {doubt}", err=True)
        brief = Brief(
            intent=line.intent, sent=line.sent, withheld=segments(line.withheld), stated=segments(line.stated)
        )
        yield brief, Question(text=line.question, context=line.context)


_KEYS: Final = ("intent", "question", "sent", "context", "withheld", "stated")
_ITEM_KEYS: Final = ("id", "value", "kind", "role")


def _doubts(line: Mapping[str, Any]) -> Iterator[str]:
    """What looks wrong in a line that can be read: an answer to it would say little about the user."""
    import re

    from harness.wiring import slot_kinds

    yield from _misspelt(line, _KEYS, "")
    seen: dict[str, str] = {}
    for part in ("withheld", "stated"):
        for item in line.get(part, ()):
            what = f'{part} "{item["id"]}"'
            yield from _misspelt(item, _ITEM_KEYS, f"{what}: ")
            if before := seen.get(item["id"]):
                yield f"{what}: the same id as another that is {before}"
            seen[item["id"]] = part
            form = rf"(?<!\w){re.escape(item['value'])}(?!\w)"
            if not re.search(form, line["intent"]):
                yield f"{what}: its value is not in intent, word for word: {item['value']!r:.60}"
            elif part == "withheld" and re.search(form, line.get("sent", ""), re.IGNORECASE):
                yield f"{what}: its value still stands in sent: {item['value']!r:.60}"
            if (kind := item.get("kind")) and (known := _close(kind, slot_kinds())):
                yield f"{what}: no rule goes by the kind {kind!r}; did you mean {known!r}?"


def _misspelt(given: Mapping[str, Any], known: Sequence[str], where: str) -> Iterator[str]:
    for key in given:
        if meant := _close(key, known):
            yield f"{where}the key {key!r} is ignored; did you mean {meant!r}?"


def _close(word: str, known: Collection[str]) -> str:
    """The known word that another is nearly; "" where it is one of them, or near none."""
    from difflib import get_close_matches

    return "" if word in known else next(iter(get_close_matches(word, list(known), n=1, cutoff=0.8)), "")


def _show(question: Question, answer: Answer, *, as_json: bool) -> None:
    from harness.cli import render

    told: dict[str, Any] = {
        "question": question.text,
        "answer": answer.text,
        "targets": answer.targets,
        "revealed": answer.revealed,
        "parts": [{"kind": part.kind, "target": part.target} for part in answer.parts],
        "status": {part.target: part.kind for part in answer.parts} or dict.fromkeys(answer.revealed, "given"),
    }
    if as_json:
        render.as_json_line(told)
        return
    status = ", ".join(f"{item or 'else'}: {kind}" for item, kind in told["status"].items())
    say(f"Q: {question.text}\nA: {answer.text}\n   asked for: {', '.join(answer.targets) or 'nothing withheld'}")
    say(f"   {status or 'told nothing'}\n")
