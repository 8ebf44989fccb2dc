"""Calendar: one person's events, as the benchmark of the paper shows them (`workbench`), and with more (`default`).

`default` knows calendars, invitations, series and time zones; both are over the same rows.
"""

from servers.calendar import default, workbench
from servers.calendar.tables import Attendee, Busy, Calendar, Event, app

__all__ = ("Attendee", "Busy", "Calendar", "Event", "app", "default", "workbench")
