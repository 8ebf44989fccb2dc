"""Which statements are run. What is said here is for clear errors; the locks of the database stand behind it.

DuckDB's parser says of what type a statement is, its tokens say which functions it calls, and its catalogue says what
these do.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

__all__ = ("DATES", "READS", "TIMES", "Functions", "Refused", "Token", "check", "words")

READS: Final = frozenset({"SELECT", "EXPLAIN"})
_WRITES: Final = frozenset({"INSERT", "UPDATE", "DELETE", "MERGE_INTO"})
_PLAIN: Final = frozenset({"CREATE", "ALTER", "DROP"})
_BEGINNINGS: Final = (
    ("CREATE", "TABLE"),
    ("CREATE", "OR", "REPLACE", "TABLE"),
    ("ALTER", "TABLE"),
    ("DROP", "TABLE"),
)

TIMES: Final = {
    "TIMESTAMP": (
        "now", "current_timestamp", "get_current_timestamp", "transaction_timestamp", "current_localtimestamp",
        "localtimestamp",
    ),
    "DATE": ("today", "current_date"),
    "TIME": ("current_localtime", "localtime", "get_current_time", "current_time"),
}  # fmt: skip
"""Type -> functions that tell the time. They tell that of the sandbox."""

DATES: Final = frozenset(
    (
        "+", "-", "century", "date_diff", "date_part", "date_sub", "date_trunc", "datediff", "datepart", "datesub",
        "datetrunc", "day", "dayname", "dayofmonth", "dayofweek", "dayofyear", "decade", "era", "hour", "isodow",
        "isoyear", "julian", "last_day", "microsecond", "millennium", "millisecond", "minute", "month", "monthname",
        "quarter", "second", "strftime", "time_bucket", "week", "weekday", "weekofyear", "year", "yearweek",
    )
)  # fmt: skip
"""Functions that DuckDB takes to give the same only within a statement, since of a time with a zone they ask where we
are. Here that is always UTC."""

_HARMLESS: Final = frozenset(
    ("current_database", "current_schema", "error", "generate_series", "range", "repeat", "unnest")
)

_CLOCKS: Final = frozenset(name for names in TIMES.values() for name in names)

_NAMED: Final = ("INTO", "TABLE", "EXISTS", "WITH", "RECURSIVE")
"""Words behind which a name with a bracket is that of a table."""

_LOOK: Final = "SHOW TABLES and DESCRIBE with a table's name tell what there is."

_OFFER: Final = "SELECT, EXPLAIN, INSERT, UPDATE, DELETE and MERGE, and CREATE, ALTER and DROP of plain tables"


_SAMPLE: Final = re.compile(
    r"(?:(?P<method>[^\W\d]\w*) )?\( [^()]*?(?P<share>(?:%|PERCENT) )?\)(?P<seed> REPEATABLE \()?"
    r"|(?:\. )?\d\w*(?: [.+-](?: \w+)?)*(?P<part> %| PERCENT)?(?: \( (?P<by>\w+)(?P<with> ,)?)?"
)
"""What follows TABLESAMPLE and USING SAMPLE, in both spellings: BERNOULLI(10%) REPEATABLE (1), 10% (bernoulli, 1)."""

_COMMENT: Final = re.compile(r"/\*.*|--.*", re.S)
_WORD: Final = re.compile(r"\w+|[^\w\s]")


class Refused(Exception):
    """A statement that is not run; the text is for the agent."""


class Token(NamedTuple):
    """A word or sign of a statement, comments and texts in quotes left out."""

    text: str
    quoted: bool = False


class Functions(NamedTuple):
    """What may not be called, and which views may not be read, in lower case."""

    refused: frozenset[str]
    views: frozenset[str]

    @classmethod
    def of(cls, functions: Iterable[tuple[str, str, str | None, str | None]], views: Iterable[str]) -> Functions:
        """From the catalogue: name, type, stability and definition of each function, and names of internal views.

        Refused are scalar functions that do not always give the same, and table functions that no scalar function
        shares its name with, but for those known to be safe here; and macros that call one of these.
        """
        functions = list(functions)
        safe = DATES | _HARMLESS | _CLOCKS
        plain = {name for name, _, stability, _ in functions if stability == "CONSISTENT"}
        refused = {name for name, kind, stability, _ in functions if kind == "scalar" and stability != "CONSISTENT"}
        refused = (refused | ({name for name, kind, _, _ in functions if kind == "table"} - plain)) - safe
        while True:
            more = (
                {
                    name
                    for name, kind, _, told in functions
                    if kind in ("macro", "table_macro") and refused & set(re.findall(r"\w+", told or ""))
                }
                - plain
                - safe
            )
            if more <= refused:
                return cls(frozenset(refused), frozenset(views))
            refused |= more


def check(kind: str, tokens: Sequence[Token], functions: Functions) -> None:
    """Raise `Refused`, with the reason, for a statement of that type that is not run."""
    upper = [token.text.upper() for token in tokens]
    if kind == "MULTI":
        raise Refused("PIVOT needs its columns listed here, as in PIVOT t ON x IN ('a', 'b') USING sum(y).")
    if kind not in READS | _WRITES | _PLAIN:
        raise Refused(f"This kind of statement cannot be run here. These can: {_OFFER}.")
    if kind in _PLAIN and not any(tuple(upper[: len(begins)]) == begins for begins in _BEGINNINGS):
        raise Refused(
            "Of all things only plain tables can be created, altered and dropped here, with CREATE TABLE, "
            "ALTER TABLE and DROP TABLE."
        )
    if kind == "EXPLAIN" and "ANALYZE" in upper[1:4]:
        raise Refused("EXPLAIN ANALYZE cannot be used here, since it tells of the machine; EXPLAIN can.")
    for place, token in enumerate(tokens):
        name, before = token.text.lower(), upper[place - 1] if place else ""
        called = upper[place + 1 : place + 2] == ["("] and before not in _NAMED
        if called and (name in functions.refused or (before == "." and name in _CLOCKS)):
            raise Refused(f"{name} cannot be called here. {_LOOK} now() and current_date tell the time.")
        if name in functions.views:
            raise Refused(f"{name} cannot be read here. {_LOOK}")
        sampled = name == "tablesample" or (name == "sample" and before == "USING")
        if sampled and not token.quoted and _unseeded(" ".join(upper[place + 1 :])):
            raise Refused(
                "A sample of a share of the rows needs a seed here, since without one it is another each time: "
                "TABLESAMPLE BERNOULLI(10 PERCENT) REPEATABLE (1). One of a number of rows needs none: "
                "USING SAMPLE 10 ROWS."
            )


def _unseeded(clause: str) -> bool:
    """Whether a sample is of a share of the rows, not by RESERVOIR, and without a seed.

    Those DuckDB draws anew for each statement; all others keep to `setseed`.
    """
    found = _SAMPLE.match(clause)
    if found is None or found["seed"] or found["with"]:
        return False
    return bool(found["share"] or found["part"]) and (found["method"] or found["by"]) != "RESERVOIR"


def words(text: str, marks: Sequence[tuple[int, str]]) -> list[Token]:
    """The tokens of a statement, from DuckDB's: where each begins, and of what kind it is."""
    found: list[Token] = []
    ends = [*(place for place, _ in marks[1:]), len(text.encode())]
    raw = text.encode()
    for (place, kind), end in zip(marks, ends, strict=True):
        part = "".join(map(_seen, raw[place:end].decode("utf-8", "replace"))).strip()
        if kind in ("comment", "string_const"):
            continue
        if part.startswith('"'):
            found.append(Token(part[1 : part.rfind('"')].replace('""', '"'), quoted=True))
        else:
            found += [Token(each) for each in _WORD.findall(_COMMENT.sub("", part))]
    return found


def _seen(character: str) -> str:
    """A character as it is, but a space for one that cannot be seen: DuckDB takes several of them for spaces."""
    return " " if unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp", "Zs") else character
