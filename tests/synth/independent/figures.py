"""Website figures and project tasks, worked out a second time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import date, datetime, timedelta
from fractions import Fraction

from tests.synth.independent import Change, Office, Row, Values, Work

SOURCES = {
    "visits_direct": "direct",
    "visits_referral": "referral",
    "visits_search_engine": "search engine",
    "visits_social_media": "social media",
}


def shift(day: str, days: int) -> str:
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()


def yesterday(office: Office) -> str:
    return shift(office.today, -1)


def monday(office: Office) -> str:
    """The latest Monday before today."""
    day = yesterday(office)
    while date.fromisoformat(day).weekday() != 0:
        day = shift(day, -1)
    return day


def friday_of_next_week(office: Office) -> str:
    return shift(office.today, 7 + 4 - date.fromisoformat(office.today).weekday())


def address(office: Office, first_name: str) -> str:
    (found,) = [p["email_address"] for p in office.people if p["email_address"].startswith(first_name + ".")]
    return str(found)


# Figures


def figure(office: Office, metric: str, day: str) -> Fraction | None:
    """The value of a metric on a day; an average of no visits has none."""
    rows = [row for row in office.visits if row["date_of_visit"] == day]
    if metric == "total_visits":
        return Fraction(len(rows))
    if metric == "user_engaged":
        return Fraction(sum(1 for row in rows if row["user_engaged"]))
    if metric == "session_duration_seconds":
        return Fraction(sum(row["session_duration_seconds"] for row in rows), len(rows)) if rows else None
    return Fraction(sum(1 for row in rows if row["traffic_source"] == SOURCES[metric]))


def crossed(office: Office, metric: str, comparison: str, threshold: int, start: str) -> bool:
    """Was the metric above (`more`) or below (`less`) the threshold on any day from `start` to yesterday?"""
    day = start
    while day < office.today:
        value = figure(office, metric, day)
        if value is not None and (value > threshold if comparison == "more" else value < threshold):
            return True
        day = shift(day, 1)
    return False


def growth(office: Office, metric: str, start: str, end: str) -> Fraction:
    """Growth in percent; a fall is negative."""
    old, new = figure(office, metric, start), figure(office, metric, end)
    assert old, f"no growth can be told for {metric} from {start}"
    assert new is not None, f"no value of {metric} on {end}"
    return (new - old) / old * 100


def changed(office: Office, metric: str, comparison: str, percent: int, start: str, end: str) -> bool:
    """Did the metric rise (`up`, `higher`) or fall by more than so many percent? What is at zero cannot fall."""
    rising = comparison in ("up", "higher")
    if not rising and figure(office, metric, start) == 0:
        return False
    rise = growth(office, metric, start, end)
    return (rise if rising else -rise) > percent


def brought(office: Office, source: str, start: str) -> int:
    """Visits from a source, from `start` to yesterday."""
    return sum(
        1 for row in office.visits if row["traffic_source"] == source and start <= row["date_of_visit"] < office.today
    )


def plot(metric: str, kind: str, start: str, end: str) -> Change:
    return Change("insert", "analytics.plots", "", {"file_path": f"plots/{start}_{end}_{metric}_{kind}.png"})


def plot_if_crossed(office: Office, v: Values) -> list[Change]:
    if not crossed(office, v["metric"], v["comparison"], v["threshold"], v["date"]):
        return []
    return [plot(v["metric"], v["plot_type"], v["date"], yesterday(office))]


def plot_if_crossed_lately(office: Office, v: Values) -> list[Change]:
    start = shift(office.today, -v["period"])
    if not crossed(office, v["metric"], v["comparison"], v["threshold"], start):
        return []
    return [plot(v["metric"], "line", start, yesterday(office))]


def compare_sources(office: Office, v: Values) -> list[Change]:
    start = shift(office.today, -v["period"])
    if brought(office, v["first"], start) <= brought(office, v["second"], start):
        return []
    metrics = [metric for metric, source in SOURCES.items() if source in (v["first"], v["second"])]
    return [plot(metric, v["plot_type"], start, yesterday(office)) for metric in metrics]


def chart_since(office: Office, v: Values) -> list[Change]:
    return [plot(v["metric"], v["plot_type"], v["date"], yesterday(office))]


def chart_day(office: Office, v: Values) -> list[Change]:
    return [plot(v["metric"], "histogram", v["date"], v["date"])]


def charts_between(office: Office, v: Values) -> list[Change]:
    return [plot(metric, "histogram", v["start"], v["end"]) for metric in (v["first"], v["second"])]


def chart_two_since(office: Office, v: Values) -> list[Change]:
    return [plot(metric, v["plot_type"], v["date"], yesterday(office)) for metric in (v["first"], v["second"])]


def chart_popular_source(office: Office, v: Values) -> list[Change]:
    counts = {metric: brought(office, source, v["date"]) for metric, source in SOURCES.items()}
    wanted = max(counts.values()) if v["rank"] == "most" else min(counts.values())
    (metric,) = [metric for metric, count in counts.items() if count == wanted]
    return [plot(metric, v["plot_type"], v["date"], yesterday(office))]


def plot_if_changed(office: Office, v: Values) -> list[Change]:
    end = yesterday(office)
    if not changed(office, v["metric"], v["comparison"], v["percent"], v["date"], end):
        return []
    return [plot(v["metric"], "line", v["date"], end)]


def plot_week_on_week(office: Office, v: Values) -> list[Change]:
    start = shift(v["date"], -7)
    if not changed(office, v["metric"], v["comparison"], v["percent"], start, v["date"]):
        return []
    return [plot(v["metric"], "line", start, v["date"])]


def plot_if_outgrew(office: Office, v: Values) -> list[Change]:
    end = yesterday(office)
    if growth(office, v["first"], v["date"], end) <= growth(office, v["second"], v["date"], end):
        return []
    return [plot(metric, "line", v["date"], end) for metric in (v["first"], v["second"])]


# Tasks


def new_task(title: str, email: str, list_name: str, due: str, board: str) -> Change:
    values = {
        "task_name": title,
        "assigned_to_email": email,
        "list_name": list_name,
        "due_date": due,
        "board": board,
    }
    return Change("insert", "projects.tasks", "", values)


def tasks_of(office: Office, v: Values, wanted: Callable[[Row], bool]) -> list[Row]:
    owner = address(office, v["owner"])
    return [task for task in office.tasks if task["assigned_to_email"] == owner and wanted(task)]


def reassign(office: Office, v: Values, tasks: list[Row]) -> list[Change]:
    email = address(office, v["assignee"])
    return [Change("update", "projects.tasks", task["id"], {"assigned_to_email": email}) for task in tasks]


def move(v: Values, tasks: list[Row]) -> list[Change]:
    """Tasks to their new list; one that is there already stays as it is."""
    moving = [task for task in tasks if task["list_name"] != v["to"]]
    return [Change("update", "projects.tasks", task["id"], {"list_name": v["to"]}) for task in moving]


def unfinished(task: Row) -> bool:
    return bool(task["list_name"] != "Completed")


def overdue(office: Office, task: Row) -> bool:
    return unfinished(task) and bool(task["due_date"] < office.today)


def add_task(office: Office, v: Values) -> list[Change]:
    return [new_task(v["title"], address(office, v["assignee"]), v["list"], v["date"], v["board"])]


def hand_over_overdue(office: Office, v: Values) -> list[Change]:
    return reassign(office, v, tasks_of(office, v, lambda t: t["list_name"] == v["list"] and overdue(office, t)))


def cover_for(office: Office, v: Values) -> list[Change]:
    tasks = tasks_of(office, v, lambda t: bool(t["list_name"] == "In Progress" and t["board"] == v["board"]))
    return reassign(office, v, tasks)


def pass_on_urgent(office: Office, v: Values) -> list[Change]:
    tasks = tasks_of(office, v, unfinished)
    first = min(task["due_date"] for task in tasks)
    (urgent,) = [task for task in tasks if task["due_date"] == first]
    return reassign(office, v, [urgent])


def move_on_board(office: Office, v: Values) -> list[Change]:
    return move(v, tasks_of(office, v, lambda t: bool(t["board"] == v["board"] and t["list_name"] == v["from"])))


def move_overdue(office: Office, v: Values) -> list[Change]:
    return move(v, tasks_of(office, v, lambda t: t["list_name"] == v["from"] and overdue(office, t)))


def move_reviewed(office: Office, v: Values) -> list[Change]:
    return move(v, tasks_of(office, v, lambda t: bool(t["list_name"] == "In Review" and t["due_date"] <= v["date"])))


def park_unfinished(office: Office, v: Values) -> list[Change]:
    return move(v, tasks_of(office, v, lambda t: unfinished(t) and bool(t["due_date"] < v["date"])))


# Figures with something to do


def first_free(office: Office, minutes: int) -> str:
    """The earliest start from tomorrow on, within working hours, of a meeting that meets no other."""
    length = timedelta(minutes=minutes)
    taken = []
    for event in office.events:
        start = datetime.fromisoformat(event["event_start"])
        taken.append((start, start + timedelta(minutes=int(event["duration"]))))
    day = datetime.fromisoformat(office.today)
    while True:
        day += timedelta(days=1)
        if day.weekday() > 4:
            continue
        opening, closing = day.replace(hour=9), day.replace(hour=18)
        for start in sorted({opening, *(end for _, end in taken if opening < end < closing)}):
            if start + length <= closing and all(end <= start or start + length <= begin for begin, end in taken):
                return str(start)


def meeting(office: Office, title: str, email: str, minutes: int) -> Change:
    values = {
        "event_name": title,
        "participant_email": email,
        "event_start": first_free(office, minutes),
        "duration": str(minutes),
    }
    return Change("insert", "calendar.events", "", values)


def next_task(office: Office, v: Values, email: str, board: str) -> Change:
    return new_task(v["title"], email, "Backlog", friday_of_next_week(office), board)


def figure_mail(office: Office, v: Values) -> list[Change]:
    if not crossed(office, v["metric"], "more", v["threshold"], v["date"]):
        return []
    mail = {
        "folder": "outbox",
        "address": address(office, v["recipient"]),
        "subject": v["title"],
        "body": v["body"],
    }
    return [Change("insert", "gmail.emails", "", mail)]


def figure_meeting(office: Office, v: Values) -> list[Change]:
    if not crossed(office, v["metric"], v["comparison"], v["threshold"], monday(office)):
        return []
    return [meeting(office, v["title"], address(office, v["participant"]), v["duration"])]


def figure_task(office: Office, v: Values) -> list[Change]:
    if not crossed(office, v["metric"], "less", v["threshold"], v["date"]):
        return []
    return [next_task(office, v, address(office, v["assignee"]), v["board"])]


def figure_task_for_best(office: Office, v: Values) -> list[Change]:
    if not crossed(office, v["metric"], v["comparison"], v["threshold"], monday(office)):
        return []
    done = Counter(str(t["assigned_to_email"]) for t in office.tasks if t["board"] == v["board"] and not unfinished(t))
    most = max(done.values())
    return [next_task(office, v, min(email for email, count in done.items() if count == most), v["board"])]


def growth_task(office: Office, v: Values) -> list[Change]:
    if not changed(office, v["metric"], v["comparison"], v["threshold"], v["date"], yesterday(office)):
        return []
    return [next_task(office, v, address(office, v["assignee"]), v["board"])]


def growth_task_and_meeting(office: Office, v: Values) -> list[Change]:
    if not changed(office, v["metric"], v["comparison"], v["threshold"], v["date"], yesterday(office)):
        return []
    email = address(office, v["assignee"])
    return [next_task(office, v, email, "Front end"), meeting(office, v["title"], email, v["duration"])]


WORK: dict[str, Work] = {
    "plot-if-crossed": plot_if_crossed,
    "plot-if-crossed-lately": plot_if_crossed_lately,
    "compare-sources": compare_sources,
    "chart-since": chart_since,
    "chart-day": chart_day,
    "charts-between": charts_between,
    "chart-two-since": chart_two_since,
    "chart-popular-source": chart_popular_source,
    "plot-if-changed": plot_if_changed,
    "plot-if-changed-lately": plot_if_changed,
    "plot-week-on-week": plot_week_on_week,
    "plot-if-outgrew": plot_if_outgrew,
    "add-task": add_task,
    "hand-over-overdue": hand_over_overdue,
    "cover-for": cover_for,
    "pass-on-urgent": pass_on_urgent,
    "move-on-board": move_on_board,
    "move-overdue": move_overdue,
    "move-reviewed": move_reviewed,
    "park-unfinished": park_unfinished,
    "figure-mail": figure_mail,
    "figure-meeting": figure_meeting,
    "figure-task": figure_task,
    "figure-task-for-best": figure_task_for_best,
    "growth-task": growth_task,
    "growth-task-and-meeting": growth_task_and_meeting,
}
