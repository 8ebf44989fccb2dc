"""A choir: its singers and pieces, who has missed which rehearsal, and who lends scores to whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.sql.names import people
from benchmarks.drift.sql.reference import changing, quoted
from benchmarks.drift.sql.schema import Schema, changes
from benchmarks.drift.sql.speaking import Way, day, days, deed, disagreeing, made, one_of, twins
from benchmarks.drift.template import Draw, Outcome, Rows, Value, Values

__all__ = ("SCHEMA", "TEMPLATES")

Taken = Mapping[str, Any]

VOICES: Final = ("soprano", "alto", "tenor", "bass")
PIECES: Final = ("Evening Hymn", "Evening Bells", "The River Mass", "The River Song", "Snowfall", "Carol of Lights")
STATES: Final = ("here", "lent", "lost")


def _rows(draw: Draw) -> Rows:
    singers = [
        {
            "id": 1 + n,
            "name": name,
            "voice": VOICES[draw.number(f"voice {n}", 4)],
            "since": 2009 + draw.number(f"since {n}", 16),
        }
        for n, name in enumerate(people(7, 10))
    ]
    pieces = [{"id": 1 + n, "title": title, "minutes": 3 + 7 * (n % 3)} for n, title in enumerate(PIECES)]
    scores = [
        {
            "number": 40 + 3 * n,
            "piece_id": 1 + n % len(pieces),
            "voice": VOICES[(n // 6) % 4],
            "state": STATES[draw.number(f"state {n}", 3)],
        }
        for n in range(48)
    ]
    absences = [
        {
            "singer_id": 1 + draw.number(f"singer {n}", len(singers)),
            "day": days(-30, -1)[(5 * n) % 20].value,
            "reason": ("ill", "away", "at work")[draw.number(f"reason {n}", 3)],
        }
        for n in range(30)
    ]
    return {"singers": singers, "pieces": pieces, "scores": scores, "absences": absences}


SCHEMA: Final = Schema(
    "sql-choir",
    {
        "singers": {"id": "INTEGER", "name": "VARCHAR", "voice": "VARCHAR", "since": "INTEGER"},
        "pieces": {"id": "INTEGER", "title": "VARCHAR", "minutes": "INTEGER"},
        "scores": {"number": "INTEGER", "piece_id": "INTEGER", "voice": "VARCHAR", "state": "VARCHAR"},
        "absences": {"singer_id": "INTEGER", "day": "DATE", "reason": "VARCHAR"},
    },
    _rows,
)


def _singers(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(row["name"], row["id"]) for row in rows["singers"]]


def _singer_ways(rows: Rows, values: Values) -> Iterator[Way]:
    voice = {row["id"]: f"who sings {row['voice']}" for row in rows["singers"]}
    own = values["singer"].value
    yield from twins({row["id"]: row["name"] for row in rows["singers"]}, own, "singer", voice)
    yield Way("A2", f"somebody {voice[own]}", [id for id in voice if voice[id] == voice[own]])
    old = [row["id"] for row in rows["singers"] if row["since"] < 2017]
    yield Way(
        "A2",
        "one of the old members" if own in old else "one of the newer members",
        old if own in old else [id for id in voice if id not in old],
    )
    yield Way("P1", "the soloist of the 2031 tour", voice, "There has been no 2031 tour.")


SAID: Final = {"ill": "ill", "away": "away", "at work": "at work"}


def _reasons(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(text, reason) for reason, text in SAID.items()]


def _reason_ways(rows: Rows, values: Values) -> Iterator[Way]:
    own = values["reason"].value
    yield Way(
        "E1",
        {"ill": "under the weather", "away": "out of town", "at work": "stuck at the office"}[own],
        [own],
        left=[own],
    )
    yield Way("A2", "excused", SAID)
    yield Way("E1", "otherwise engaged", ("away", "at work"))
    yield Way("P1", "on the 2031 tour", SAID, "There has been no 2031 tour.")


def _ahead(rows: Rows, values: Values) -> Iterator[Way]:
    yield Way("P4", " on 30 August", [value.value for value in days(-16, -1)], "30 August has not come yet.", span=True)


def _absent(rows: Rows, taken: Taken) -> Outcome | None:
    if taken["day"] > "2026-05-11":
        return None
    new = {"singer_id": taken["singer"], "day": taken["day"], "reason": taken["reason"]}
    return changes(rows, {**rows, "absences": [*rows["absences"], new]})


ABSENT: Final = made(
    id="choir-absent",
    world=SCHEMA.name,
    kind="insert",
    slots=(
        one_of("singer", "entity", "singer", _singers, _singer_ways, without="somebody", asks=("which singer", "who")),
        day("day", "day", -16, -1, _ahead),
        one_of(
            "reason",
            "value",
            "reason",
            _reasons,
            _reason_ways,
            span=", being {value}",
            without="",
            asks=("what reason", "why"),
        ),
    ),
    wordings=(
        "Add to the absences that {singer} was missing{day}{reason}.",
        "Please note an absence: {singer} was missing{day}{reason}.",
    ),
    draw=lambda rows, draw: {
        "singer": draw.one("singer", _singers(rows, {})),
        "day": draw.one("day", days(-16, -1)),
        "reason": draw.one("reason", _reasons(rows, {})),
    },
    truth=_absent,
    solve=changing(
        lambda v: (
            f"INSERT INTO absences (singer_id, day, reason) VALUES ({v['singer']}, {quoted(v['day'])}, "
            f"{quoted(v['reason'])})"
        )
    ),
)

DEEDS: Final = {"lent": "has been lent out", "lost": "has been lost", "gone": "is gone for good and is to be deleted"}


def _scores(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(f"score {row['number']}", row["number"]) for row in rows["scores"] if row["state"] == "here"]


def _score_ways(rows: Rows, values: Values) -> Iterator[Way]:
    all_ = {row["number"]: row for row in rows["scores"]}
    titles = {row["id"]: row["title"] for row in rows["pieces"]}
    there = [value.value for value in _scores(rows, {})]
    own = all_[values["score"].value]
    same = [number for number in there if all_[number]["piece_id"] == own["piece_id"]]
    yield Way("E3", f'our score of "{titles[own["piece_id"]]}"', same)
    yield Way(
        "A2", f"one of the {own['voice']} scores", [number for number in there if all_[number]["voice"] == own["voice"]]
    )
    ghost = own["number"] + 1
    near = sorted(there, key=lambda number: (abs(number - own["number"]), number))[:3]
    yield Way("P2", f"score {ghost}", near, f"There is no score {ghost}.")
    for number in [n for n, row in all_.items() if row["state"] == "lost" and row["piece_id"] == own["piece_id"]][:1]:
        yield Way(
            "P3",
            f"score {number} (it was here yesterday)",
            same,
            f"Score {number} was lost long ago.",
            said=number,
            state="here yesterday",
        )

    def part(number: int) -> str:
        return f'the {all_[number]["voice"]} part of "{titles[all_[number]["piece_id"]]}"'

    def alike(number: int) -> list[int]:
        return [each for each in there if part(each) == part(number)]

    others = [n for n in there if alike(n) == [n] and all_[n]["piece_id"] != own["piece_id"]]
    yield from disagreeing(
        own["number"],
        [n for n in others if n % 7 == own["number"] % 7],
        lambda named, told: f"score {named} ({part(told)})",
        alike,
    )


def _score(rows: Rows, taken: Taken) -> Outcome | None:
    if not any(row["number"] == taken["score"] and row["state"] == "here" for row in rows["scores"]):
        return None
    scores: list[Mapping[str, Any]] = []
    for row in rows["scores"]:
        if row["number"] != taken["score"]:
            scores.append(row)
        elif taken["deed"] != "gone":
            scores.append({**row, "state": taken["deed"]})
    return changes(rows, {**rows, "scores": scores})


def _score_sql(taken: Taken) -> str:
    if taken["deed"] == "gone":
        return f"DELETE FROM scores WHERE number = {taken['score']}"
    return f"UPDATE scores SET state = {quoted(taken['deed'])} WHERE number = {taken['score']}"


SCORE: Final = made(
    id="choir-score",
    world=SCHEMA.name,
    kind="change",
    risky=True,
    slots=(
        one_of(
            "score", "entity", "score", _scores, _score_ways, without="that score", asks=("which score", "what score")
        ),
        deed(
            "deed",
            "what has become of the score",
            DEEDS,
            ("Please update {score} in the list.", "Can you put {score} right in the list?"),
            ("{score} is not on the shelf, whatever the list says.", "The list is wrong about {score}."),
            asks=("what has become", "what should be done", "which state", "what happened"),
            says="The score {value}",
        ),
    ),
    wordings=("{score} {deed}; please change the list accordingly.", "Change the scores: {score} {deed}."),
    draw=lambda rows, draw: {
        "score": draw.one("score", _scores(rows, {})),
        "deed": draw.one("deed", [Value(text, value) for value, text in DEEDS.items()]),
    },
    truth=_score,
    solve=changing(_score_sql),
)

TEMPLATES: Final = (ABSENT, SCORE)
