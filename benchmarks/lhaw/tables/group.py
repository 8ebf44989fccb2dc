"""What tables are made from: the arms of a run's models, or of its instruments, and the cells they have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from benchmarks.lhaw import metrics
from benchmarks.lhaw.conditions import LACKING, Conditions, Pairing
from benchmarks.lhaw.metrics import Arm
from harness.report import Chart, Figure
from harness.report.texts import percent, rounded
from harness.report.users import titled
from harness.scoring.stats import Interval
from harness.suite import Suite, Table
from harness.task import Task

__all__ = (
    "CLASSES",
    "Agents",
    "Four",
    "Group",
    "Row",
    "at_300",
    "bare",
    "ckpt_gain_per_question",
    "complete",
    "figures",
    "limits",
    "partly",
    "percents",
    "three",
)

Row = Mapping[str, Any]
Agents = Mapping[str, Mapping[str, Any]]

CLASSES = ("outcome-critical", "divergent", "benign")
"""In the paper's order; `designed_class` and `empirical_class` are two facts of a variant and never pooled."""


class Four(NamedTuple):
    """One agent's arms under a pairing."""

    original: Arm
    original_ask: Arm
    lacking: Arm
    lacking_ask: Arm

    def only(self, variants: Iterable[str]) -> Four:
        """The parts with those variants; on the whole request all, since all trials of a task count there.

        An arm that was played stays so, with no trials of a variant that it lacks: which is then not complete in it.
        """
        wanted = (self.lacking.keys() | self.lacking_ask.keys()) & set(variants)
        lacking, asking = (
            {name: arm.get(name, ()) for name in sorted(wanted)} if arm else arm
            for arm in (self.lacking, self.lacking_ask)
        )
        return self._replace(lacking=lacking, lacking_ask=asking)

    @property
    def complete(self) -> Four:
        """The part that pass@3 and its gain are over."""
        return self.only(metrics.complete_variants(self.lacking, self.lacking_ask))

    @property
    def covered(self) -> Four:
        """The part that checkpoints and their gain are over."""
        return self.only(metrics.ckpt_variants(self.lacking, self.lacking_ask))

    @property
    def variants(self) -> Arm:
        """An arm that has each variant, to weigh a baseline by: both have the same in `complete` and `covered`."""
        return self.lacking or self.lacking_ask


class Group(NamedTuple):
    """Agents whose tables bear one title: `Clarification` for models, `Calibration` for instruments.

    `arms` are by agent and condition; `users` the labels of whom conditions let agents ask.
    """

    title: str
    suite: Suite
    agents: Agents
    arms: metrics.Arms
    conditions: Conditions
    users: Mapping[str, str]
    pairings: Sequence[Pairing]

    @property
    def main(self) -> Pairing:
        return self.pairings[0]

    def four(self, agent: str, pairing: Pairing | None = None) -> Four:
        """An agent's arms, of the main pairing unless another is given."""
        mine = self.arms.get(agent, {})
        return Four(*(mine.get(name, {}) for name in pairing or self.main))

    def played(self, condition: str) -> bool:
        """Whether any of the agents has a trial under it."""
        return any(arms.get(condition) for arms in self.arms.values())

    def paper(self, which: str) -> tuple[str, ...]:
        """A note that names the paper's table or figure, which what instruments made never bears."""
        return () if self.title == "Calibration" else (f"As {which} of the paper (LHAW, arXiv 2602.10525).",)

    def table(
        self,
        what: str,
        rows: Sequence[Row],
        notes: Sequence[str] = (),
        *charts: Chart,
        of: Iterable[str] | None = None,
        lead: bool = False,
    ) -> list[Table]:
        """A table whose title names the users of the conditions `of` which it is made, of the main pairing if none.

        Those that nobody played are not named. None without rows. A figure where it has charts. `lead` as of `Table`.
        """
        if not rows:
            return []
        title = f"{self.title}: {what}" if what else self.title
        names = filter(self.played, self.main.main if of is None else of)
        title = titled(title, [self.users.get(name, "") for name in names])
        columns = list(rows[0])
        made = Figure.of(title, columns, rows, notes, *charts, lead=lead) if charts else None
        return [made or Table(title, columns, rows, notes, lead)]

    def members(self, groups: Callable[[Task], Sequence[str]], order: Sequence[str] = ()) -> dict[str, list[str]]:
        """Variants by group, groups in that order, then by name. A variant counts once under each of its groups."""
        found: dict[str, list[str]] = {}
        for task in self.suite.tasks:
            for name in dict.fromkeys(groups(task)):
                found.setdefault(name, []).append(task.id)
        known = {name: n for n, name in enumerate(order)}
        return dict(sorted(found.items(), key=lambda item: (known.get(item[0], len(known)), item[0])))


def partly(rows: Iterable[Row]) -> Iterator[str]:
    """What figures are of, where not every variant is complete."""
    if any(row["complete"] < row["variants"] for row in rows):
        yield (
            "Pass@3, its gain and what is made of it are over complete variants, ckpt over the ckpt variants; ask %, "
            "avg/traj, calls, items and segments asked for over all valid trials with a user."
        )


_COUNTS = frozenset(
    {"complete", "complete, fewest", "variants", "ckpt variants", "agents", "trials", "calls", "items",
     "never right", "sometimes", "always", "classified by it"}
)  # fmt: skip
"""Columns that count what a row is of, and are there whether or not it has a figure."""


def bare(table: Table) -> bool:
    """Whether a table has counts alone, and no figure in any row."""
    columns = [name for name in table.columns if name not in _COUNTS]
    return all(row.get(name) is None or isinstance(row[name], str) for row in table.rows for name in columns)


def complete(*arms: Arm) -> tuple[int, int]:
    """Variants complete in all arms that were played, and variants in any."""
    return len(metrics.complete_variants(*arms)), len(set().union(*arms))


def figures(arms: Four) -> dict[str, Any]:
    """What every split tells of a part of the variants.

    Pass@3 and its gain are over complete variants, checkpoints and theirs over the ckpt variants, and asking over all
    trials with a user.
    """
    asking, whole, covered = arms.lacking_ask, arms.complete, arms.covered
    gain, ckpt_gain = metrics.gain(*whole[2:]), metrics.ckpt_gain(*covered[2:])
    done, total = complete(arms.lacking, asking)
    return {
        "complete": done,
        "variants": total,
        "pass@3 %": percent(metrics.pass_rate(whole.lacking).value),
        **limits("pass@3 gain", gain, "low", "high"),
        "gain/Q": rounded(metrics.gain_per_question(gain.value, whole.lacking_ask), 3),
        "gain/(questions/trial)": rounded(metrics.gain_per_mean_question(*whole[2:]).value, 1),
        "ckpt variants": len(covered.variants),
        "ckpt %": percent(metrics.ckpt(covered.lacking).value),
        "ckpt gain": percent(ckpt_gain.value),
        "ask %": percent(metrics.ask_rate(asking).value),
        "avg/traj": rounded(metrics.questions_per_asking_trial(asking), 2),
        "calls": metrics.calls(asking),
        "items": metrics.items(asking),
        "segments asked for %": percent(metrics.recall(asking, LACKING)),
    }


def ckpt_gain_per_question(arms: Four) -> float | None:
    """The paper's quotient of Ckpt%, rounded, over the ckpt variants."""
    covered = arms.covered
    return rounded(metrics.gain_per_question(metrics.ckpt_gain(*covered[2:]).value, covered.lacking_ask), 3)


def at_300(arms: Four, gain: str, ckpt: str) -> dict[str, float | None]:
    """What the quotients in those columns would be of 300 trials."""
    per, partial = metrics.gain_per_mean_question(*arms[2:]), metrics.ckpt_gain_per_mean_question(*arms[2:])
    return {
        f"{name} at 300": rounded(metrics.gain_per_question_at_300(each.value), 3)
        for name, each in ((gain, per), (ckpt, partial))
    }


def three(arms: Four) -> dict[str, float | None]:
    """Shares of complete variants: pass@3 on the whole request, on the lacking one, and there with a user."""
    whole = arms.complete
    return {
        "original %": metrics.baseline(whole.original, whole.variants)[1],
        "underspecified %": metrics.pass_rate(whole.lacking).value,
        "with user %": metrics.pass_rate(whole.lacking_ask).value,
    }


def percents(shares: Mapping[str, float | None]) -> dict[str, float | None]:
    return {name: percent(share) for name, share in shares.items()}


def limits(name: str, interval: Interval, low: str, high: str) -> Row:
    return {name: percent(interval.value), low: percent(interval.low), high: percent(interval.high)}
