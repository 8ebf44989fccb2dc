"""The figures by what agents were told and how they work: personas, notices, strategies, manners of the user."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.lhaw import metrics
from benchmarks.lhaw.conditions import LACKING, Pairing, asks, described
from benchmarks.lhaw.metrics import Arm
from benchmarks.lhaw.tables.group import (
    Four,
    Group,
    at_300,
    ckpt_gain_per_question,
    complete,
    figures,
    limits,
    partly,
)
from benchmarks.lhaw.tables.splits import Kind, classed, marked
from harness.report import Chart, intervals
from harness.report.manners import alike, span
from harness.report.texts import percent, rounded
from harness.suite import Table
from servers.kernel import canonical

__all__ = ("before_asking", "by_condition", "by_persona", "by_strategy", "calls_by_class", "manners")


def _persona(group: Group, pairing: Pairing) -> str:
    return str(group.conditions.get(pairing.lacking_ask, {}).get("persona", "none"))


def _personas(group: Group) -> dict[str, Pairing]:
    """Pairings that differ from the main one in its persona alone, that one first."""

    def rest(pairing: Pairing) -> bytes:
        condition = group.conditions.get(pairing.lacking_ask, {})
        return canonical({name: value for name, value in condition.items() if name != "persona"})

    found: dict[str, Pairing] = {}
    for pairing in group.pairings:
        if rest(pairing) == rest(group.main):
            found.setdefault(_persona(group, pairing), pairing)
    return found


def by_persona(group: Group) -> list[Table]:
    """What asking costs, as agents were told: table 14."""
    found = _personas(group)
    rows = []
    for name in group.agents if len(found) > 1 else ():
        for persona, pairing in found.items():
            row = {"agent": name, "persona": persona, **_costed(group.four(name, pairing))}
            if row["variants"]:
                rows.append(row)
    notes = (
        *group.paper("table 14"),
        *partly(rows),
        "Gain/Q, ckpt gain/Q: the gain divided by all questions over the trials of its variants, as published; at 300: "
        "had there been 300 trials.",
    )
    return group.table("by persona", rows, notes, of=[name for each in found.values() for name in each.main])


def _costed(four: Four) -> dict[str, Any]:
    """The figures, the paper's quotient of Ckpt%, and what both quotients would be of 300 trials."""
    return {**figures(four), "ckpt gain/Q": ckpt_gain_per_question(four), **at_300(four, "gain/Q", "ckpt gain/Q")}


def by_condition(group: Group) -> list[Table]:
    """Every way to ask that a run has, where personas alone do not tell them apart."""
    if len(group.pairings) == len(_personas(group)):
        return []
    rows = []
    for name in group.agents:
        for pairing in group.pairings:
            row = {
                "agent": name,
                "asking": described(pairing.lacking_ask, group.conditions),
                "against": described(pairing.lacking, group.conditions) if pairing.lacking else "-",
                **figures(group.four(name, pairing)),
            }
            if row["variants"]:
                rows.append(row)
    notes = ["Gains are those of the condition in asking over the one in against.", *partly(rows)]
    return group.table("by condition", rows, notes, of=[name for each in group.pairings for name in each.main])


def by_strategy(group: Group, kind: Kind) -> list[Table]:
    """Table 10: ways of working by class, where agents differ in them."""
    working = {name: str(config["strategy"]) for name, config in group.agents.items() if config.get("strategy")}
    members = classed(group, kind)
    if len(set(working.values())) < 2 or not members:
        return []
    everything = [variant for variants in members.values() for variant in variants]
    rows = []
    for each, variants in (("all", everything), *members.items()):
        for name, strategy in working.items():
            part = group.four(name).only(variants)
            if (found := figures(part))["variants"]:
                row = {f"{kind} class": each, "agent": name, "strategy": strategy, **found}
                rows.append(row | marked(group, name, kind, part))
    notes = (*group.paper("table 10"), "Strategies compare where agents share model, tools and budgets.", *partly(rows))
    return group.table(f"by strategy and {kind} class", rows, notes)


def calls_by_class(group: Group, kind: Kind) -> list[Table]:
    """Mean questions of a trial by class and persona: figure 6."""
    found, members = _personas(group), classed(group, kind)
    rows, means = [], []
    for name in group.agents:
        for persona, pairing in found.items():
            for each, variants in members.items():
                part = group.four(name, pairing).only(variants)
                *_, lacking, asking = part
                mean = metrics.calls_per_trial(asking)
                if mean.n:
                    means.append(mean)
                    done, total = complete(lacking, asking)
                    rows.append(
                        {
                            "agent": name,
                            "persona": persona,
                            f"{kind} class": each,
                            "complete": done,
                            "variants": total,
                            "trials": mean.n,
                            "calls/trial": rounded(mean.value, 3),
                            "low": rounded(mean.low, 3),
                            "high": rounded(mean.high, 3),
                            **marked(group, name, kind, part),
                        }
                    )
    panels = tuple(column for column in ("agent", "persona") if len({row[column] for row in rows}) > 1)
    return group.table(
        f"questions by {kind} class and persona",
        rows,
        (*group.paper("figure 6"), *intervals.notes(means, "Low and high")),
        Chart("bars", f"{kind} class", ("calls/trial",), panels=panels, unit="questions a trial"),
        of=[pairing.lacking_ask for pairing in found.values()],
    )


def before_asking(group: Group) -> list[Table]:
    """What was done for good before the first question that mattered, under each condition that withholds something."""
    names = [name for each in group.pairings for name in (each.lacking, each.lacking_ask) if name]
    rows = []
    for agent in group.agents:
        for name in dict.fromkeys(names):
            arm = group.arms.get(agent, {}).get(name, {})
            valid, total = metrics.trials_of(arm)
            if not total:
                continue
            asked, silent = (metrics.irreversible_rate(arm, asked=each) for each in (True, False))
            side = metrics.side_effect_rate(arm)
            rows.append(
                {
                    "agent": agent,
                    "under": described(name, group.conditions),
                    "valid": valid,
                    "trials": total,
                    **limits("side effects %", side, "low", "high"),
                    "asked": asked.n,
                    **limits("hasty %", asked, "hasty low", "hasty high"),
                    "silent": silent.n,
                    **limits("went ahead %", silent, "ahead low", "ahead high"),
                }
            )
    notes = (
        "Asked: trials that put a question about something withheld; hasty: those of them that had sent something or "
        "removed something for good before it. Silent: trials that put none; went ahead: those that sent or removed.",
        "Sent: a mail or a message. Removed for good: a row that was there at the start, not moved to the trash.",
    )
    return group.table("before the first question", rows, notes, of=names)


def manners(group: Group) -> list[Table]:
    """The main figures over conditions that differ in the user's manner alone."""
    able = {name: each for name, each in group.conditions.items() if group.users.get(name) and asks(each)}
    of = {pairing.lacking_ask: pairing for pairing in group.pairings}
    measures: Mapping[str, Callable[[Arm, Arm], float | None]] = {
        "pass@3 gain": lambda lacking, asking: metrics.gain(lacking, asking).value,
        "ask %": lambda _, asking: metrics.ask_rate(asking).value,
        "segments asked for %": lambda _, asking: metrics.recall(asking, LACKING),
    }
    tables: list[Table] = []
    for names in (found for found in alike(able) if group.main.lacking_ask in found):
        rows = []
        for agent in group.agents:
            fours = [group.four(agent, of[name]) for name in names]
            counts = [complete(four.lacking, four.lacking_ask) for four in fours]
            row: dict[str, Any] = {
                "agent": agent,
                "complete, fewest": min(done for done, _ in counts),
                "variants": max(total for _, total in counts),
            }
            for figure, value in measures.items():
                lowest, highest = span([value(four.lacking, four.lacking_ask) for four in fours])
                row[f"{figure}, lowest"], row[f"{figure}, highest"] = percent(lowest), percent(highest)
            rows.append(row)
        told = ", ".join(described(name, group.conditions) for name in names)
        tables += group.table("what the user is worth, over manners", rows, [f"Over: {told}."], of=names)
    return tables
