"""Published variants as rows: a JSON array or one JSON object a line, in either shape that the paper prints.

Shapes are those of appendix F of the paper (arXiv 2602.10525): F.1, before agents played the variants, and F.2, as
released. Fields that are not named here are ignored.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, StrictStr, ValidationError, model_validator

from harness.core.lines import numbered
from harness.core.validation import own_words

__all__ = (
    "CLASSES",
    "PUBLISHED_SHA256",
    "Broken",
    "Class",
    "Group",
    "Published",
    "PublishedError",
    "Removed",
    "Row",
    "read",
)

PUBLISHED_SHA256: Final = "f67973650afd425cb0344c8b078a1c911cde0fcacb4005476c3cd520091a6ed5"
"""Digest of `test.json` of `ScaleAI/lhaw` on Hugging Face, at revision 71560455d3df5bca03f2a14ee7a67f31c0ae138f."""

Class = Literal["outcome-critical", "divergent", "benign"]
CLASSES: Final[tuple[Class, ...]] = ("outcome-critical", "divergent", "benign")

_NUMBER: Final = r"(?:-?\d+(?:\.\d*)?|True|False|true|false)"
_STATE: Final = rf"[(\[]\s*(?:{_NUMBER}(?:\s*,\s*{_NUMBER})*\s*,?\s*)?[)\]]"
_STATES: Final = re.compile(rf"\s*[\[({{]\s*(?:{_STATE}(?:\s*,\s*{_STATE})*\s*,?\s*)?[\])}}]\s*")

State = tuple[float, ...]
"""One value for each checkpoint: 1 passed, 0 not."""


class PublishedError(ValueError):
    """A file, or a row of one, that cannot be read; the text says what would be right."""


def _said(value: str) -> str:
    if not value.strip():
        raise ValueError("should be a text that is not empty")
    return value


Text = Annotated[StrictStr, AfterValidator(_said)]


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Removed(_Data):
    """A segment that the variant withholds. `value` are its exact words in the original prompt, `text` more of them."""

    id: Text
    dimension: Text
    subdimension: Text
    value: Text
    text: str | None = None


class Group(NamedTuple):
    """The questions that ask for one segment."""

    segment: str
    questions: tuple[str, ...]


def _dimensions(value: Any) -> Any:
    """A list, or one text: `goal`, or several with commas between them."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",")]
    if not isinstance(value, list):
        raise ValueError(f'should be a list of texts, or one text, such as ["goal"] or "goal"; it is {_kind(value)}')
    return value


def _groups(value: Any) -> Any:
    """Groups from `[{"segment_id": "S1", "questions": [...]}]` and from `[{"S1": [...]}]`."""
    if value is None:
        return []
    right = 'should be a list of {"segment_id": "S1", "questions": [...]} or of {"S1": [...]}'
    if not isinstance(value, list):
        raise ValueError(f"{right}; it is {_kind(value)}")
    found: list[Group] = []
    for number, each in enumerate(value, 1):
        if not isinstance(each, dict):
            raise ValueError(f"{right}; item {number} is {_kind(each)}")
        if "segment_id" in each or "questions" in each:
            named = [(each.get("segment_id"), each.get("questions") or [])]
        else:  # a table's rows have all keys, empty where another row has a value
            named = [(key, questions) for key, questions in each.items() if questions is not None]
        for id, questions in named:
            if not isinstance(id, str) or not isinstance(questions, list):
                raise ValueError(f"{right}; item {number} is of another shape")
            if strange := [one for one in questions if not isinstance(one, str)]:
                raise ValueError(f"questions should be texts; one of item {number} is {_kind(strange[0])}")
            found.append(Group(id, tuple(map(str, questions))))
    return found


def _states(value: Any) -> Any:
    """States of a list of lists, or of its text, `[ (1, 1) ]`. None where it is a text of another shape."""
    if value is None or value == "":
        return None
    if isinstance(value, list):
        if all(isinstance(one, list) and all(isinstance(each, int | float) for each in one) for one in value):
            return value
        raise ValueError(f"should be lists of numbers, one list for each state, such as [[1, 0]]; it is {_cut(value)}")
    if not isinstance(value, str):
        raise ValueError(f'should be a text such as "[ (1, 0) ]", or a list of lists; it is {_kind(value)}')
    if not _STATES.fullmatch(value):
        return None
    inner = value.strip()[1:-1]
    return [[_number(each) for each in re.findall(_NUMBER, state)] for state in re.findall(_STATE, inner)]


def _number(text: str) -> float:
    return float(text.casefold() == "true") if text[0].isalpha() else float(text)


class Row(_Data):
    """One published variant (appendix F.3).

    `ambiguity_class` is what agents of the paper were observed to do, so it is an empirical class. `terminal_states`
    are the distinct outcomes of those trials; None where the row has none that can be read.
    """

    variant_id: Text
    original_task: Text
    dataset: Text
    original_prompt: Text
    underspecified_prompt: Text
    information_dimension: Annotated[tuple[Text, ...], BeforeValidator(_dimensions)]
    ambiguity_class: Class
    removed_segments: tuple[Removed, ...]
    expected_questions: Annotated[tuple[Group, ...], BeforeValidator(_groups)]
    terminal_states: Annotated[tuple[State, ...] | None, BeforeValidator(_states)] = None

    @model_validator(mode="after")
    def _whole(self) -> Row:
        ids = [segment.id for segment in self.removed_segments]
        if not ids:
            raise ValueError("removed_segments: should name at least one segment")
        if twice := next((id for id in ids if ids.count(id) > 1), None):
            raise ValueError(f"removed_segments: {twice} stands twice; each segment needs an id of its own")
        return self


class Broken(NamedTuple):
    """A row that cannot be used: `where` names file and row, and the variant as far as it is known."""

    where: str
    problem: str

    def __str__(self) -> str:
        return f"{self.where}: {self.problem}"


class Published(NamedTuple):
    """What a file holds. `broken` are in the order of the file; they are in no figure."""

    sha256: str
    rows: tuple[Row, ...]
    broken: tuple[Broken, ...]

    @property
    def official(self) -> bool:
        """Whether it is, byte for byte, the file that was published."""
        return self.sha256 == PUBLISHED_SHA256


def read(path: Path, *, strict: bool = False) -> Published:
    """The rows of a file, a JSON array or JSON lines.

    Raises `PublishedError` for a file that cannot be read or has no rows; if `strict`, for the first broken row too.
    """
    try:
        data = path.read_bytes()
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise PublishedError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise PublishedError(f"{path}: should be UTF-8, and is not at byte {error.start}") from None
    rows: list[Row] = []
    broken: list[Broken] = []
    places: dict[str, str] = {}
    for where, value in _values(path, text):
        try:
            found = value if isinstance(value, Broken) else _row(where, value, places)
        except RecursionError:
            found = Broken(where, "should have lists of lists at most; it is nested too deeply to be read")
        if isinstance(found, Row):
            rows.append(found)
            places[found.variant_id] = where
        elif strict:
            raise PublishedError(str(found))
        else:
            broken.append(found)
    if not rows and not broken:
        raise PublishedError(f"{path}: has no rows; it should be a JSON array of variants, or one JSON object a line")
    return Published(hashlib.sha256(data).hexdigest(), tuple(rows), tuple(broken))


def _values(path: Path, text: str) -> Iterator[tuple[str, Any]]:
    """Each row's place and its JSON value, or what is wrong with its line."""
    if text.lstrip().startswith("["):
        try:
            values = json.loads(text)
        except json.JSONDecodeError as error:
            raise PublishedError(f"{path}:{error.lineno}: should be a JSON array, and is none: {error.msg}") from None
        except (ValueError, RecursionError) as error:
            raise PublishedError(f"{path}: should be a JSON array, and is none: {error}") from None
        yield from ((f"{path}: row {number}", value) for number, value in enumerate(values, 1))
        return
    for number, line in numbered(text):
        where = f"{path}:{number}"
        try:
            yield where, json.loads(line)
        except (ValueError, RecursionError) as error:
            problem = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            yield where, Broken(where, f"should be one JSON object on a line, and is none: {problem}")


def _row(where: str, value: Any, places: dict[str, str]) -> Row | Broken:
    if not isinstance(value, dict):
        return Broken(where, f"should be a JSON object; it is {_kind(value)}")
    name = value.get("variant_id")
    named = f"{where} ({_cut(name)})" if isinstance(name, str) and name.strip() else where
    if field := next((field for field in Row.model_fields if not _is_text(value.get(field))), None):
        return Broken(named, f"{field}: should be text that can be written as UTF-8; it has half of a surrogate pair")
    try:
        row = Row.model_validate(value)
    except ValidationError as error:
        return Broken(named, _told(error))
    if before := places.get(row.variant_id):
        return Broken(named, f"variant_id: should be the row's own, and is that of {before}")
    return row


def _is_text(value: Any) -> bool:
    """Whether every text in a value can be written out."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _told(error: ValidationError) -> str:
    """The first thing that is wrong: its field and what would be right; and how many more there are."""
    problems = error.errors(include_url=False)
    first = problems[0]
    place = ".".join(map(str, first["loc"]))
    what = "is missing" if first["type"] == "missing" else own_words(first["msg"])
    if first["type"] not in ("missing", "value_error"):
        what = f"{what[0].lower()}{what[1:]}; it is {_cut(first['input'])}"
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return f"{place}: {what}{more}" if place else f"{what}{more}"


def _kind(value: Any) -> str:
    names: Sequence[tuple[Any, str]] = (
        (type(None), "null"), (bool, "true or false"), (int | float, "a number"), (str, "a text"), (list, "a list"),
    )  # fmt: skip
    return next((name for kind, name in names if isinstance(value, kind)), "an object")


def _cut(value: Any) -> str:
    """A value in an error: on one line, and not all of a long one."""
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
