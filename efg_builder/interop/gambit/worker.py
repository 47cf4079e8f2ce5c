"""The child process: ``python -m efg_builder.interop.gambit.worker``.

The input is a line of JSON, ``{"routine", "options", "bytes", "limit"}``, followed by ``bytes`` bytes of ``.efg`` text.
The output is one JSON object per line:

- ``{"progress": line}`` at any time;
- ``{"profile": rows, "payoffs": payoffs}`` for each profile found (``logit_branch``: ``{"profile": point}`` for each
  point of ``adapter.branch``);
- finally ``{"done": {"success", "reason", "note"}}`` or ``{"failed": reason}``.
"""

from __future__ import annotations

import faulthandler
import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from ...base import child
from ...base.strict_json import strict_json
from .child import START, TICK

GRACE = 5.0
"""The worker exits this many seconds after the time limit plus the start-up limit."""


def serve(request: Mapping[str, Any], efg: str, send: Callable[[dict[str, Any]], None]) -> None:
    """Answer one request through *send*. Errors from Gambit are sent, not raised."""
    last = 0.0

    def progress(line: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= TICK:
            last = now
            send({"progress": line})

    try:
        from . import adapter

        send({"progress": "reading the game"})
        game = adapter.read(efg)
        send({"progress": "solving"})
        routine, options = request["routine"], request["options"]
        if routine == "logit_branch":  # not in pygambit.nash
            ended = adapter.branch(game, options, lambda point: send({"profile": point}), progress)
        else:
            ended = adapter.solve(
                game, routine, options, lambda rows, payoffs: send({"profile": rows, "payoffs": payoffs}), progress
            )
    except Exception as error:
        send({"failed": str(error).strip() or type(error).__name__})
    else:
        send({"done": asdict(ended)})


def main() -> None:
    channel = child.answers()  # redirects other output, because pygambit may print
    request = strict_json(child.read_line())
    efg = child.read_bytes(request["bytes"]).decode()
    if request.get("limit") is not None:
        # A timer in C, which fires even while Gambit holds the GIL.
        faulthandler.dump_traceback_later(request["limit"] + START + GRACE, exit=True)
    child.die_with_parent()

    def send(message: dict[str, Any]) -> None:
        channel.write(json.dumps(message) + "\n")
        channel.flush()

    serve(request, efg, send)
    channel.close()
    # A normal exit would first wait for the thread and free Gambit's tables.
    os._exit(0)


if __name__ == "__main__":
    main()
