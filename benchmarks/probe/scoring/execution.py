"""Whether the right thing was done (section 3.1, Task Execution; appendix B.6, listing 25).

The right action with all critical parameters right is 1; with at least 70% of them right, and none that names a wrong
person or thing, 0.5; else 0. Example 2 of the listing calls "partial" what has one of two identifying parameters, so
that the score with 50% stands beside.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ConfigDict, JsonValue

from benchmarks.probe.records import Action, Parameter, Sample
from benchmarks.probe.scoring.answers import Answer, Grade, Question
from benchmarks.probe.scoring.matcher import days, named, same_day, vague, words
from benchmarks.probe.scoring.people import aliases_of, others, parts, person
from benchmarks.probe.scoring.remembered import remembered

__all__ = ("Execution", "execution", "execution_questions", "falls_short", "ungrounded")

_MOST, _HALF = 70, 50
_NAMES_SOMETHING = ("person", "people", "id")
"""Kinds of parameters that name a person, a system or a resource."""

_NUMBER = re.compile(r"-?\d+(?:[ ,.']\d{3})*(?:[.,]\d+)?")


class Execution(BaseModel):
    """Whether the action is right, a verdict per parameter that counts, and the score.

    `score` is 0, 0.5 or 1, None while a verdict is open or where the sample is `ungrounded`: the key asks for values
    that nobody could have read. That holds of wrong actions too: scored, they alone would count on such samples.
    `score_at_half` takes half of the parameters for most.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    right_action: bool
    verdicts: dict[str, Grade | None] = {}
    names_wrong: bool = False
    ungrounded: tuple[str, ...] = ()
    score: float | None
    score_at_half: float | None


def execution(sample: Sample, answer: Answer | None, judged: Mapping[str, Grade], *, paper: bool = False) -> Execution:
    """The verdicts on an answer's action; a judge's go by `parameter.NAME`. `paper` scores ungrounded samples too.

    Of a control, where the key has no action, doing nothing is right.
    """
    gold = sample.gold.action
    chosen = answer.action if answer else None
    beyond = () if paper or gold is None else ungrounded(sample)
    if gold is None or chosen != gold:
        right = answer is not None and chosen == gold
        score = None if beyond else float(right)
        return Execution(right_action=right, ungrounded=beyond, score=score, score_at_half=score)
    known = {name: _decided(sample, name, answer) for name in _counting(sample)}
    found = {name: known[name] or judged.get(f"parameter.{name}") for name in known}
    schema = _schema(sample)
    wrong = any(found[name] == "incorrect" and schema[name].kind in _NAMES_SOMETHING for name in found)
    scored = not beyond and None not in found.values()
    return Execution(
        right_action=True,
        verdicts=found,
        names_wrong=wrong,
        ungrounded=beyond,
        score=_score(found, wrong, _MOST) if scored else None,
        score_at_half=_score(found, wrong, _HALF) if scored else None,
    )


def execution_questions(sample: Sample, answer: Answer | None, *, paper: bool = False) -> list[Question]:
    """What a judge is to say of the parameters of a right action; nothing where execution is unscored all the same."""
    if answer is None or not _is_right(sample, answer):
        return []
    found = [
        Question(
            about=f"parameter.{name}",
            gold=sample.gold.parameters.get(name),
            said=_text(answer.parameters.get(name)),
        )
        for name in _counting(sample)
        if _decided(sample, name, answer) is None
    ]
    return found if paper or not found or not ungrounded(sample) else []


def falls_short(sample: Sample, answer: Answer | None, *, paper: bool = False) -> bool:
    """Whether a right action lacks, or may lack, a parameter that counts, as far as programs can tell."""
    if answer is None or not _is_right(sample, answer):
        return False
    lacking = any(_decided(sample, name, answer) != "correct" for name in _counting(sample))
    return lacking and (paper or not ungrounded(sample))


@remembered
def ungrounded(sample: Sample) -> tuple[str, ...]:
    """Critical parameters that the action does not take, or whose values nobody could have read.

    The published generator makes parameters before evidence, and of other actions too. What stands in a true positive,
    in a neutral document (as who holds an office does) or in the world model can be read; enumerations and texts are
    not looked for.
    """
    taken = _taken(sample)
    known = {*sample.gold.true_positives, *sample.gold.neutral}
    texts = [_text(each.payload) for each in sample.documents if each.id in known]
    read = "\n".join([*texts, _text(sample.world_model)])
    return tuple(
        name
        for name in _counting(sample)
        if name not in taken or not _readable(sample, taken[name], sample.gold.parameters.get(name), read)
    )


def _is_right(sample: Sample, answer: Answer) -> bool:
    return answer.action is not None and answer.action == sample.gold.action


def _score(verdicts: Mapping[str, Grade | None], wrong: bool, most: int) -> float:
    right = sum(verdict == "correct" for verdict in verdicts.values())
    if right == len(verdicts):
        return 1.0
    return 0.5 if right * 100 >= most * len(verdicts) and not wrong else 0.0


def _schema(sample: Sample) -> Mapping[str, Parameter]:
    beyond = {name: Parameter(kind="text", critical=True) for name in sample.gold.parameters}
    return {**beyond, **_taken(sample)}


def _taken(sample: Sample) -> Mapping[str, Parameter]:
    """The parameters of the right action."""
    action: Action | None = next((each for each in sample.actions if each.id == sample.gold.action), None)
    return action.params_schema.properties if action else {}


def _counting(sample: Sample) -> tuple[str, ...]:
    """Parameters that decide: critical ones that the key has a value for, and texts that have to name something."""
    gold = sample.gold
    return tuple(
        name
        for name, each in _schema(sample).items()
        if (each.critical and gold.parameters.get(name) is not None) or gold.mentions.get(name)
    )


def _decided(sample: Sample, name: str, answer: Answer | None) -> Grade | None:
    """What a program can tell of a parameter; None where it takes a judge."""
    said = answer.parameters.get(name) if answer else None
    if said is None or said in ("", []):
        return "missing"
    parameter, gold = _schema(sample)[name], sample.gold.parameters.get(name)
    match parameter.kind:
        case "text":
            return _of_text(sample, _text(said), sample.gold.mentions.get(name, ()), gold)
        case "people":
            wanted = [person(sample, aliases_of(sample, _text(mine))) for mine in _each(gold)]
            known = [(mine, others(sample, mine)) for mine in wanted]
            meant = [[_means(_text(one), *each) for each in known] for one in _each(said)]
            return "correct" if all(map(any, meant)) and all(map(any, zip(*meant, strict=True))) else "incorrect"
        case "date":
            return "correct" if _same(sample, parameter, gold, said) else None if vague(_text(said)) else "incorrect"
        case "person":
            aliases = person(sample, aliases_of(sample, _text(gold)))
            strangers = others(sample, aliases)
            there = named(_text(said), aliases, strangers)
            if there.wanted or there.others:
                return "correct" if not there.others else "incorrect"
            return None if named(_text(said), parts(sample, aliases), strangers).wanted else "incorrect"
        case "id":
            there = named(_text(said), aliases_of(sample, _text(gold)))
            return "incorrect" if not there.wanted else None if there.figures else "correct"
        case _:
            return "correct" if _same(sample, parameter, gold, said) else "incorrect"


def _of_text(sample: Sample, said: str, mentions: tuple[str, ...], gold: JsonValue) -> Grade | None:
    if mentions:
        named_all = all(named(said, aliases_of(sample, each)).wanted or _names_day(said, each) for each in mentions)
        return "correct" if named_all else "incorrect"
    return "correct" if words(said) == words(_text(gold)) else None


def _means(said: str, aliases: Sequence[str], strangers: Sequence[str]) -> bool:
    """Whether a text names a person, and nobody else."""
    there = named(said, aliases, strangers)
    return there.wanted and not there.others


def _names_day(said: str, mention: str) -> bool:
    wanted = days(mention)
    return bool(wanted) and all(any(same_day(day, gold) for day in days(said)) for gold in wanted)


def _same(sample: Sample, parameter: Parameter, gold: JsonValue, said: JsonValue) -> bool:
    """Whether a value is the one of the key, however it is written."""
    given = _text(said)
    match parameter.kind:
        case "date":
            return _names_day(given, _text(gold)) if days(_text(gold)) else words(given) == words(_text(gold))
        case "amount":
            return bool(_numbers(gold)) and _numbers(gold) == _numbers(said)
        case "enum":
            return words(given) == words(_text(gold))
        case _:
            return named(given, aliases_of(sample, _text(gold))).wanted


def _readable(sample: Sample, parameter: Parameter, value: JsonValue, read: str) -> bool:
    """Whether all of a value stands in a text, as far as values of its kind have to."""
    match parameter.kind:
        case "enum" | "text":
            return True
        case "date":
            return all(_names_day(read, _text(each)) for each in _each(value))
        case "amount":
            return set(_numbers(value)) <= set(_numbers(read))
        case _:
            return all(named(read, aliases_of(sample, _text(each))).wanted for each in _each(value))


def _numbers(value: JsonValue) -> list[float]:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return [float(value)]
    found = []
    for each in _NUMBER.findall(_text(value)):
        plain = re.sub(r"[ ,.'](?=\d{3}(?:\D|$))", "", each).replace(",", ".")
        found.append(float(plain))
    return found


def _each(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else [value]


def _text(value: JsonValue) -> str:
    """A value as text, with all texts inside it."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "; ".join(map(_text, value))
    if isinstance(value, dict):
        return "\n".join(f"{name}: {_text(each)}" for name, each in value.items())
    return "" if value is None else str(value)
