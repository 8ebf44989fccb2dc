"""CRM: customers and leads as the benchmark of the paper shows them (`workbench`), and a whole CRM (`default`)."""

from servers.crm import default, saving, workbench, working
from servers.crm.tables import Customer, app

__all__ = ("Customer", "app", "default", "saving", "workbench", "working")
