"""What a user makes of questions in natural words, measured on those that players put (docs/clarification.md)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, NamedTuple

import anyio

from servers.kernel import Answer, Fault, Part, Question, User
from userssim.wish import Known, Wish, holds

__all__ = ("HALVES", "Half", "Heard", "Put", "Scene", "figures", "heard", "put", "scenes", "sums")

Half = Literal["tuned", "earlier", "frozen", "long"]
HALVES: tuple[Half, ...] = ("tuned", "earlier", "frozen", "long")
"""Users may be made better by looking at `tuned`. Of the others nothing is ever printed but sums; `earlier` was the
frozen half of the first round, until its sums had been looked at too often, and `long` is the frozen half of the third,
about long requests."""

_FOLDER = Path(__file__).parent / "questions"
_TOLD = ("given", "confirmed", "corrected")
_DEFERS = re.compile(
    r"best judgment|do what you think is best|\bI don't know\b|couldn't tell you|not sure about that"
    r"|what I asked for, please"
)


class Scene(NamedTuple):
    """A request that players asked about; all scenes of one template are in one half."""

    template: str
    half: Half
    wish: Wish


class Put(NamedTuple):
    """A question that a player put, the `turn`-th of a conversation, and what it is about, as two labellers say.

    `items` maps what it is about, withheld or stated, to `asked` (its value is wanted), `right` or `wrong` (the
    question has one, which is what is meant, or is not). `other`: it (also) asks for what is no part of the wish.
    `leave`: it asks leave to act, which is as meant (`yes`) or not (`no`). `kind` is the sort of question, `agreed`
    whether the labellers were of one opinion on all but that.
    """

    scene: str
    player: int
    turn: int
    question: str
    kind: str
    items: Mapping[str, str]
    other: bool
    leave: str
    agreed: bool


class Heard(NamedTuple):
    """What came of one question, as counts, so that sums over questions are figures.

    `wanted`: withheld items that it is about; `got`: those of them that were told, and a wrong value was not agreed to.
    `told`: withheld items that the answer tells; `rightly`: those that the question is about. `first`: those of `told`
    that the user had not told before in the conversation, which alone reveal something; `first_rightly`: those of
    these that the question is about. `leaks`: values in the answer that nobody asked for. `wrong`: wrong values of
    withheld items in the question, `assents`: those agreed to; `right`: right ones, `denied`: those denied. `declined`:
    the question is about items alone, some withheld, and is told to decide for itself; `lost`: or that it was not
    understood. `contradicts`: a value and a refusal in one answer, though nothing else was asked for. `probed`: it
    names nothing and was told something. `void`: there was no answer, since a model gave none that could be used.
    """

    put: Put
    said: str
    template: str
    wanted: int
    got: int
    told: int
    rightly: int
    first: int
    first_rightly: int
    leaks: int
    wrong: int
    assents: int
    right: int
    denied: int
    declined: bool
    lost: bool
    contradicts: bool
    probed: bool
    void: bool = False


@cache
def scenes() -> Mapping[str, Scene]:
    """The scenes by name."""
    return {
        line["scene"]: Scene(
            line["template"],
            line["half"],
            Wish(
                full=line["intent"],
                sent=line["sent"],
                withheld=tuple(map(_known, line["withheld"])),
                stated=tuple(map(_known, line["stated"])),
            ),
        )
        for line in _lines("scenes")
    }


@cache
def put(half: Half) -> tuple[Put, ...]:
    """The questions of a half, conversation by conversation."""
    return tuple(Put(**line) for line in _lines(half))


@cache
def figures() -> Mapping[str, Mapping[str, Mapping[str, Mapping[str, int]]]]:
    """What was measured of each user: name and version -> half -> template -> sums over its questions.

    The sums are those of the fields of `Heard`, and `questions`. A test holds the file to what is measured now.
    """
    found: Mapping[str, Mapping[str, Mapping[str, Mapping[str, int]]]] = json.loads(
        (_FOLDER / "figures.json").read_text(encoding="utf-8")
    )
    return found


def sums(measured: Sequence[Heard]) -> dict[str, dict[str, int]]:
    """What `figures` has of one user and half."""
    names = [name for name in Heard._fields if name not in ("put", "said", "template")]
    found: dict[str, dict[str, int]] = {}
    for each in measured:
        row = found.setdefault(each.template, dict.fromkeys(("questions", *names), 0))
        row["questions"] += 1
        for name in names:
            row[name] += getattr(each, name)
    return dict(sorted(found.items()))


async def heard(
    make: Callable[[Wish], User], half: Half, *, at_once: int = 1, templates: Collection[str] | None = None
) -> list[Heard]:
    """Put each conversation of a half to a user of its own, who hears its questions in order; so many at once.

    `templates` are those whose conversations are put, None for all.
    """
    chosen = [each for each in put(half) if templates is None or scenes()[each.scene].template in templates]
    talks = [[*asked] for _, asked in groupby(chosen, key=lambda each: (each.scene, each.player))]
    found: dict[int, list[Heard]] = {}
    free = anyio.CapacityLimiter(at_once)

    async def talk(number: int, asked: Sequence[Put]) -> None:
        async with free:
            scene = scenes()[asked[0].scene]
            user, before = make(scene.wish), set[str]()
            found[number] = [await _put(each, scene, user, before) for each in asked]

    async with anyio.create_task_group() as all_talks:
        for number, asked in enumerate(talks):
            all_talks.start_soon(talk, number, asked)
    return [each for number in range(len(talks)) for each in found[number]]


async def _put(asked: Put, scene: Scene, user: User, before: set[str]) -> Heard:
    """What comes of a question; `before` are the items told before in its conversation, to which it adds."""
    try:
        return _heard(asked, scene, await user.answer(Question(text=asked.question)), before)
    except Fault:
        return _heard(asked, scene, Answer(text=""), before)._replace(void=True)


def _heard(asked: Put, scene: Scene, answer: Answer, before: set[str]) -> Heard:
    held = {item.id: item for item in scene.wish.withheld}
    parts = answer.parts or tuple(_parts(answer, held))
    said = {part.target: part.kind for part in parts if part.kind in _TOLD and part.target in held}
    wanted = {id: how for id, how in asked.items.items() if id in held}
    wrong = [id for id, how in wanted.items() if how == "wrong"]
    assents = [id for id in wrong if said.get(id) == "confirmed"]
    right = [id for id, how in wanted.items() if how == "right"]
    refusals = {part.kind for part in parts} - {*_TOLD}
    only = bool(wanted) and not asked.other and not asked.leave
    first = said.keys() - before
    before |= first
    return Heard(
        put=asked,
        said=answer.text,
        template=scene.template,
        wanted=len(wanted),
        got=len(wanted.keys() & said.keys()) - len(assents),
        told=len(said),
        rightly=len(wanted.keys() & said.keys()),
        first=len(first),
        first_rightly=len(wanted.keys() & first),
        leaks=sum(
            holds(answer.text, item.value) and not holds(asked.question, item.value)
            for id, item in held.items()
            if id not in wanted
        ),
        wrong=len(wrong),
        assents=len(assents),
        right=len(right),
        denied=sum(said.get(id) == "corrected" for id in right),
        declined=only and not said and "no_preference" in refusals,
        lost=only and not said and "not_understood" in refusals,
        contradicts=bool(said) and bool(refusals) and not asked.other and not asked.leave,
        probed=asked.kind == "generic" and bool(said),
    )


def _parts(answer: Answer, held: Mapping[str, Known]) -> Iterator[Part]:
    """The parts of an answer that does not say them, told by its wording (`grounded@1`)."""
    for id in answer.revealed:
        if id in held:
            assent = re.search(rf"\bYes, the [^.]*{re.escape(held[id].value)}", answer.text)
            yield Part(kind="confirmed" if assent else "given", target=id)
    if _DEFERS.search(answer.text):
        yield Part(kind="no_preference")


def _known(item: Mapping[str, Any]) -> Known:
    return Known(**{**item, "asks": tuple(item.get("asks", ()))})


def _lines(name: str) -> Sequence[dict[str, Any]]:
    text = (_FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]  # other line ends may stand within a text
