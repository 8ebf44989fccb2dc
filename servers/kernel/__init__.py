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
from servers.kernel.picture import Illustrated, Image, Picture
from servers.kernel.state import State
from servers.kernel.table import Ref, Table
from servers.kernel.texts import bounded, moment, required
from servers.kernel.user import QUESTION_CHARACTERS, Answer, Question, User
from servers.kernel.world import Change, Edit, World, canonical, fold

__all__ = (
    "QUESTION_CHARACTERS",
    "SIZE",
    "Answer",
    "App",
    "Base",
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
    "Picture",
    "Question",
    "Ref",
    "Rejected",
    "Result",
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
    "bounded",
    "canonical",
    "excerpt",
    "fold",
    "misnamed",
    "moment",
    "refusal",
    "refused",
    "required",
    "tidied",
    "whole",
)
