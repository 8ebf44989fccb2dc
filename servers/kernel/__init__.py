"""What an app is made of, and the engine under it. Knows no app."""

from servers.kernel.app import App, Result, Tool, Toolset
from servers.kernel.base import Base
from servers.kernel.bounds import SIZE, excerpt, misnamed, refusal, refused, tidied, whole
from servers.kernel.dated import Dated
from servers.kernel.engine import Engine
from servers.kernel.errors import (
    Defect,
    Failure,
    Fault,
    Garbled,
    InvalidArguments,
    NotFound,
    NoUser,
    Rejected,
    StateError,
    StateInUse,
    UnknownTool,
    UserFault,
    WorldMismatch,
)
from servers.kernel.layer import Layer
from servers.kernel.overlay import overlaid, own_names
from servers.kernel.picture import Illustrated, Image, Picture
from servers.kernel.state import State
from servers.kernel.table import Ref, Table
from servers.kernel.texts import bounded, moment, required
from servers.kernel.user import (
    QUESTION_CHARACTERS,
    Answer,
    Called,
    Opening,
    Part,
    Partner,
    Question,
    Since,
    User,
    Written,
)
from servers.kernel.world import Change, Edit, Owner, World, addressed, canonical, fold

__all__ = (
    "QUESTION_CHARACTERS",
    "SIZE",
    "Answer",
    "App",
    "Base",
    "Called",
    "Change",
    "Dated",
    "Defect",
    "Edit",
    "Engine",
    "Failure",
    "Fault",
    "Garbled",
    "Illustrated",
    "Image",
    "InvalidArguments",
    "Layer",
    "NoUser",
    "NotFound",
    "Opening",
    "Owner",
    "Part",
    "Partner",
    "Picture",
    "Question",
    "Ref",
    "Rejected",
    "Result",
    "Since",
    "State",
    "StateError",
    "StateInUse",
    "Table",
    "Tool",
    "Toolset",
    "UnknownTool",
    "User",
    "UserFault",
    "World",
    "WorldMismatch",
    "Written",
    "addressed",
    "bounded",
    "canonical",
    "excerpt",
    "fold",
    "misnamed",
    "moment",
    "overlaid",
    "own_names",
    "refusal",
    "refused",
    "required",
    "tidied",
    "whole",
)
