"""A page that shows runs, trial by trial: served on this machine, or as a folder of files.

What the page asks for has names, and values that are the same in both: `data.py` gives them, `server.py` and
`folder.py` bring them. The page itself lies in `static/`.
"""

from __future__ import annotations

from harness.view.annotations import Annotation, AnnotationProblem
from harness.view.data import View

__all__ = ("Annotation", "AnnotationProblem", "View")
