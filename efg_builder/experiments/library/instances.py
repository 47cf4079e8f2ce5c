"""Which games the library has: families of settings, each game once, under a name that stays.

A family is a game, the values of its settings (as ``efg-builder sweep`` takes them), the largest tree that is taken,
and where the game comes from. Two families are no games of the catalogue: games of which the house keeps a share, and
the games that pygambit brings.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from ...base.rationals import parse
from ...forms.extensive import GameTree, build, has_perfect_recall
from ...games.catalogue import named
from ...games.protocol import Game
from ...interop.efg import read_efg
from ..sweeps.variants import grid

LICENCE = "MIT"
"""Of all that this package makes itself."""

GAMBIT, GAMBIT_LICENCE = "gambit-catalogue", "GPL-2.0-or-later"
"""The family of games that pygambit brings, and the licence of pygambit."""

GAMBIT_NODES = 1_000
"""The largest of them that is taken."""


@dataclass(frozen=True)
class Instance:
    """One game of the library.

    ``slug`` is its name: letters, digits, ``-``, ``_`` and ``.``. ``game`` and ``settings`` make it; ``rake`` is the
    share of what is won that the house keeps (0: none). Of the family ``gambit-catalogue``, ``game`` is the path in
    pygambit's folder of games. ``source``: who wrote of the game.
    """

    slug: str
    family: str
    game: str
    settings: Mapping[str, str] = field(default_factory=dict)
    rake: Fraction = Fraction(0)
    source: str = ""
    licence: str = LICENCE

    @property
    def rules(self) -> Game | None:
        """The game of the catalogue that this is, unchanged; None where it is none."""
        return None if self.family == GAMBIT or self.rake else named(self.game).create(self.settings)

    def tree(self) -> GameTree:
        """The tree. Raises ``FileError`` and what ``build`` raises."""
        if self.family == GAMBIT:
            folder = gambit_folder()
            assert folder is not None, "listed only where it is there"
            return read_efg(folder / f"{self.game}.efg")
        tree = build(named(self.game).create(self.settings))
        return raked(tree, self.rake) if self.rake else tree


def raked(tree: GameTree, share: Fraction) -> GameTree:
    """*tree*, where the house keeps *share* of what a player wins: the payoffs sum to a constant no more."""
    title = f"{tree.title}, the house keeps {share} of what is won"
    won = ([u * (1 - share) if u > 0 else u for u in outcome.payoffs] for outcome in tree.outcomes)
    pairs = zip(tree.outcomes, won, strict=True)
    return replace(tree, title=title, outcomes=tuple(o._replace(payoffs=tuple(u)) for o, u in pairs))


@dataclass(frozen=True)
class Family:
    """Variants of a game: the values of its settings, the largest tree, and in what share the house takes."""

    name: str
    game: str
    settings: Mapping[str, str]
    nodes: int = 5_000
    rakes: tuple[str, ...] = ("0",)


TWO = "1..3,1..3"
"""Dice of two players."""

THREE = "1,2..3;2..3,1..3"
"""At least three of them: of two, the order ``bluff`` is that of ``quantity-face``."""

FAMILIES = (
    # Two players: the first call ends the round, and the loser pays 1.
    Family("liars-dice", "liars-dice", {"sides": "2..6", "dice": TWO, "order": "quantity-face;face-quantity"}, 60_000),
    Family(
        "liars-dice",
        "liars-dice",
        {"sides": "2..6", "dice": TWO, "wild": "highest", "order": "quantity-face;face-quantity"},
        60_000,
    ),
    Family("liars-dice", "liars-dice", {"sides": "2..6", "dice": THREE, "wild": "highest", "order": "bluff"}, 60_000),
    Family("liars-dice", "liars-dice", {"sides": "2..6", "dice": TWO, "wild": "1", "wild_biddable": "*"}, 60_000),
    Family("liars-dice", "liars-dice", {"sides": "6", "dice": "1,1", "wild": "none;highest"}, 400_000),
    Family("liars-dice-quantity", "liars-dice", {"sides": "2..8", "dice": "1,1;2,1;1,2", "max_quantity": "1"}, 40_000),
    Family("liars-dice-points", "liars-dice", {"sides": "2..4", "dice": "1,1;2,1;1,2", "payoff": "points"}),
    Family("liars-dice-spot-on", "liars-dice-spot-on", {"sides": "2..4", "dice": "1..2,1..2", "order": "*"}),
    Family("liars-dice-spot-on", "liars-dice-spot-on", {"sides": "2..4", "dice": "1..2,1..2", "wild": "highest"}),
    # A round of a match: what a call costs is worth more or less to who has few dice.
    *(
        Family(
            "liars-dice-stakes",
            "liars-dice-stakes",
            {"sides": "2..4", "dice": dice, "loss": loss, "exact": "*", "wild": "none;highest", "lose1": a, "lose2": b},
            10_000,
        )
        for dice, loss, a, b in (
            ("1,1", "one", "-1", "2"),
            ("2,1", "one", "-1", "3"),
            ("2,1", "difference", "-1,-3", "3"),
            ("1,2", "one", "-3", "1"),
            ("1,2", "difference", "-3", "1,3"),
            ("2,2", "one", "-2", "1"),
            ("2,2", "difference", "-1,-2", "1,2"),
            ("3,1", "difference", "-1,-2,-4", "4"),
        )
    ),
    # More than two players: an equilibrium, and what it pays.
    Family("liars-dice-many", "liars-dice", {"sides": "2..3", "dice": "1..2,1,1;1,2,1;1,1,2", "max_quantity": "1;2"}),
    Family("liars-dice-many", "liars-dice", {"sides": "2", "dice": "1,1,1", "wild": "none;highest", "order": "*"}),
    Family("liars-dice-many", "liars-dice", {"sides": "2", "dice": "1,1,1,1;1,1,1,1,1", "max_quantity": "1..2"}),
    Family("liars-dice-many", "liars-dice-spot-on", {"sides": "2", "dice": "1,1,1", "wild": "none;highest"}),
    Family("poker-many", "kuhn", {"cards": "4..5", "seats": "3"}),
    Family("poker-many", "leduc", {"ranks": "2", "raises": "1", "seats": "3"}),
    # Cards and other bluffs.
    Family("kuhn", "kuhn", {"cards": "3..20"}),
    Family("leduc", "leduc", {"suits": "2..3", "ranks": "2..4", "raises": "1..2"}, 10_000),
    Family("dice-poker", "dice-poker", {"sides": "2..14", "bet": "1..3"}),
    Family("mia", "mia", {"sides": "2..3", "max_rolls": "0..2"}, 10_000),
    Family("liars-poker", "liars-poker", {"hand_length": "1..2", "num_digits": "2..3"}, 10_000),
    # The house keeps a share: no constant sum.
    Family("raked", "kuhn", {"cards": "3..7"}, rakes=("1/20", "1/10", "1/4")),
    Family("raked", "dice-poker", {"sides": "3..7"}, rakes=("1/20", "1/10", "1/4")),
    Family("raked", "leduc", {"ranks": "2", "raises": "1"}, rakes=("1/10",)),
    Family(
        "raked",
        "liars-dice-stakes",
        {"sides": "2", "dice": "2,1", "loss": "difference", "lose1": "-1,-3", "lose2": "3"},
        rakes=("1/10", "1/4"),
    ),
)


def instances() -> tuple[Instance, ...]:
    """The list, in the order of the families. Without pygambit's folder of games it lacks these."""
    found: dict[str, Instance] = {}
    seen = set[tuple[str, Fraction]]()
    for one, key in _ours():
        if (key, one.rake) not in seen:
            seen.add((key, one.rake))
            assert one.slug not in found, f"two games have the name {one.slug}"
            found[one.slug] = one
    return (*found.values(), *_gambits())


def _ours() -> Iterator[tuple[Instance, str]]:
    """What the families have, and the canonical words of each game; some stand in two families."""
    for family in FAMILIES:
        kind = named(family.game)
        for one in grid(family.game, family.settings).variants:
            if one.nodes is not None and one.nodes > family.nodes:
                continue
            # Part of the name is what is not as it is by default, and what every game of its kind has in it.
            defaults = {p.name: p.default for p in kind.parameters}
            first = kind.parameters[0].name
            words = [f"{k}-{v}" for k, v in one.asked.items() if k == first or k == "dice" or v != defaults[k]]
            for text in family.rakes:
                rake = parse(text)
                slug = _slug("_".join([family.game, *words, *([f"rake-{text}"] if rake else [])]))
                source = "; ".join(kind.sources)
                yield Instance(slug, family.name, family.game, dict(one.settings), rake, source), one.key


def _slug(words: str) -> str:
    return re.sub(r"[^a-z0-9._-]", lambda sign: {",": ".", "/": "."}.get(sign[0], "-"), words.lower())


def gambit_folder() -> Path | None:
    """Where the installed pygambit keeps its games; None where it has none."""
    found = importlib.util.find_spec("pygambit")
    places = found.submodule_search_locations if found is not None else None
    path = Path(next(iter(places))) / "catalog_data" if places else None
    return path if path is not None and path.is_dir() else None


def _gambits() -> Iterator[Instance]:
    """Pygambit's games of perfect recall: of others an equilibrium is not proved by the checker."""
    folder = gambit_folder()
    for path in sorted(folder.rglob("*.efg")) if folder is not None else ():
        tree = read_efg(path)
        if len(tree) <= GAMBIT_NODES and has_perfect_recall(tree):
            name = path.relative_to(folder or path).with_suffix("").as_posix()
            source = f"pygambit's catalogue, {name}: {tree.comment or tree.title}"
            yield Instance(_slug(f"gambit_{name}"), GAMBIT, name, source=_line(source), licence=GAMBIT_LICENCE)


def _line(text: str) -> str:
    return " ".join(text.split())
