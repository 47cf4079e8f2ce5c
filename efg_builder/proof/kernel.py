"""State the value of a solved game as a theorem, for the kernel of the proof assistant Coq.

``coq/Game.v`` defines games and their values, ``coq/Rules.v`` Liar's Dice and Kuhn poker by their rules, and
``coq/Check.v`` proves that a check of two strategies is right. The theorem of a solution applies it: Coq computes the
check, and its kernel accepts the theorem or not. It shares no code with this package.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from ..base.errors import FileError, NotApplicableError
from ..base.facts import Fact, fact
from ..base.files import write_atomically
from ..base.words import quiet
from ..forms.extensive import CHANCE, GameTree, Infoset, constant_sum, has_value, payoffs_in_all
from ..games.catalogue import identify, in_package
from ..games.protocol import Game
from ..strategies.tree_profile import TreeProfile

HERE = Path(__file__).with_name("coq")
LIBRARY = ("Game", "Rules", "Check")
"""The files that every theorem uses, in their order."""

WRITTEN = re.compile(rf"game\.efg|\.?({'|'.join(LIBRARY)}|Tree|Theorem)\.(v|vo|vok|vos|glob|aux)")
"""The names of the files of a theorem, and of what Coq writes beside them."""

NO_AXIOMS = "Closed under the global context"
"""The words of Coq for a theorem that rests on no axiom."""

REFUSED = re.compile(r'has type\s+"true = true"\s+while it is expected to have type')
"""The words of Coq if the check of a strategy does not succeed."""

OURS = "(* Written by efg_builder. *)"
"""The first line of a theorem: its folder may be written again."""

MOST_SAID = 400
"""The maximum number of letters that are kept of Coq's words: the last ones, after all warnings."""

MOST_NODES = 20_000
"""The maximum number of nodes of a tree that is written out. Trees from rules are not."""

WORDS = {"check": "0", "fold": "0", "bet": "1", "call": "1"}
"""The numbers of the moves in the histories of Kuhn poker, as in ``Rules.v``."""


@dataclass(frozen=True)
class Theorem:
    """A theorem in the files of a folder, and the kernel's answer.

    ``files`` are checked in this order; ``notes`` name the assumptions of the statement. ``accepted`` is None until the
    kernel is asked. ``seconds``: by file. ``said``: the last words of Coq.
    """

    statement: str
    folder: Path
    files: tuple[str, ...]
    notes: tuple[str, ...] = ()
    accepted: bool | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    said: str = ""

    def commands(self) -> list[list[str]]:
        """Return the commands that check the theorem, each to run in the folder."""
        return [["coqc", "-q", "-R", ".", "EfgBuilder", f"{name}.v"] for name in self.files]

    def facts(self) -> list[Fact]:
        """Return the theorem and the kernel's verdict for the terminal."""
        if self.accepted is None:
            place = os.path.join(os.curdir, self.folder) if str(self.folder).startswith("-") else str(self.folder)
            way = " && ".join(map(shlex.join, [["cd", place], *self.commands()]))
            kernel = fact("kernel", "not asked: Coq is not installed; with it:", way)
        else:
            time = f"{self.seconds['Theorem']:.1f} s, and {sum(self.seconds.values()):.1f} s with all files"
            verdict = "accepted, without axioms" if self.accepted else "REFUSED"
            kernel = fact("kernel", f"{verdict} ({time})", "" if self.accepted else self.said)
        return [fact("theorem", self.statement, *self.notes), kernel]

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON data."""
        return {
            "statement": self.statement,
            "notes": list(self.notes),
            "folder": str(self.folder),
            "accepted": self.accepted,
            "seconds": dict(self.seconds),
            "said": self.said,
        }


def write_theorem(game: Game | None, profile: TreeProfile, value: Fraction, folder: Path) -> Theorem:
    """Write the theorem that *value* is the value of the game to player 1.

    *game*: the rules, if the tree of *profile* is not from a file. The folder then has all files that Coq needs.

    Raises ``NotApplicableError`` without two players and a constant sum, or if the rules are not in ``Rules.v`` and the
    tree has more than 20,000 nodes. Raises ``FileError`` if the folder has other files or cannot be written.
    """
    tree = profile.tree
    if not has_value(tree):
        raise NotApplicableError("a theorem needs a game of two players with a constant sum")
    term = None if game is None else by_rules(game)
    if term is None and len(tree) > MOST_NODES:
        raise NotApplicableError(
            f"the rules of {tree.title!r} are not in {HERE.name}/Rules.v, and its tree has {len(tree):,} nodes, more "
            f"than the {MOST_NODES:,} that a theorem may spell out"
        )
    key = own_number if term is None else label_numbers
    names = (*LIBRARY, *(["Tree"] if term is None else []), "Theorem")
    total, notes = constant_sum(tree), []
    parts = {f"{name}.v": (HERE / f"{name}.v").read_text("utf-8") for name in LIBRARY}
    if term is None:
        parts |= {"game.efg": tree.to_efg(), "Tree.v": tree_text(tree)}
        notes.append(f"'game' is the tree in Tree.v ({len(tree):,} nodes), which this package wrote, as in game.efg")
    if total:
        notes.append(f"payoffs are those of {tree.players[0]}; {tree.players[1]} gets {total} minus them")
    statement = f"value {term or 'game'} {rational(value)}"
    parts["Theorem.v"] = "\n".join(_theorem(profile, statement, key, uses_tree=term is None))
    _clear(folder)
    for name, text in parts.items():
        write_atomically(folder / name, [text.encode("utf-8")])
    return Theorem(statement, folder, names, tuple(notes))


def _clear(folder: Path) -> None:
    """Make *folder*, or remove all files of an earlier theorem, including Coq's output."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        found = list(folder.iterdir())
        old = folder / "Theorem.v"
        if found and not (old.is_file() and old.read_text("utf-8", "replace").startswith(OURS)):
            raise FileError(f"{folder} is not empty and has no theorem of an earlier call; name another folder")
        for path in found:
            if WRITTEN.fullmatch(path.name):
                path.unlink()
    except OSError as error:
        raise FileError(f"{folder}: {error.strerror}") from None


def is_installed() -> bool:
    """Return whether Coq can be run."""
    return shutil.which("coqc") is not None


def ask_kernel(theorem: Theorem, progress: Callable[[str], None] = quiet) -> Theorem:
    """Run Coq on the files of *theorem*, and return it with the verdict of the kernel.

    Raises ``NotApplicableError`` if Coq neither accepts nor refuses a file, for example if it has too little memory.
    """
    seconds, said = {}, ""
    for command in theorem.commands():
        name = Path(command[-1]).stem
        progress(f"Coq checks {name}.v")
        began = time.monotonic()
        try:
            done = subprocess.run(
                command, cwd=theorem.folder, capture_output=True, text=True, errors="replace", check=False
            )
        except OSError as error:
            raise NotApplicableError(f"{command[0]!r} cannot be run: {error.strerror}") from None
        seconds[name], said = time.monotonic() - began, " ".join(f"{done.stderr}\n{done.stdout}".split())[-MOST_SAID:]
        if done.returncode and name == "Theorem" and REFUSED.search(done.stderr):
            return replace(theorem, accepted=False, seconds=seconds, said=said)
        if done.returncode or (name == "Theorem" and not done.stdout.strip().endswith(NO_AXIOMS)):
            words = said or f"exit code {done.returncode}"
            problem = "Coq neither proved it without axioms nor refused it"
            raise NotApplicableError(f"{theorem.folder / name}.v: {problem}: {words}")
    return replace(theorem, accepted=True, seconds=seconds, said=said)


# --- terms


def rational(value: Fraction) -> str:
    return f"({value.numerator} # {value.denominator})"


def by_rules(game: Game) -> str | None:
    """Return the game as a term of ``Rules.v``; None if its rules are not there."""
    name, settings = (identify(game) if in_package(game) else None) or ("", {})
    if name == "kuhn" and settings == {"cards": "3", "seats": "2"}:
        return "kuhn"
    if name != "liars-dice" or settings["payoff"] != "win-loss" or settings["order"] == "bluff":
        return None
    dice = settings["dice"].split(",")
    if len(dice) != 2:
        return None
    sides, wild, most = settings["sides"], settings["wild"], settings["max_quantity"]
    rolled = f"{sides} {' '.join(dice)}"
    if wild == "none" and settings["order"] == "quantity-face" and int(most) == sum(map(int, dice)):
        return f"(liars_dice {rolled})"
    bids = f"({settings['order'].replace('-', '_')} {sides} {most})"
    if settings["wild_biddable"] == "false":
        bids = f"(without {wild} {bids})"
    return f"(liars_dice_with {bids} {'None' if wild == 'none' else f'(Some {wild}%N)'} {rolled})"


def label_numbers(infoset: Infoset) -> list[str]:
    """Return the numbers that name an information set in ``Rules.v``: the hand, and all moves."""
    return re.findall(r"\d+", " ".join(WORDS.get(word, word) for word in re.split(r"[:\s]+", infoset.label)))


def own_number(infoset: Infoset) -> list[str]:
    return [str(infoset.number)]


def tree_text(tree: GameTree, key: Callable[[Infoset], list[str]] = own_number) -> str:
    """Return the tree as a definition; the file ``game.efg`` has its names."""
    terms, paid = [""] * len(tree), payoffs_in_all(tree)
    for node in reversed(range(len(tree))):
        inside = f"[{'; '.join(terms[child] for child in tree.children(node))}]"
        player = int(tree.player[node])
        if tree.is_terminal(node):
            terms[node] = f"End {rational(paid(node)[0])}"
        elif player == CHANCE:
            shares = "; ".join(map(rational, tree.infosets[int(tree.infoset[node])].probabilities or ()))
            terms[node] = f"Chance [{shares}] {inside}"
        else:
            numbers = "; ".join(key(tree.infosets[int(tree.infoset[node])]))
            terms[node] = f"Move {('One', 'Two')[player]} [{numbers}]%N {inside}"
        for child in tree.children(node):
            terms[child] = ""  # its text is part of this one
    return "\n".join([*_head("Game"), f"Definition game : tree := {terms[0]}.", ""])


def _head(*files: str) -> list[str]:
    return [
        "From Coq Require Import QArith List NArith.",
        f"From EfgBuilder Require Import {' '.join(files)}.",
        "Import ListNotations.",
        "Open Scope Q_scope.",
        "",
    ]


def _theorem(
    profile: TreeProfile, statement: str, key: Callable[[Infoset], list[str]], uses_tree: bool
) -> Iterator[str]:
    tree = profile.tree
    yield OURS
    yield from _head(*LIBRARY, *(["Tree"] if uses_tree else []))
    for player in (0, 1):
        entries = []
        for k in tree.personal:
            infoset, row = tree.infosets[k], [Fraction(p) for p in profile.probabilities[k]]
            if infoset.player == player and row[0] != 1:  # the first move is played where nothing is said
                entries.append(f"([{'; '.join(key(infoset))}]%N, [{'; '.join(map(rational, row))}])")
        yield f"Definition strategy_{player + 1} : strategy := table [\n  " + ";\n  ".join(entries) + "]."
        yield ""
    yield f"Theorem the_value : {statement}."
    yield "Proof. apply (checked strategy_1 strategy_2); vm_cast_no_check (eq_refl true). Qed."
    yield "Print Assumptions the_value."
    yield ""
