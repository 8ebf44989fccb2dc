"""Hostile calls, generated from a seed: mostly near enough to a tool's schema to reach its code.

A call's arguments are JSON text, not values: much of what is sent here no JSON library would write. Programs of a
command agent use this too, so it needs the standard library alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

__all__ = ("SIZES", "Call", "Tool", "drawn")

Tool = tuple[str, Mapping[str, Any]]
"""The name of a tool as it is called, and the JSON schema of its arguments."""


class Call(NamedTuple):
    """A name and arguments, each as JSON text, or what was meant to be."""

    name: str
    arguments: str


TEXTS = (
    "", " ", "\x00", "a\x00b", "\ud800", "a\udfffb", "\udc80\ud800", "\u2028\u2029\x85", "\ufeff", "\U0010ffff", "İ",
    "e\u0301" * 40, "\x1b[2J", "x" * 5_000, "\x01" * 5_000, "\u20ac" * 5_000, "../" * 40 + "etc/passwd",
    "a/" * 70 + "b", "/", ".", "..",
    "'; DROP TABLE emails; --", "%", "_", "\\", "$$layer$$", "?", "{{ 7 * 7 }}", "${HOME}", "%s%n", "(", "[", "*" * 300,
    "(a+)+" * 20, "null", "NaN", "1e999", "0001-01-01", "9999-12-31", "9999-12-31 23:59:59", "2024-02-30",
    "2024-03-05 13:30:00", "00000000", "-1", "99999999", "mei.novak@harbor.example", "Mei Novak", "line", "Leads",
    "disambiguate", "confirm_risk", "task_name", "subject", "Which list?", '"Final Answer"',
)  # fmt: skip

NUMBERS = (
    "0", "-0", "-1", "1", "7", "0.1", "-0.0", "1e308", "1.7976931348623157e308", "5e-324", "1e999", "-1e999", "NaN",
    "Infinity", "-Infinity", str(2**53 + 1), str(2**63), str(-(2**63) - 1), "1" + "0" * 30, "9" * 308, "1" + "0" * 309,
    "7" * 4_000, "7" * 5_000, "0x10", "01", "1_000", "--1", "true", "false", "null",
)  # fmt: skip

DEPTHS = (1, 3, 62, 63, 64, 65, 100, 150, 192, 197, 200, 255, 500, 985, 3_000)
SIZES = (20_000, 700_000, 4 * 2**20 - 400, 4 * 2**20 + 1)
"""Bytes of the few texts that are long; each but the first is more than a conversation could carry along."""

PLAUSIBLE = 0.85
"""The share of values that are what the schema asks for."""


def drawn(random: Random, tools: Sequence[Tool], sizes: Sequence[int] = SIZES) -> Call:
    """One call: to a tool that is there as a rule, with arguments that are an object as a rule."""
    name, schema = random.choice(tools)
    if random.random() < 0.05:
        name = random.choice((*TEXTS, name.upper(), "x" * 4_000, f"{name}\ud800"))
    return Call(_text(random, name), _arguments(random, schema, sizes))


def _arguments(random: Random, schema: Mapping[str, Any], sizes: Sequence[int]) -> str:
    parts = schema.get("properties", {})
    fields = [
        f"{_text(random, name)}: {_value(random, part, schema.get('$defs', {}))}"
        for name, part in parts.items()
        if name in schema.get("required", ()) or random.random() < 0.6
    ]
    whole = "{" + ", ".join(fields) + "}"
    match random.randrange(40):
        case 0:
            return random.choice(
                ("[]", "[1]", "null", '"x"', "5", "true", "", " ", "NaN", "{", "}", "\ud800", "{'a': 1}")
            )
        case 1:
            return whole[: random.randrange(len(whole))]
        case 2:
            extra = f"{_text(random, random.choice((*TEXTS, 'x' * 300)))}: {_odd(random)}"
            return "{" + ", ".join([*fields, extra]) + "}"
        case 3:
            many = random.choice((100, 5_000, 20_000))
            return "{" + ", ".join([*fields, *(f'"a{n}": {n}' for n in range(many))]) + "}"
        case 4 if fields:
            return "{" + ", ".join([*fields, *fields]) + "}"
        case 5 if fields and random.random() < 0.3:
            return "{" + ", ".join([*fields[:-1], f'"{next(reversed(parts))}": "{_long(random, sizes)}"']) + "}"
    return whole


def _value(random: Random, part: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    """What the schema asks for, as a rule, though not always anything that makes sense."""
    if random.random() > PLAUSIBLE:
        return _odd(random)
    if "$ref" in part:
        return _value(random, definitions[part["$ref"].rpartition("/")[2]], definitions)
    if options := part.get("anyOf"):
        return _value(random, random.choice(options), definitions)
    if "enum" in part:
        return json.dumps(random.choice(part["enum"]))
    match part.get("type"):
        case "array":
            items = [_value(random, part.get("items", {}), definitions) for _ in range(random.choice((0, 1, 2, 30)))]
            return f"[{', '.join(items)}]"
        case "object":
            named = part.get("properties", {})
            return (
                "{" + ", ".join(f"{_text(random, n)}: {_value(random, p, definitions)}" for n, p in named.items()) + "}"
            )
        case "integer" | "number":
            return random.choice(NUMBERS)
        case "boolean":
            return random.choice(("true", "false"))
        case "null":
            return "null"
    return _text(random, random.choice(TEXTS))


def _odd(random: Random) -> str:
    match random.randrange(5):
        case 0:
            return random.choice(NUMBERS)
        case 1:
            depth = random.choice(DEPTHS)
            opening, closing = random.choice((("[", "]"), ('{"a":', "}"), ('{"\\ud800":', "}")))
            return opening * depth + random.choice(("1", "[]", '"\\ud800"', "NaN")) + closing * depth
        case 2:
            return f"[{', '.join(_text(random, text) for text in random.sample(TEXTS, 3))}]"
        case 3:
            return (
                "{" + ", ".join(f"{_text(random, t)}: {random.choice(NUMBERS)}" for t in random.sample(TEXTS, 2)) + "}"
            )
    return _text(random, random.choice(TEXTS))


def _text(random: Random, text: str) -> str:
    """JSON for a text, as escapes as a rule; a surrogate that is not escaped is for whoever sends it to spell."""
    return json.dumps(text, ensure_ascii=random.random() < 0.9)


def _long(random: Random, sizes: Sequence[int]) -> str:
    size, piece = random.choice(sizes), random.choice(("x", "\\u0001", "\u20ac", "\\ud83d\\ude00"))
    return piece * (size // len(piece.encode()))
