"""Templates across apps, by what is looked up; `pieces` says how they are put together."""

from benchmarks.workbench.synth.templates.base import Template
from benchmarks.workbench.synth.templates.multi.contact import (
    MEET_ABOUT_MAIL,
    REMIND_PARTICIPANT,
    SILENT_SENDER,
    UNMET_MAIL,
    UNPLANNED_MAIL,
)
from benchmarks.workbench.synth.templates.multi.customers import FOLLOW_UP_CUSTOMER, LEAD_TO_LEAST_BUSY
from benchmarks.workbench.synth.templates.multi.figures import (
    FIGURE_MAIL,
    FIGURE_MEETING,
    FIGURE_TASK,
    FIGURE_TASK_FOR_BEST,
    MEETING_OR_THANKS,
    TASK_OR_THANKS,
)
from benchmarks.workbench.synth.templates.multi.growth import GROWTH_TASK, GROWTH_TASK_AND_MEETING
from benchmarks.workbench.synth.templates.multi.leads import DROP_LEADS, LEADS_OR_PUSH, TASK_OR_LEADS
from benchmarks.workbench.synth.templates.multi.tasks import LATE_MEETING, LATE_OR_THANKS, OVERDUE_RULE

__all__ = ("TEMPLATES",)

TEMPLATES: tuple[Template, ...] = (
    OVERDUE_RULE,
    FOLLOW_UP_CUSTOMER,
    LEAD_TO_LEAST_BUSY,
    LATE_OR_THANKS,
    LATE_MEETING,
    MEET_ABOUT_MAIL,
    REMIND_PARTICIPANT,
    SILENT_SENDER,
    UNMET_MAIL,
    UNPLANNED_MAIL,
    FIGURE_MAIL,
    FIGURE_MEETING,
    FIGURE_TASK,
    FIGURE_TASK_FOR_BEST,
    TASK_OR_THANKS,
    MEETING_OR_THANKS,
    GROWTH_TASK,
    GROWTH_TASK_AND_MEETING,
    DROP_LEADS,
    LEADS_OR_PUSH,
    TASK_OR_LEADS,
)
