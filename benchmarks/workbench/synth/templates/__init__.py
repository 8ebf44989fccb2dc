"""The templates, by domain; a template's place is part of its tasks' ids."""

from benchmarks.workbench.synth.templates import (
    analytics,
    analytics_charts,
    analytics_growth,
    calendar,
    calendar_day,
    calendar_named,
    calendar_with,
    crm,
    customer,
    mail,
    mail_delete,
    mail_forward,
    mail_write,
    multi,
    projects,
    projects_moves,
)
from benchmarks.workbench.synth.templates.base import SlotSpec, Template

__all__ = ("TEMPLATES", "SlotSpec", "Template")

TEMPLATES: tuple[Template, ...] = (
    *mail.TEMPLATES,
    *mail_delete.TEMPLATES,
    *mail_forward.TEMPLATES,
    *mail_write.TEMPLATES,
    *calendar.TEMPLATES,
    *calendar_day.TEMPLATES,
    *calendar_named.TEMPLATES,
    *calendar_with.TEMPLATES,
    *analytics.TEMPLATES,
    *analytics_charts.TEMPLATES,
    *analytics_growth.TEMPLATES,
    *projects.TEMPLATES,
    *projects_moves.TEMPLATES,
    *crm.TEMPLATES,
    *customer.TEMPLATES,
    *multi.TEMPLATES,
)
