"""Users, as plugins write them (docs/users.md)."""

from harness.core.config import ModelUserSettings, Persona, UserSettings
from harness.core.users import UserEntry
from harness.models.replies import Completes
from harness.models.strict import Strict, Unparsable

__all__ = ("Completes", "ModelUserSettings", "Persona", "Strict", "Unparsable", "UserEntry", "UserSettings")
