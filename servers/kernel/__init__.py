"""What an app is made of, and the engine under it. Knows no app."""

from servers.kernel.accounts import Account, Login, log_in, log_out, signed_in
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
from servers.kernel.paging import PAGE, RESULT, Page, Skip, paged, part, snippet
from servers.kernel.people import Person, addressee, is_address, somebody
from servers.kernel.picture import Illustrated, Image, Picture
from servers.kernel.state import State
from servers.kernel.table import Ref, Table
from servers.kernel.texts import Day, Minutes, Moment, Zone, bounded, moment, required, zone
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
    "PAGE",
    "QUESTION_CHARACTERS",
    "RESULT",
    "SIZE",
    "Account",
    "Answer",
    "App",
    "Base",
    "Called",
    "Change",
    "Dated",
    "Day",
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
    "Login",
    "Minutes",
    "Moment",
    "NoUser",
    "NotFound",
    "Opening",
    "Owner",
    "Page",
    "Part",
    "Partner",
    "Person",
    "Picture",
    "Question",
    "Ref",
    "Rejected",
    "Result",
    "Since",
    "Skip",
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
    "Zone",
    "addressed",
    "addressee",
    "bounded",
    "canonical",
    "excerpt",
    "fold",
    "is_address",
    "log_in",
    "log_out",
    "misnamed",
    "moment",
    "overlaid",
    "own_names",
    "paged",
    "part",
    "refusal",
    "refused",
    "required",
    "signed_in",
    "snippet",
    "somebody",
    "tidied",
    "whole",
    "zone",
)
