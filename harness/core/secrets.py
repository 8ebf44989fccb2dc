"""Nothing that is stored or shown may hold a key."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote

__all__ = ("HIDDEN", "Secrets", "is_secret", "looks_secret", "scrub", "secrets_in")

HIDDEN = "[hidden]"

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
_SHORTEST = 8  # shorter values are flags and words, and would blank out ordinary text
_LONGEST_PLAIN = 40
_PLAIN = re.compile(
    r"""(?x) (?! (?: \S+ \s ){3} )  # four words in a row may be a passphrase
        (?:
            (?: (?![A-Za-z]{16}) (?: [A-Z]?[a-z]+ | [A-Z]+ | (?: [A-Z]?[a-z]{2,} ){2,3} )  # a word, or CamelCase
              | \d{1,8} | [A-Za-z]{1,2}\d{1,4} | \d{1,4}[A-Za-z]{1,2} | \d\dT\d\d )  # 2025, v2, 3rd, a time
            (?: :// | [,;:.]\s | [-_.,:;/+@\s] | [.!?]?\Z )
        )+"""
)
_HEADERS = frozenset(
    {"authorization", "proxyauthorization", "apikey", "xapikey", "xgoogapikey", "cookie", "setcookie"}
)  # as `_plain` spells them
_VALUE = r"""(?: (?=[^\s"'\\,;}]*\d) [^\s"'\\,;}]{8,} | [^\s"'\\,;}]{20,} )"""  # a token, not a word of prose
_HEADER = re.compile(
    rf"""(?ix) \b ( (?:proxy-)?authorization | (?:x-(?:goog-)?)?api[-_]key ) \b (["'\\]* \s* [:=] \s* ["'\\]*)
         (?: (?:bearer|basic) \s+ [^\s"'\\,;}}]+ | {_VALUE} )""",
)
_BEARER = re.compile(rf"(?ix) \b (bearer) \s+ {_VALUE}")
_HINTS = ("authorization", "apikey", "bearer", "cookie", "secret", "password", "accesstoken", "authtoken")


class Secrets:
    """Values that may not be stored, to be found in texts and in the JSON of whatever holds such a text."""

    def __init__(self, values: tuple[str, ...]) -> None:
        forms = {form for s in values for form in (s, _escaped(s), _escaped(_escaped(s)), quote(s, safe=""))}
        longest_first = sorted(forms, key=lambda form: (-len(form), form))
        self._in_text = re.compile("|".join(map(re.escape, longest_first)))
        self._forms = tuple(longest_first)
        self._in_json = tuple({_escaped(form) for form in forms})

    def stand_in(self, json: str) -> bool:
        """Whether any of them stands in that JSON."""
        return any(form in json for form in self._in_json)

    def hidden(self, value: Any) -> Any:
        """The same JSON-able structure without them, keys included; nothing else is touched."""
        if isinstance(value, str):
            return self._in_text.sub(HIDDEN, value) if any(form in value for form in self._forms) else value
        if isinstance(value, Mapping):
            return {self.hidden(key): self.hidden(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self.hidden(item) for item in value)
        return value


def secrets_in(environ: Mapping[str, str] | None = None, also: tuple[str, ...] = ()) -> Secrets | None:
    """The secrets of an environment (None: this process's), and `also` those; None where there are none.

    Those are the values of variables whose name holds KEY, TOKEN, SECRET or PASSWORD, if they look like one. What is
    made of words, numbers or a date is taken for a setting (`SORT_KEY=finished`): it stands in ordinary texts, and
    results would change with it. Four words or more may be a passphrase.
    """
    environ = os.environ if environ is None else environ
    found = tuple(environ[name] for name in environ if _names_secret(name) and is_secret(environ[name]))
    return _secrets(found + also) if found or also else None


@lru_cache(maxsize=64)
def is_secret(value: str) -> bool:
    """Whether a value may be a secret: at least 8 characters, and not just a few words, a number or a date."""
    return len(value) >= _SHORTEST and (len(value) > _LONGEST_PLAIN or not _PLAIN.fullmatch(value))


def scrub(value: Any, environ: Mapping[str, str] | None = None, also: tuple[str, ...] = ()) -> Any:
    """The same JSON-able structure without secrets.

    Gone are, wherever they stand in a text: those of `secrets_in` (as they are, JSON-escaped once or twice, or
    percent-encoded), and authorization headers. Fields named like such a header lose their value.
    """
    secrets = secrets_in(environ, also)
    text = json.dumps(value, ensure_ascii=False)
    plain = _plain(text)
    if any(hint in plain for hint in _HINTS) or (secrets and secrets.stand_in(text)):
        return _scrub(value, secrets)
    return value  # nearly always, and much faster than to visit every text


def looks_secret(name: str) -> bool:
    """Whether a field of that name carries a credential: `api_key`, `Authorization`, `X-Api-Key`..."""
    plain = _plain(name)
    return plain in _HEADERS or plain.endswith(("apikey", "secret", "password", "accesstoken", "authtoken"))


def _plain(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")


@lru_cache(maxsize=1024)
def _names_secret(name: str) -> bool:
    return bool(_SECRET_NAME.search(name))


_secrets = lru_cache(maxsize=8)(Secrets)


def _escaped(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _scrub(value: Any, secrets: Secrets | None) -> Any:
    if isinstance(value, str):
        return _text(value, secrets)
    if isinstance(value, dict):
        return {
            _text(key, secrets): HIDDEN
            if isinstance(item, str) and item and looks_secret(key)
            else _scrub(item, secrets)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_scrub(item, secrets) for item in value]
    return value


def _text(text: str, secrets: Secrets | None) -> str:
    if secrets is not None:
        text = secrets.hidden(text)
    plain = _plain(text)
    if "authorization" in plain or "apikey" in plain:
        text = _HEADER.sub(rf"\1\2{HIDDEN}", text)
    if "bearer" in plain:
        text = _BEARER.sub(rf"\1 {HIDDEN}", text)
    return text
