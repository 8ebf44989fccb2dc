"""The templates by domain, those across domains last; a template's place is part of its tasks' ids."""

from benchmarks.workbench.synth.templates.analytics import COMPARE_SOURCES, PLOT_IF_CROSSED
from benchmarks.workbench.synth.templates.base import SlotSpec, Template
from benchmarks.workbench.synth.templates.calendar import CATCH_UP, CLEAR_PART_OF_DAY
from benchmarks.workbench.synth.templates.crm import CLOSE_QUIET, DELETE_PART, PASS_ON_CUSTOMERS, PASS_ON_OPEN
from benchmarks.workbench.synth.templates.customer import ADD_LEAD, DELETE_CUSTOMER, REASSIGN_CUSTOMER, SET_STATUS
from benchmarks.workbench.synth.templates.mail import FORWARD_THREAD, REPLY_LATEST
from benchmarks.workbench.synth.templates.multi import FOLLOW_UP_CUSTOMER, MULTI, OVERDUE_RULE
from benchmarks.workbench.synth.templates.projects import ADD_TASK, HAND_OVER_OVERDUE

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
    SET_STATUS,
    DELETE_CUSTOMER,
    ADD_LEAD,
    REASSIGN_CUSTOMER,
    PASS_ON_OPEN,
    DELETE_PART,
    *MULTI,
)
"""New ones go at the end: earlier tasks keep their ids."""
