"""SQL: tables that an agent reads and changes with statements of its own, in DuckDB's dialect.

It is off unless somebody serves it: a task or a condition that wants it names it. Rows of `relation` and `record` are
the truth; the database that a statement runs in is made from them, in a process of its own.
"""

from servers.sql import default
from servers.sql.contents import records
from servers.sql.running import STOPPED
from servers.sql.tables import Column, Record, Relation, app, record_id

__all__ = ("STOPPED", "Column", "Record", "Relation", "app", "default", "record_id", "records")
