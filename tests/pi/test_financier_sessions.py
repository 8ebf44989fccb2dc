"""The financier's sessions: sound by every rule that needs no reviewer, true to the world and to the program."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from benchmarks.pi.auditing import Audit, flaws
from benchmarks.pi.episode import episode
from benchmarks.pi.market import backtest, curve, days, quotes
from benchmarks.pi.personas.financier import world as financier
from benchmarks.pi.validators import problems

EPISODE = episode(Path(financier.__file__).parent)
SESSIONS = EPISODE.sessions
AUDIT = Audit(EPISODE, financier.world())


def test_sessions_have_no_flaw_that_a_play_shows() -> None:
    assert list(flaws(EPISODE, financier.world())) == []


def test_sessions_pass_every_rule_but_that_of_reviewers() -> None:
    # Two reviewers read a session after it is written; until then that rule alone is not satisfied.
    assert [str(each) for each in problems(EPISODE) if each.rule != "reviewed"] == []


def test_the_curve_of_the_reference_is_what_the_program_makes_of_the_file() -> None:
    cleaned = quotes.clean(quotes.delivered(financier.SEED))
    points = curve.bootstrap(quotes.LAST, curve.filled(cleaned.on(quotes.LAST), quotes.TENORS))

    assert AUDIT.end(SESSIONS[0]).texts["/workspace/market/2026-04-10_sterling-zeros_v1.csv"] == curve.as_csv(points)
    assert curve.basis_points(round(points[4].zero, 4), 3.6399) == -5.3


def test_the_counts_of_the_reference_are_those_of_the_program() -> None:
    outcome = backtest.run(*backtest.by_date(backtest.rates(financier.SEED)))

    assert (len(outcome.exceptions), outcome.days, round(outcome.p_value, 3)) == (14, 127, 0.007)


def test_what_the_leads_alone_tell_is_nowhere_in_the_world() -> None:
    world, final = str(financier.world().rows), SESSIONS[2]
    lead_only = [each for each in final.intents if each.lead_only]

    assert [sum(e.at == f"session:{lead.id}" for i in lead_only for e in i.evidence) for lead in SESSIONS[:2]] == [2, 2]
    assert [e.quote for each in lead_only for e in each.evidence if e.quote in world] == []
    assert [v for each in lead_only for v in each.values if v in world] == []


def test_the_long_run_rate_of_the_memo_is_that_of_the_fit() -> None:
    fit = backtest.run(*backtest.by_date(backtest.rates(financier.SEED))).fit
    cleaned = quotes.clean(quotes.delivered(financier.SEED))
    points = curve.bootstrap(quotes.LAST, curve.filled(cleaned.on(quotes.LAST), quotes.TENORS))
    long_run = fit.level / (1 - fit.slope)

    assert round(long_run, 4) == 4.0502
    assert curve.basis_points(long_run, points[-1].zero) == 14.2
    assert len(cleaned.dropped) == 15


def test_the_long_run_rate_tells_the_fits_apart_that_count_alike() -> None:
    observed = backtest.rates(financier.SEED)
    fitted = {
        "six months": backtest.by_date(observed)[0],
        "from 30 September": observed[:-128],
        "all but the last quarter": observed[: -round(len(observed) / 4)],
        "all but a random quarter": backtest.by_share(observed, financier.SEED)[0],
        "everything": observed,
    }
    found = {name: backtest.fitted(part) for name, part in fitted.items()}

    assert {name: round(fit.level / (1 - fit.slope), 4) for name, fit in found.items()} == {
        "six months": 4.0502,
        "from 30 September": 4.0572,
        "all but the last quarter": 4.0704,
        "all but a random quarter": 4.0667,
        "everything": 4.1680,
    }
    counts = {days: len(backtest.run(observed[:-days], observed[-days:]).exceptions) for days in (126, 127, 128)}
    assert counts == {126: 14, 127: 14, 128: 14}


def test_dates_and_weekdays_of_the_sessions_are_those_of_a_calendar() -> None:
    assert days.add_business_days(date(2026, 4, 30), -5, curve.BOTH) == date(2026, 4, 23)
    assert date(2026, 5, 29).strftime("%A") == "Friday"
    assert [each.now.strftime("%A") for each in SESSIONS] == ["Monday", "Thursday", "Friday", "Saturday"]


def test_at_least_six_items_in_ten_are_rules() -> None:
    items = [item for session in SESSIONS for item in session.checklist]

    assert sum(item.check is not None for item in items) / len(items) >= 0.6
    assert [len(session.checklist) for session in SESSIONS] == [5, 6, 9, 7]
