"""Options and arguments that several commands have, each with the same words."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ("Full", "Json", "JsonLines", "Port", "Processes", "Record", "Replay", "RunFolder")

RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")]

Full = Annotated[bool, typer.Option("--full", help="Print every table, as `harness report` does.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
JsonLines = Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")]

Record = Annotated[Path | None, typer.Option(help="Record every model reply in this file, a cassette.")]
Replay = Annotated[Path | None, typer.Option(help="Take model replies from this cassette, without a network.")]

Port = Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")]
Processes = Annotated[int, typer.Option(min=1, help="Processes.")]
