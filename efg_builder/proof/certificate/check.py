"""The proof of a solution from its file alone: rules, strategies, best responses, and the verdict that follows.

Nothing here solves anything. What the file says of its numbers is believed in no point: the game is made anew
from its name and settings, the strategies are read strictly, each player's best response to the others is worked
out over the whole game, and what they give is held against the claim.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

from ...base.errors import CertificateError, NotApplicableError, ParameterError, ProfileError, check_kind
from ...base.files import read_text
from ...base.rationals import Number, brief, parse, text, to_json
from ...base.words import equilibrium_within, figure, listed, most_won, nobody_gains, plural
from ...forms.extensive import MAX_NODES, GameTree, build
from ...games.catalogue import make
from ...games.protocol import DealtGame, Game
from ...interop.trees import GameLike, subject
from ...strategies.reading import profile_of, read_solution
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import TreeProfile, dealt
from ...strategies.writing import encode, game_part
from .. import Verdict, check_tolerance, prove_near, verify
from ..verify import DEFAULT_TOLERANCE
from .carried import KEYS, carried_tree, check_carried
from .claim import STOPPED, check_claim, check_game, check_number, slack_of, tolerance_of, word
from .layout import DEFAULT_RULE
from .reading import check_parts, holds_strategies, named_source, read_plain, read_strategies
from .refined import prove_refined

Tolerance = float | Fraction | None

MOST_HANDS = 100_000
"""Games in which the players have more hands than this are not checked: listing them alone would take too long."""


@dataclass(frozen=True)
class Proof:
    """What was proved of a solution.

    ``lower`` and ``upper``: what player 1's strategy guarantees and player 2's allows, from the two best responses
    (None where the players do not divide a constant sum); ``regret``: the most that a player gains by deviating;
    ``tolerance``: the regret that an equilibrium was allowed, as a fraction of the payoff range (None: 0 for rational
    strategies, 1e-6 for floats); ``exact``: rational strategies, and nobody gains. ``written``: the information sets of
    each player that the file writes down; ``visited``: how many public histories each player's best response had to
    visit, or None where it went over all ``nodes`` of the tree. ``checked`` says in a sentence what was held against
    what; ``near``: the claim is a near-equilibrium, and nobody gains more than a millionth of the payoff range.
    ``radius``: a true equilibrium is within it of each probability (None where the file does not claim that).
    As text it is what ``efg-builder verify`` prints.
    """

    title: str
    players: tuple[str, ...]
    method: str
    status: str
    value: tuple[Number, ...]
    lower: Number | None
    upper: Number | None
    regret: Number
    tolerance: Tolerance
    exact: bool
    written: tuple[int, ...]
    visited: tuple[int, ...] | None
    nodes: int | None
    checked: str
    near: bool = False
    radius: Fraction | None = None

    def __str__(self) -> str:
        return "\n".join(_lines(self))

    def to_json(self) -> dict[str, Any]:
        """The proof as plain data; exact rationals are text such as ``"-1/9"``."""
        return {
            "game": {"title": self.title, "players": list(self.players)},
            "method": self.method,
            "status": self.status,
            "value": [to_json(v) for v in self.value],
            "lower": None if self.lower is None else to_json(self.lower),
            "upper": None if self.upper is None else to_json(self.upper),
            "regret": to_json(self.regret),
            "radius": None if self.radius is None else to_json(self.radius),
            "tolerance": None if self.tolerance is None else to_json(self.tolerance),
            "exact": self.exact,
            "written": list(self.written),
            "visited": None if self.visited is None else list(self.visited),
            "nodes": self.nodes,
            "checked": self.checked,
        }


@runtime_checkable
class Claimed(Protocol):
    """What ``Solution`` is to the check: a claim as plain data, and the game it is of."""

    @property
    def game(self) -> Game | None:
        """The rules, where they are known."""

    @property
    def tree(self) -> GameTree | None:
        """The tree, where there is one."""

    def to_json(self) -> dict[str, Any]:
        """What would stand in the file."""


def verify_solution(
    solution: str | os.PathLike[str] | Claimed,
    game: GameLike | None = None,
    *,
    tolerance: float | Fraction | None = None,
    max_nodes: int = MAX_NODES,
) -> Proof:
    """Prove a solution again, from its file alone: the file at that path, or the one that a ``Solution`` would write.

    *game* is needed where the file neither names a game of the catalogue nor carries its tree (of large ``.efg`` files
    it has only the digest); where it is given, it must be the same game. A ``Solution`` knows its game. *tolerance* is
    the greatest regret of what may be called an equilibrium, as a fraction of the payoff range (None: 0 for rational
    strategies, 1e-6 for floats); a tolerance that the solution names is no criterion here. Raises ``CertificateError``,
    which says where the file fails, ``FileError`` for one that cannot be read or is no JSON, ``ParameterError`` where
    *game* is needed or *solution* is neither of the two, and ``TreeTooLargeError``.
    """
    kinds, hint = (str, os.PathLike, Claimed), "eb.verify(...) judges a profile"
    check_kind("verify_solution", solution, kinds, "a solution or the path of its file", hint)
    if isinstance(solution, Claimed):
        source, content = "the solution", "".join(encode(solution.to_json()))
        known = solution.tree if solution.game is None else solution.game
        game = known if game is None else game
    else:
        source, content = str(solution), read_text(solution)
    data = read_plain(content, source)
    with named_source(source):
        return prove_solution(data, source, game, max_nodes, tolerance)


def prove_solution(
    data: dict[str, Any],
    source: str,
    game: GameLike | None,
    max_nodes: int,
    tolerance: Tolerance = None,
) -> Proof:
    """Prove a solution's parts, as plain data that may have been changed. Raises as ``verify_solution``."""
    known = None if game is None else subject("verify_file", game, max_nodes=max_nodes)
    check_tolerance(tolerance)
    check_parts(data)
    return prove(data, source, known, max_nodes, tolerance)


def prove(
    data: Mapping[str, Any],
    source: str,
    game: Game | GameTree | None,
    max_nodes: int,
    tolerance: Tolerance = None,
) -> Proof:
    """Prove what the parts of a solution claim, as ``reading.read_plain`` gives them. Raises as above."""
    rules = _rules(data["game"], game)
    tree = game if isinstance(game, GameTree) else None
    if "strategies" in data:
        return _prove_sparse(data, rules, tree, tolerance)
    carried = carried_tree(data["game"], max_nodes)
    if rules is None and tree is None and carried is None:
        why = "has only the digest of its tree" if "sha256" in data["game"] else "names no game of the catalogue"
        raise ParameterError(f"{source} {why}: give the game or FILE.efg it is of")
    return _prove_tree(data, rules, tree, carried, max_nodes, tolerance)


def read_sparse(path: str | os.PathLike[str], game: Game | GameTree | None = None) -> SparseProfile | None:
    """The strategies in the solution file at *path*, where it was found without a tree; None for other solutions.

    *game* as in ``verify_solution``. The claim is not looked at: judge the profile, for instance with
    ``verify``. Raises ``CertificateError`` and ``FileError``.
    """
    source, content = str(path), read_text(path)
    if not holds_strategies(content):
        return None
    data = read_plain(content, source)
    with named_source(source):
        check_parts(data)
        tree = game if isinstance(game, GameTree) else None
        return _strategies(data, _rules(data["game"], game), tree)


def read_solved(
    path: str | os.PathLike[str],
    game: Game | GameTree,
    tree: Callable[[], GameTree],
    which: int | None = None,
) -> SparseProfile | TreeProfile:
    """The strategy in the solution file at *path*, be it found on the tree or without one; *tree* gives the game's.

    The claim is not looked at. *which*: as in ``read_solution``, for solutions on a tree. Raises what that and
    ``read_sparse`` raise, and what *tree* raises.
    """
    sparse = read_sparse(path, game)
    if sparse is not None:
        return sparse
    return dealt(read_solution(path, tree(), which), game if isinstance(game, Game) else None)


def _rules(part: Mapping[str, Any], given: Game | GameTree | None) -> Game | None:
    """The game that *part* names, or the one that was given."""
    found = None
    if "name" in part or "settings" in part:
        name, settings = part.get("name"), part.get("settings")
        if not isinstance(name, str) or not isinstance(settings, dict):
            raise CertificateError("game", "'name' and 'settings' do not name a game")
        try:
            found = make(name, settings)
        except ParameterError as error:
            raise CertificateError("game", str(error)) from None
    if isinstance(given, Game):
        if found is not None and found != given:
            raise CertificateError("game", f"the solution is of {found.title!r}, not of {given.title!r}")
        return given
    return found


CHECKED_SPARSE = "exact: best responses over all of public play, in whole numbers"
"""How strategies without a tree are proved."""


def _prove_sparse(data: Mapping[str, Any], rules: Game | None, tree: GameTree | None, tolerance: Tolerance) -> Proof:
    profile = _strategies(data, rules, tree)
    try:
        verdict = verify(profile, tolerance, over="sparse")
    except NotApplicableError as error:
        raise CertificateError("game", str(error)) from None
    check_claim(data, verdict, _by_own(data, profile, verdict))
    radius = _prove_radius(data, profile)
    return _proof(
        data,
        verdict,
        tolerance,
        radius=radius,
        written=profile.sizes,
        visited=verdict.visited,
        nodes=None,
        checked=CHECKED_SPARSE,
    )


def _strategies(data: Mapping[str, Any], rules: Game | None, tree: GameTree | None) -> SparseProfile:
    """What the file has under ``strategies``, for the game that it names or that was given."""
    if rules is None:
        raise CertificateError("game", "'strategies' need a game of the catalogue, or one that is given")
    if not isinstance(rules, DealtGame):
        raise CertificateError("game", f"{rules.title} is no dealt game, so it has no 'strategies'")
    if sum(rules.hand_counts) > MOST_HANDS:
        raise CertificateError("game", f"more than {MOST_HANDS:,} hands are too many to be checked")
    check_game(data["game"], game_part(rules))
    if tree is not None and not _is_of(tree, rules):
        raise CertificateError("game", f"the solution is of {rules.title!r}; the tree that was given is another")
    if data["default"] != DEFAULT_RULE:
        raise CertificateError("default", "not the rule that is checked here")
    return read_strategies(rules, data["strategies"])


def _is_of(tree: GameTree, rules: Game) -> bool:
    size = rules.size()
    return (size is None or size.nodes == len(tree)) and build(rules, max_nodes=len(tree)) == tree


def _prove_tree(
    data: Mapping[str, Any],
    rules: Game | None,
    tree: GameTree | None,
    carried: GameTree | None,
    max_nodes: int,
    tolerance: Tolerance,
) -> Proof:
    # A solution of a tree names no game of the catalogue.
    said = {key: value for key, value in data["game"].items() if key not in KEYS}
    named = {key: said[key] for key in ("name", "settings") if key in said}
    if rules is not None:
        built = build(rules, max_nodes=max_nodes)
        if tree is not None and tree != built:
            raise CertificateError("game", f"the solution is of {rules.title!r}; the tree that was given is another")
        check_game(said, game_part(rules if named else None, built))
        tree = tree if tree is not None else built
    subject = tree if tree is not None else carried
    assert subject is not None
    # The tree in hand must have this title, these players and this size.
    check_game(said, named | game_part(None, subject))
    check_carried(data["game"], carried, subject)
    tree = subject
    if data["profile"] is None:
        raise CertificateError("claim", f"the solution claims nothing: it has no profile ({word(data.get('status'))})")
    profile, verdict = _judge(data["profile"], tree, tolerance, "profile")
    check_claim(data, verdict, _by_own(data, profile, verdict), slack_of(tree))
    radius = _prove_radius(data, profile)
    several = data.get("equilibria") or []
    for number, entry in enumerate(several, start=1):
        _check_one(data, entry, tree, tolerance, f"equilibria, number {number}")
    if verdict.exact:
        checked = "exact: best responses over the whole tree, in fractions"
    else:
        shown = f"{DEFAULT_TOLERANCE:g}" if tolerance is None else brief(tolerance)
        checked = f"in floats, to within {shown} of the payoff range: best responses over the whole tree"
    if verdict.forgetful:
        names = listed([tree.players[player] for player in verdict.forgetful])
        checked += f"; of {names}, without perfect recall, the best of all behavior strategies"
    if several:
        checked += f"; so were all {len(several)} profiles in 'equilibria'"
    if "refined" in data:
        sets = len(prove_refined(data["refined"], profile).gains)
        checked += (
            f"; no action is better at any information set that chance lets play get to ({sets}), against beliefs from "
            "the stated mistakes: a sequential equilibrium (that it is quasi-perfect is not checked)"
        )
    if data["game"].keys() & KEYS:
        what = "of which the file has the digest" if carried is None else "that is in the file"
        checked += f"; the tree is the one {what}"
    written = tuple(
        sum(1 for k in tree.personal if tree.infosets[k].player == player) for player in range(len(tree.players))
    )
    return _proof(
        data, verdict, tolerance, radius=radius, written=written, visited=None, nodes=len(tree), checked=checked
    )


def _judge(entries: object, tree: GameTree, tolerance: Tolerance, place: str) -> tuple[TreeProfile, Verdict]:
    if not isinstance(entries, list):
        raise CertificateError(place, "not a list")
    try:
        profile = profile_of(entries, tree, place)
        verdict = verify(profile, tolerance)
    except ProfileError as error:
        raise CertificateError(place, str(error).removeprefix(f"{place}: ")) from None
    except NotApplicableError as error:
        raise CertificateError(place, f"the solution claims nothing that can be verified: {error}") from None
    for entry in entries:
        if "label" not in entry:
            number = word([entry["player"], entry["infoset"]])
            raise CertificateError(place, f"'label' is missing at player and information set {number}")
        if entry.get("reached") is not (verdict.reach[tree.by_number[entry["player"] - 1, entry["infoset"]]] > 0):
            raise CertificateError(place, f"'reached' is wrong at {word(entry.get('label'))}")
    return profile, verdict


def _by_own(data: Mapping[str, Any], profile: TreeProfile | SparseProfile, verdict: Verdict) -> bool:
    """Whether *profile* is an equilibrium; in floats by the tolerance that the file names, or by the usual one."""
    if verdict.exact or verdict.regret == 0:
        return verdict.regret == 0
    return verify(profile, tolerance_of(data)).equilibrium


def _prove_radius(data: Mapping[str, Any], profile: TreeProfile | SparseProfile) -> Fraction | None:
    """The ``radius`` that the file claims: a true equilibrium must be proved to be within it of each probability."""
    if "radius" not in data:
        return None
    said = data["radius"]
    try:
        radius = parse(said) if isinstance(said, str) else Fraction(0)
    except (ValueError, ZeroDivisionError) as error:
        raise CertificateError("claim", f"radius: {error}") from None
    if radius <= 0 or text(radius) != said:
        raise CertificateError(
            "claim", f"radius is {word(said)}, which is no positive fraction in lowest terms, as text"
        )
    if data["status"] != "near-equilibrium" or not profile.exact:
        raise CertificateError("claim", "a radius belongs to a near-equilibrium in fractions, and to nothing else")
    found = prove_near(profile)
    if found.radius is None:
        raise CertificateError("claim", f"that an equilibrium is within the radius is not proved: {found.reason}")
    if found.radius > radius:
        least = text(found.radius)
        raise CertificateError("claim", f"radius is {word(said)}, but no less than {word(least)} can be proved")
    return radius


def _check_one(
    data: Mapping[str, Any], entry: Mapping[str, Any], tree: GameTree, tolerance: Tolerance, place: str
) -> None:
    """One of several equilibria: its value, regret, and whether it is one."""
    profile, verdict = _judge(entry.get("profile"), tree, tolerance, place)
    # That it is none is a claim by the file's own tolerance, whatever more is allowed here.
    found = verdict.equilibrium if entry.get("equilibrium") is True else _by_own(data, profile, verdict)
    if entry.get("equilibrium") is not found:
        raise CertificateError(place, f"'equilibrium' is {word(entry.get('equilibrium'))}, which is not so")
    for key, right in (("value", verdict.value), ("regret", verdict.regret)):
        check_number(key, entry.get(key), right, place, slack_of(tree))


def _proof(data: Mapping[str, Any], verdict: Verdict, tolerance: Tolerance, **sizes: Any) -> Proof:
    return Proof(
        title=data["game"]["title"],
        players=tuple(data["game"]["players"]),
        method=str(data["method"]),
        status=data["status"],
        value=verdict.value,
        lower=verdict.lower,
        upper=verdict.upper,
        regret=verdict.regret,
        tolerance=tolerance,
        exact=data["exact"],
        near=data["status"] == "near-equilibrium" and verdict.near,
        **sizes,
    )


# --- a proof in lines


def _verdict(proof: Proof) -> list[str]:
    """What was proved, in a sentence."""
    if proof.lower is None and isinstance(proof.regret, Fraction):
        lines = [f"proved        {nobody_gains(proof.regret) if proof.regret else 'nobody gains by playing otherwise'}"]
        return lines + ([f"              {equilibrium_within(proof.radius)}"] if proof.radius is not None else [])
    if proof.lower is None or proof.upper is None:
        return []
    if not proof.exact:
        if proof.status == "equilibrium":  # within the tolerance
            return []
        most = most_won(proof.players, proof.value, proof.lower, proof.upper)
        return [f"proved        {nobody_gains(proof.regret)}", f"              who plays against this gets {most}"]
    first = proof.players[0]
    if proof.lower == proof.upper:
        return [f"proved        the value of the game is {figure(proof.lower)} to {first}"]
    return [f"proved        the value of the game to {first} is from {figure(proof.lower)} to {figure(proof.upper)}"]


def _lines(proof: Proof) -> list[str]:
    """The proof in a few lines: the bounds, or the payoffs, and what was checked."""
    lines = [
        proof.title,
        *_verdict(proof),
        f"claim         {proof.status}{': true' if proof.status not in STOPPED else ''}",
    ]
    if proof.tolerance is not None and proof.status == "equilibrium":
        lines.append(f"tolerance     {figure(proof.tolerance)} of the payoff range may be gained in an equilibrium")
    if proof.lower is not None:
        first, second = proof.players
        lines.append(f"lower bound   {first}'s strategy guarantees {first} {figure(proof.lower)}")
        lines.append(f"upper bound   {second}'s strategy allows {first} no more than {figure(proof.upper)}")
    for player, value in zip(proof.players, proof.value, strict=True):
        lines.append(f"payoff        {player}: {figure(value)}")
    lines.append(f"regret        {figure(proof.regret)}")
    sets = ", ".join(f"{name} {count:,}" for name, count in zip(proof.players, proof.written, strict=True))
    lines += [f"checked       {proof.checked}", f"written       information sets: {sets}"]
    if proof.visited is not None:
        visits = zip(proof.players, proof.visited, strict=True)
        sizes = ", ".join(f"{name} {count:,}" for name, count in visits)
        lines.append(f"visited       public histories, by the best response of each: {sizes}")
    elif proof.nodes is not None:
        lines.append(f"visited       {plural(proof.nodes, 'node')}")
    return lines
