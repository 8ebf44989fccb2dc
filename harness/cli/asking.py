"""`harness users`: questions put to a simulated user, without a run, an agent or a sandbox."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple

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
    """Put questions to a simulated user, and show the answers.

    A question starts a conversation of its own, or goes on with the one that it names.
    """
    import anyio

    settings = user_settings(user)
    asked = list(_read(file))
    if not asked:
        raise CallProblem(f"{file} holds no question")
    answers = anyio.run(_answers, settings, asked)
    for each, answer in zip(asked, answers, strict=True):
        _show(each.question, answer, as_json=json)


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


class _Asked(NamedTuple):
    """A question, what the user it goes to knows, and the conversation that it is part of; "" is one of its own."""

    brief: Brief
    question: Question
    conversation: str


async def _answers(settings: UserSettings, asked: Sequence[_Asked]) -> list[Answer]:
    from harness.wiring import wiring
    from servers.kernel import Fault, User

    wired, answers = wiring(), []
    users: dict[str, User] = {}
    try:
        for brief, question, conversation in asked:
            user = users.get(conversation) or wired.user(settings, brief)
            if conversation:
                users[conversation] = user
            try:
                answers.append(await user.answer(question))
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


def _read(file: Path) -> Iterator[_Asked]:
    """What each line's user knows, and is asked. What looks wrong is told.

    A line that goes on with a conversation may leave out what the first of it says of the request.

    Raises `CallProblem` naming line and field.
    """
    from json import loads

    from pydantic import BaseModel, ValidationError

    from harness.core.lines import numbered
    from harness.core.task import Brief, Segment, Slot
    from servers.kernel import Question, first_amiss

    class Item(BaseModel):
        id: str
        value: str
        kind: str = ""
        role: str = ""

    class Known(BaseModel):
        intent: str
        sent: str = ""
        withheld: tuple[Item, ...] = ()
        stated: tuple[Item, ...] = ()

    class Line(BaseModel):
        question: str
        context: str = ""
        conversation: str = ""

    def segments(items: tuple[Item, ...]) -> tuple[Segment, ...]:
        return tuple(
            Segment(id=item.id, slot=Slot(name=item.id, kind=item.kind, text=item.value, role=item.role))
            for item in items
        )

    try:
        content = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CallProblem(f"{file} cannot be read: {error}") from None
    begun: dict[str, tuple[int, Known]] = {}
    for number, text in numbered(content):
        where = f"{file}:{number}"
        try:
            line, given = Line.model_validate_json(text), loads(text)
            first, known = begun.get(line.conversation) or (number, Known.model_validate(given))
            again = Known.model_validate({**known.model_dump(), **given})
        except ValidationError as error:
            raise CallProblem(f"{where}: {first_amiss(error)}") from None
        for key in Known.model_fields:
            if getattr(again, key) != getattr(known, key):
                raise CallProblem(
                    f"{where}: {key}: not what conversation {line.conversation!r} began with in line {first}; "
                    "leave it out, or begin another conversation"
                )
        if line.conversation:
            begun[line.conversation] = first, known
        for doubt in _doubts(given) if first == number else _misspelt(given, _KEYS, ""):
            say(f"{where}: {doubt}", err=True)
        brief = Brief(
            intent=known.intent, sent=known.sent, withheld=segments(known.withheld), stated=segments(known.stated)
        )
        yield _Asked(brief, Question(text=line.question, context=line.context), line.conversation)


_KEYS: Final = ("intent", "question", "sent", "context", "withheld", "stated", "conversation")
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
