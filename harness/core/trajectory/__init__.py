"""Everything that happened in one trial. With the task, the only input of scoring.

These models are the published record format: `harness/schemas/trial.json` is generated from them. A record is one
list of events in the order in which they ended. Fields marked `exclude=True` are not written: they gather what other
events hold (the questions of a call, the request of a session) and are filled in when a record is read.
"""

from harness.core.trajectory.events import (
    AnswerRecord,
    Arrival,
    Asked,
    CallRecord,
    CutShort,
    DisturbanceKind,
    Disturbed,
    Event,
    HandOver,
    Landing,
    Message,
    ModelCall,
    Process,
    QuestionRecord,
    Request,
    Usage,
    Write,
    answered,
    asking,
)
from harness.core.trajectory.trial import RECORD_VERSION, Parent, SessionRecord, Trajectory

__all__ = (
    "RECORD_VERSION", "AnswerRecord", "Arrival", "Asked", "CallRecord", "CutShort", "DisturbanceKind", "Disturbed",
    "Event", "HandOver", "Landing", "Message", "ModelCall", "Parent", "Process", "QuestionRecord", "Request",
    "SessionRecord", "Trajectory", "Usage", "Write", "answered", "asking",
)  # fmt: skip
