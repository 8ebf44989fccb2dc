"""What a session's texts have to be like, as far as it can be told without playing: tables 9 to 11 of the paper.

What a session names has to be there, too, as far as apps and their tools and tables tell.

Each rule is a function of a session and its episode that yields problems; `RULES` has them all.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.pi.episode import Episode, episode
from benchmarks.pi.playing import needed, surface
from benchmarks.pi.predicates import File, Mail, Predicate, Row, Seen, Was, absent, parts
from benchmarks.pi.session import Call, Session
from benchmarks.pi.skills import skills
from benchmarks.pi.words import inside, normal
from harness.core.near import near
from harness.suite import SuiteError
from servers import catalog
from servers.kernel import InvalidArguments

__all__ = ("RULES", "Problem", "problems")

REQUEST_WORDS: Final = 120
ASK_ONLY_SHARE: Final = 0.15
SHELLS: Final = 10
_SHELL: Final = ("filesystem", "shell_exec")

_BENCHMARK: Final = ("benchmark", "hidden intent", "checklist", "test case", "rubric", "evaluation", "simulated user",
                     "proactive", "proactivity", "ground truth", "task id")  # fmt: skip
_VAGUE: Final = ("make it better", "best practice", "best practices", "as appropriate", "high quality", "as needed",
                 "professional", "user friendly", "do it properly", "good quality", "where relevant",
             "and so on")  # fmt: skip
_CONDUCT: Final = ("asks", "asked", "asking", "ask the user", "proactive", "proactively", "initiative", "unprompted",
                   "without being told", "clarifies", "clarifying", "clarified")  # fmt: skip


class Problem(NamedTuple):
    """What is wrong with a session's file."""

    path: Path
    line: int
    rule: str
    words: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.rule}: {self.words}"


Where = tuple[str | int, ...]
Found = Iterator[tuple[Where, str]]


def problems(episode: Episode) -> list[Problem]:
    """All problems of all sessions, in order of file and line."""
    return sorted(
        Problem(source.path, source.line(*where), name, words)
        for session in episode.sessions
        for source in (episode.sources[session.id],)
        for name, rule in RULES.items()
        for where, words in rule(session, episode)
    )


def main(given: Sequence[str] | None = None) -> int:
    """Print what is wrong with the sessions of the folders named; 1 where something is."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.pi.validators", description="What is wrong with sessions, as far as no play is needed."
    )
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="the folder of a persona's sessions")
    folders: list[Path] = parser.parse_args(given).folders
    wrong: list[str] = []
    for folder in folders:
        try:
            wrong += map(str, problems(episode(folder)))
        except SuiteError as error:
            wrong += str(error).splitlines()
    told = "\n".join(wrong) or f"Nothing is wrong with the sessions of {', '.join(map(str, folders))}."
    sys.stdout.write(f"{told}\n")
    return int(bool(wrong))


# Table 9: the request.


def request_length(session: Session, episode: Episode) -> Found:
    count = len(session.trigger.words.split())
    if session.trigger.kind == "user" and count > REQUEST_WORDS:
        yield ("trigger",), f"the request has {count} words; at most {REQUEST_WORDS}"


def benchmark_words(session: Session, episode: Episode) -> Found:
    for word in _among(session.trigger.words, _BENCHMARK):
        yield ("trigger",), f"{word!r} is not a word of somebody at work; leave it out"


def tool_names(session: Session, episode: Episode) -> Found:
    for name in sorted(_tools()):
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", session.trigger.words):
            yield ("trigger",), f"the request names the tool {name!r}; say what is wanted instead"


def ids_in_request(session: Session, episode: Episode) -> Found:
    ids = {other.id for other in episode.sessions} | {g for g in episode.groups if any(c.isdigit() for c in g)}
    ids |= {each.id for each in session.intents} | {each.id for each in session.checklist}
    ids = {id for id in ids if any(map(str.isdigit, id))}
    words = session.trigger.words
    for id in sorted(id for id in ids if re.search(rf"(?<![\w-]){re.escape(id)}(?![\w-])", words)):
        yield ("trigger",), f"the request has the id {id!r}, which nobody at work knows"


def all_in_request(session: Session, episode: Episode) -> Found:
    for n, intent in enumerate(session.intents):
        if inside(intent.text, session.trigger.words) or inside(intent.says, session.trigger.words):
            yield ("intents", n), f"{intent.id!r} stands in the request word for word; an intent is not stated there"


# The specification's section 1: the shell.


def shell(session: Session, episode: Episode) -> Found:
    """At most ten sessions of a persona need one, and whoever calls it says so."""
    if session.needs == "shell":
        number = [each.id for each in episode.sessions if each.needs == "shell"].index(session.id) + 1
        if number > SHELLS:
            yield ("needs",), f"this is session {number} of {episode.persona!r} that needs a shell; at most {SHELLS}"
        return
    for where, call in _calls(session):
        if (call.app, call.tool) == _SHELL:
            yield where, "`shell_exec` is there only where the session says `needs: shell`"


# What a session names: it is there.


def apps(session: Session, episode: Episode) -> Found:
    """All that a session has to do with is of its own `apps`: it is played alone too, without those of its group."""
    places: dict[str, list[Where]] = {}
    for where, app in _used(session):
        if app not in session.apps and not absent(app):
            places.setdefault(app, []).append(where)
    for app, (first, *others) in places.items():
        more = f", and {len(others)} more" if others else ""
        yield first, f"`apps` has no {app!r}, which this needs{more}"


def calls(session: Session, episode: Episode) -> Found:
    """Calls are of tools that the session is played with, and have arguments that these take."""
    for where, call in _calls(session):
        if told := absent(call.app):
            yield where, told
            continue
        tools = surface(catalog.app(call.app), needed([session])).tools
        if call.tool not in tools:
            if (call.app, call.tool) != _SHELL:  # of which `shell` tells
                yield where, f"{call.app} has no tool {call.tool!r}.{near(call.tool, tools)} It has {', '.join(tools)}."
            continue
        tool, name = tools[call.tool], f"{call.app}.{call.tool}"
        known = tool.input_schema["properties"]
        strange = [argument for argument in call.arguments if argument not in known]
        for argument in strange:
            what = f"{name} has no argument {argument!r}.{near(argument, known)} It has {', '.join(known) or 'none'}."
            yield (*where, "arguments", argument), what
        if not strange:
            try:
                tool.check(call.arguments)
            except InvalidArguments as refusal:
                yield where, f"{name}: {'; '.join(refusal.problems)}"


def rows(session: Session, episode: Episode) -> Found:
    """Rows that are named are of tables that exist, and a mutation changes fields that these have."""
    for where, place, fields in _places(session):
        kind, _, name = place.partition(":")
        app, _, table = name.partition(".")
        if where[0] != "checklist":  # a judge looks at a table
            table, _, id = table.partition(".")
            if kind == "row" and not id:
                start = "" if where[0] == "mutations" else "row:"
                yield where, f"{start + name!r} is no row; write {start}{app}.{table or 'TABLE'}.ID"
                continue
        if kind == "row" and (told := absent(app, table, fields)):
            yield where, told


# Table 10: the intents.


def values_withheld(session: Session, episode: Episode) -> Found:
    for n, intent in enumerate(session.intents):
        for value in intent.values:
            if inside(value, session.trigger.words):
                yield ("intents", n, "values"), f"{value!r} of {intent.id!r} stands in the request"
            if not inside(value, intent.says):
                yield ("intents", n, "values"), f"{value!r} of {intent.id!r} is not in what it `says`"


def values_in_skills(session: Session, episode: Episode) -> Found:
    for n, intent in enumerate(session.intents):
        for value in intent.values:
            for name, texts in skills().items():
                if any(inside(value, text) for text in texts.values()):
                    told = f"{value!r} of {intent.id!r} stands in the skill {name!r}; a skill gives nothing away"
                    yield ("intents", n, "values"), told


def vague(session: Session, episode: Episode) -> Found:
    for n, intent in enumerate(session.intents):
        for word in _among(f"{intent.text} . {intent.says}", _VAGUE):
            yield ("intents", n), f"{intent.id!r} says {word!r}; say what exactly"


def persistent_evidence(session: Session, episode: Episode) -> Found:
    for n, intent in enumerate(session.intents):
        if intent.scope == "persistent" and intent.ask_only:
            yield (
                ("intents", n),
                f"{intent.id!r} is persistent and has no evidence; say where it can be learnt, or make it local",
            )


def evidence_quotes(session: Session, episode: Episode) -> Found:
    """Quotes from earlier sessions (request, or what an intent of it says) and from the user's own files."""
    earlier = {each.id: each for each in episode.before(session.id)}
    files = {path: text for each in (*earlier.values(), session) for path, text in each.files.items()}
    for n, intent in enumerate(session.intents):
        for k, evidence in enumerate(intent.evidence):
            here, (kind, _, name) = ("intents", n, "evidence", k), evidence.at.partition(":")
            if kind == "session":
                if name not in earlier:
                    yield here, f"{intent.id!r}: there is no earlier session {name!r}; evidence comes before"
                    continue
                texts = [earlier[name].trigger.words, *(each.says for each in earlier[name].intents)]
                if not any(evidence.quote in text for text in texts):
                    yield here, f"{intent.id!r}: nobody says {evidence.quote!r} in session {name!r}"
            elif kind == "file" and name in files and evidence.quote not in files[name]:
                yield here, f"{intent.id!r}: {name} does not hold {evidence.quote!r} word for word"


def ask_only_share(session: Session, episode: Episode) -> Found:
    """Of a whole episode; told once, at its first session."""
    intents = [intent for each in episode.sessions for intent in each.intents]
    count = sum(intent.ask_only for intent in intents)
    if session is episode.sessions[0] and count > ASK_ONLY_SHARE * len(intents):
        yield ("intents",), f"{count} of the episode's {len(intents)} intents can only be asked for; at most 15%"


def intent_affects(session: Session, episode: Episode) -> Found:
    for n, intent in enumerate(session.intents):
        needing = {item.id for item in session.checklist if intent.id in item.needs}
        if not needing:
            yield ("intents", n), f"no item needs {intent.id!r}; an intent affects the outcome, or is left out"
        elif stray := sorted(set(intent.flip.changes) - needing):
            yield ("intents", n, "flip"), f"{intent.id!r} changes {', '.join(stray)}, which does not need it"


def flipped(session: Session, episode: Episode) -> Found:
    for n, intent in enumerate(session.intents):
        if normal(intent.flip.says) == normal(intent.says):
            yield ("intents", n, "flip"), f"{intent.id!r} flipped says the same; say the opposite, which changes items"


def shown_when_handed_over(session: Session, episode: Episode) -> Found:
    """Whoever is handed something over sees which calls were made and rows as they are, not what calls returned."""
    for n, intent in enumerate(session.intents):
        for kind in sorted({each.kind for each in parts(intent.done)} & {"seen", "was"}):
            what = "what was looked at" if kind == "seen" else "rows that are gone"
            told = f"{intent.id!r} is done by {kind!r}, and a hand-over does not show {what}"
            yield ("intents", n, "done"), f"{told}; put it into the check of an item"


# Table 11: the items.


def conduct(session: Session, episode: Episode) -> Found:
    for n, item in enumerate(session.checklist):
        for word in _among(item.text, _CONDUCT):
            yield (
                ("checklist", n, "text"),
                f"{item.id!r} says {word!r}; an item is a condition of the end, not of conduct",
            )


def why_not_rule(session: Session, episode: Episode) -> Found:
    for n, item in enumerate(session.checklist):
        if item.rubric is not None and not item.why_not_rule.strip():
            yield ("checklist", n), f"{item.id!r} has a rubric; `why_not_rule` says why no check can tell"
        if item.rubric is None and item.why_not_rule:
            yield ("checklist", n), f"{item.id!r} has a check; `why_not_rule` belongs to a rubric"


def mutated(session: Session, episode: Episode) -> Found:
    failing = {id for mutation in session.mutations for id in mutation.fails}
    for n, item in enumerate(session.checklist):
        if item.id not in failing:
            yield ("checklist", n), f"no mutation fails {item.id!r}; show one end that it refuses"


def spared(session: Session, episode: Episode) -> Found:
    for n, mutation in enumerate(session.mutations):
        if len(session.checklist) > 1 and len(set(mutation.fails)) == len(session.checklist):
            yield ("mutations", n), "fails every item; a mutation leaves those true that do not depend on it"


def weights(session: Session, episode: Episode) -> Found:
    whole = sum(item.weight for item in session.checklist)
    for n, item in enumerate(session.checklist):
        if len(session.checklist) > 2 and item.weight > whole / 2:
            yield ("checklist", n), f"{item.id!r} weighs {item.weight:g} of {whole:g}; no item is more than half"


def reviewed(session: Session, episode: Episode) -> Found:
    others = set(session.metadata.reviewers) - {session.metadata.author}
    if len(others) < 2:
        yield ("metadata",), "two reviewers other than the author have read a session; name them"


RULES: Final[Mapping[str, Callable[[Session, Episode], Found]]] = {
    rule.__name__.replace("_", "-"): rule
    for rule in (
        request_length, benchmark_words, tool_names, ids_in_request, all_in_request, shell,
        apps, calls, rows,
        values_withheld, values_in_skills, vague, persistent_evidence, evidence_quotes, ask_only_share,
        intent_affects, flipped, shown_when_handed_over,
        conduct, why_not_rule, mutated, spared, weights, reviewed,
    )
}  # fmt: skip
"""Rule name -> the rule."""


def _calls(session: Session) -> Iterator[tuple[Where, Call]]:
    """Where each call of a session stands, and the call."""
    literal = session.literal.calls if session.literal else ()
    works = {
        ("reference", "calls"): session.reference.calls,
        ("reference", "guarded"): session.reference.guarded,
        ("literal", "calls"): literal,
    }
    yield from (((*where, n), call) for where, calls in works.items() for n, call in enumerate(calls))
    for n, mutation in enumerate(session.mutations):
        yield from (
            (("mutations", n, "calls", str(number)), call)
            for number, call in mutation.calls.items()
            if call is not None
        )


def _places(session: Session) -> Iterator[tuple[Where, str, Collection[str]]]:
    """Where a file, a row, a table or a page is named, as `file:PATH` and the like, and the fields that are changed."""
    for n, place in enumerate(session.refers):
        yield ("refers", n), place, ()
    for n, intent in enumerate(session.intents):
        yield from ((("intents", n, "evidence", k), each.at, ()) for k, each in enumerate(intent.evidence))
    for n, item in enumerate(session.checklist):
        looks = item.rubric.evidence if item.rubric else ()
        yield from ((("checklist", n, "rubric", "evidence", k), place, ()) for k, place in enumerate(looks))
    for n, mutation in enumerate(session.mutations):
        yield from ((("mutations", n, "rows", row), f"row:{row}", fields) for row, fields in mutation.rows.items())


def _used(session: Session) -> Iterator[tuple[Where, str]]:
    """The app of each predicate, call and place, and of the files that a shell and the person's own are."""
    if session.needs == "shell":
        yield ("needs",), "filesystem"
    if session.files:
        yield ("files",), "filesystem"
    predicates: list[tuple[Where, Predicate]] = [
        *((("intents", n, "done"), each.done) for n, each in enumerate(session.intents)),
        *((("checklist", n, "check"), each.check) for n, each in enumerate(session.checklist) if each.check),
        *((("guards", n), each) for n, each in enumerate(session.guards)),
    ]
    for where, predicate in predicates:
        for part in parts(predicate):
            match part:
                case File():
                    yield where, "filesystem"
                case Row() | Was() | Seen() | Mail():
                    yield where, part.app
    yield from ((where, call.app) for where, call in _calls(session))
    for where, place, _ in _places(session):
        kind, _, name = place.partition(":")
        if kind in ("file", "web", "row"):
            yield where, {"file": "filesystem", "web": "web"}.get(kind, name.partition(".")[0])


def _among(text: str, words: tuple[str, ...]) -> list[str]:
    return [word for word in words if inside(word, text)]


@cache
def _tools() -> frozenset[str]:
    """Names of tools that are no plain word: `search_emails`, not `search`."""
    found = (tool for app in catalog.apps().values() for each in app.toolsets.values() for tool in each.tools)
    return frozenset(name for name in found if "_" in name)


if __name__ == "__main__":
    raise SystemExit(main())
