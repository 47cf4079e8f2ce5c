"""Training of nets, with a time limit and checkpoints. A resumed run gives the same net as an uninterrupted run.

``learners`` needs PyTorch, so its import is delayed until training begins.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ....base.errors import FileError, NotApplicableError, ParameterError, nearest, not_installed
from ....base.files import make_folder, write_atomically
from ....base.parameters import Parameter, decimal, integer, read_settings
from ....base.words import quiet
from ....games.bidding import DiceBidding
from ....games.protocol import Game
from ....solvers.driver import DAMAGE, Keeper
from ..encoding import two_bidders
from ..file import Net, archive, game_of, game_part, read_archive
from ..ready import DEEP_CFR, VALUE

FORMAT = "efg-builder training 1"

MOST_HISTORIES = 2**18  # maximum number of histories for a learner that visits all of them


LEARNERS = MappingProxyType({VALUE: ("SelfPlay", 2000), DEEP_CFR: ("DeepCfr", 120)})
"""For each kind of net: the class in ``learners``, and the default number of steps."""


@dataclass(frozen=True)
class TrainingProgress:
    """The progress of training.

    ``done`` of the ``steps`` are finished, and ``loss`` is the last squared error. ``seconds`` is the time since
    the last start. ``left`` is the estimated remaining time in seconds.
    """

    done: int
    steps: int
    seconds: float
    loss: float
    left: float

    def __str__(self) -> str:
        left = f"{self.left / 60:.0f} min" if self.left >= 90 else f"{self.left:.0f} s"
        return f"step {self.done:,} of {self.steps:,}, squared error {self.loss:.3g}, {left} left"


@dataclass(frozen=True)
class TrainedNet:
    """The trained ``net``.

    ``complete``: whether all steps are done. ``unsaved``: the error of the last checkpoint, if the checkpoint failed.
    """

    net: Net
    complete: bool
    seconds: float
    unsaved: str = ""


def train(
    game: Game,
    kind: str = "value",
    *,
    steps: int | None = None,
    timeout: float | None = None,
    seed: int = 0,
    options: Mapping[str, str] | None = None,
    device: str = "auto",
    checkpoints: str | os.PathLike[str] | None = None,
    every: float = 30.0,
    resume: bool = False,
    progress: Callable[[TrainingProgress], None] = quiet,
    snapshots: tuple[int, ...] = (),
    keep: Callable[[Net], None] = quiet,
) -> TrainedNet:
    """Train a net for *game* by self-play, for *steps* steps or *timeout* seconds.

    *kind* is a key of ``LEARNERS``, and *options* are the options of its learner. *device* is ``cpu``, ``cuda`` or
    ``auto``. *keep* is called with the net after each step in *snapshots*.

    The state is saved to ``state.npz`` in the folder *checkpoints*, every *every* seconds and at the end. A failed
    checkpoint causes a ``NotSavedWarning``. With *resume*, training continues from the saved state. On the same type of
    machine with the same version of PyTorch, the result is the same as without an interruption.
    """
    if kind not in LEARNERS:
        raise ParameterError(f"there is no kind of net {kind!r}; {nearest(kind, LEARNERS)}")
    rules = two_bidders(game, game.title, f"a net of kind {kind}")
    total = LEARNERS[kind][1] if steps is None else steps
    learner = _begun(rules, kind, total, seed, options or {}, device)
    settings = {"kind": kind, "seed": seed, "options": asdict(learner.options), "steps": total}
    state = None if checkpoints is None else Path(checkpoints) / "state.npz"
    if resume:
        _restore(learner, state, rules, settings)
    elif state is not None and state.exists():
        raise ParameterError(f"{state} exists: continue with --resume (resume=True), or name another folder")
    elif state is not None:
        make_folder(state.parent)

    def net() -> Net:
        found: Net = learner.net()
        return replace(found, trained={**found.trained, "seed": seed, "options": settings["options"]})

    def save(path: Path) -> None:
        about = {"format": FORMAT, "game": game_part(rules), **settings, "done": learner.done}
        about["random"] = learner.random.bit_generator.state
        write_atomically(path, [archive(about, learner.arrays())])

    began = time.monotonic()
    keeper = Keeper(state, due=began + every, every=every)
    first = learner.done
    while learner.done < total:
        if timeout is not None and time.monotonic() - began >= timeout and learner.done > first:
            break
        keeper.keep(save)
        learner.step()
        progress(_progress(learner, first, total, time.monotonic() - began, timeout))
        if learner.done in snapshots:
            keep(net())
    keeper.keep(save, at_once=True)
    keeper.end()
    return TrainedNet(net(), learner.done >= total, time.monotonic() - began, keeper.failed)


def _begun(rules: DiceBidding, kind: str, steps: int, seed: int, options: Mapping[str, str], device: str) -> Any:
    if kind == DEEP_CFR and 2 ** len(rules.bid_names) > MOST_HISTORIES:
        many = f"{rules.title} has 2^{len(rules.bid_names)} histories, more than 2^18"
        raise NotApplicableError(f"{kind} visits all histories, but {many}; use --kind value")
    made = _learner(kind)
    return made(
        rules, made.settings(**read_settings(kind, options_of(made.settings), options)), steps, seed, _device(device)
    )


def _progress(learner: Any, first: int, total: int, seconds: float, timeout: float | None) -> TrainingProgress:
    left = seconds / (learner.done - first) * (total - learner.done)
    if timeout is not None:
        left = min(left, max(0.0, timeout - seconds))
    return TrainingProgress(learner.done, total, seconds, learner.loss, left)


def _restore(learner: Any, state: Path | None, game: DiceBidding, settings: Mapping[str, Any]) -> None:
    """Restore *state*. Raises ``FileError`` for a damaged file. Raises ``ParameterError`` for a file of another run."""
    if state is None:
        raise ParameterError("--resume needs --checkpoints FOLDER (checkpoints=)")
    about, arrays = read_archive(state, FORMAT)
    if game_of(state, about) != game:
        raise ParameterError(f"{state} is for {game_of(state, about).title!r}, not for {game.title!r}")
    for key, value in settings.items():
        if about.get(key) != value:
            raise ParameterError(
                f"{state} was started with {key} {about.get(key)!r}, not {value!r}; use the same {key}"
            )
    try:
        done = about["done"]
        if not isinstance(done, int) or not 0 <= done <= settings["steps"]:
            raise ValueError(f"'done' is {done!r}")
        learner.random.bit_generator.state = about["random"]
        learner.restore(done, arrays)
    except DAMAGE as error:
        raise FileError(f"cannot read {state}: damaged ({error})") from error


def _learner(kind: str) -> Any:
    try:
        return getattr(import_module(f"{__package__}.learners"), LEARNERS[kind][0])
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "torch":
            raise
        raise not_installed("training", "PyTorch", "neural") from None


def _device(name: str) -> Any:
    import torch

    if name == "cuda" and not torch.cuda.is_available():
        raise NotApplicableError("PyTorch finds no GPU on this machine; use --device cpu or --device auto")
    return torch.device("cuda" if name != "cpu" and torch.cuda.is_available() else "cpu")


def options_of(kind: Any) -> tuple[Parameter, ...]:
    """Return the options of a learner: the fields and defaults of the dataclass *kind*."""
    readers = {int: integer(1, 10**6), float: decimal(0, 10**6)}
    return tuple(Parameter(each.name, str(each.default), readers[type(each.default)], "") for each in fields(kind))
