"""The templates; a template's place is part of its tasks' ids."""

from benchmarks.workbench.synth.templates import (
    calendar_day,
    calendar_named,
    calendar_with,
    mail_delete,
    mail_forward,
    mail_write,
)  # fmt: skip
from benchmarks.workbench.synth.templates.analytics import COMPARE_SOURCES, PLOT_IF_CROSSED, PLOT_IF_CROSSED_LATELY
from benchmarks.workbench.synth.templates.analytics_charts import (
    CHART_DAY,
    CHART_POPULAR_SOURCE,
    CHART_SINCE,
    CHART_TWO_SINCE,
    CHARTS_BETWEEN,
)
from benchmarks.workbench.synth.templates.analytics_growth import (
    PLOT_IF_CHANGED,
    PLOT_IF_CHANGED_LATELY,
    PLOT_IF_OUTGREW,
    PLOT_WEEK_ON_WEEK,
)
from benchmarks.workbench.synth.templates.base import SlotSpec, Template
from benchmarks.workbench.synth.templates.calendar import CATCH_UP, CLEAR_PART_OF_DAY
from benchmarks.workbench.synth.templates.crm import CLOSE_QUIET, PASS_ON_CUSTOMERS
from benchmarks.workbench.synth.templates.mail import FORWARD_THREAD, REPLY_LATEST
from benchmarks.workbench.synth.templates.multi import FOLLOW_UP_CUSTOMER, OVERDUE_RULE
from benchmarks.workbench.synth.templates.projects import (
    ADD_TASK,
    COVER_FOR,
    HAND_OVER_OVERDUE,
    PASS_ON_URGENT,
)
from benchmarks.workbench.synth.templates.projects_moves import (
    MOVE_ON_BOARD,
    MOVE_OVERDUE,
    MOVE_REVIEWED,
    PARK_UNFINISHED,
)

__all__ = ("TEMPLATES", "SlotSpec", "Template")

TEMPLATES: tuple[Template, ...] = (
    FORWARD_THREAD,
    REPLY_LATEST,
    CLEAR_PART_OF_DAY,
    CATCH_UP,
    PLOT_IF_CROSSED,
    COMPARE_SOURCES,
    HAND_OVER_OVERDUE,
    ADD_TASK,
    PASS_ON_CUSTOMERS,
    CLOSE_QUIET,
    OVERDUE_RULE,
    FOLLOW_UP_CUSTOMER,
    *mail_delete.TEMPLATES,
    *mail_forward.TEMPLATES,
    *mail_write.TEMPLATES,
    *calendar_day.TEMPLATES,
    *calendar_named.TEMPLATES,
    *calendar_with.TEMPLATES,
    CHART_SINCE,
    CHART_DAY,
    CHARTS_BETWEEN,
    CHART_TWO_SINCE,
    CHART_POPULAR_SOURCE,
    PLOT_IF_CROSSED_LATELY,
    PLOT_IF_CHANGED,
    PLOT_IF_CHANGED_LATELY,
    PLOT_WEEK_ON_WEEK,
    PLOT_IF_OUTGREW,
    MOVE_ON_BOARD,
    MOVE_OVERDUE,
    MOVE_REVIEWED,
    PARK_UNFINISHED,
    COVER_FOR,
    PASS_ON_URGENT,
)
"""New ones go at the end: earlier tasks keep their ids."""
