"""The verification of a solution from its file alone.

The code solves no game, and trusts none of the results in the file. It rebuilds the game from its name and settings,
and reads the strategies strictly. Then it computes each player's best response over the whole game, and compares the
results with the claim.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from typing import Any, Protocol, runtime_checkable

from ...base.errors import (
    CertificateError,
    EfgBuilderError,
    EfgSyntaxError,
    NotApplicableError,
    ParameterError,
    ProfileError,
    check_kind,
)
from ...base.facts import Fact, attributes, fact, facts_in_text
from ...base.files import read_text
from ...base.rationals import Number, brief, from_json, parse, text, to_json
from ...base.words import at_most, distinct, equilibrium_within, figure, listed, most_won, nobody_gains, plural
from ...forms.extensive import CHANCE, MAX_NODES, GameTree, build, payoff_range, same_play
from ...forms.subject import Subject, size_of
from ...games.catalogue import in_package, make
from ...games.protocol import Game
from ...interop.efg import efg_chunks, parse_efg
from ...interop.efg.writer import Names
from ...interop.trees import GameLike, as_subject
from ...strategies.reading import profile_of, read_solution
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import TreeProfile, dealt
from ...strategies.writing import encode, game_part
from .. import Verdict, check_tolerance, prove_near, verify
from ..refinement import refinement
from ..sequential import Chance, SequentialVerdict, beliefs_part, verify_sequential
from ..verify import DEFAULT_TOLERANCE
from .reading import (
    DEFAULT_RULE,
    check_parts,
    differing,
    holds_strategies,
    named_source,
    read_parts,
    read_plain,
    read_strategies,
    with_fit_names,
    word,
)

Tolerance = float | Fraction | None

MOST_HANDS = 100_000
"""The maximum number of hands of all players together; a list of more hands takes too long."""


@runtime_checkable
class HasClaim(Protocol):
    """An object with a claim as plain data. This module must not import the usual class, ``Solution``."""

    @property
    def game(self) -> Game | None:
        """The rules, if known."""

    @property
    def tree(self) -> GameTree | None:
        """The tree, if any."""

    def to_json(self) -> dict[str, Any]:
        """Return the claim, with the game and the strategies."""


@dataclass(frozen=True)
class Proof:
    """The proof of a solution. ``str`` returns the output of ``efg-builder verify``.

    ``lower``: the payoff to player 1 that player 1's strategy guarantees. ``upper``: the largest payoff to player 1
    that player 2's strategy allows. Both are None unless two players divide a constant sum. ``regret``: the maximum
    gain of a player by deviating. ``tolerance``: see ``verify_file``. ``exact``: whether the strategies are rational
    and no player gains.

    ``written``: each player's number of information sets in the file. ``visited``: the number of public histories
    visited for each player's best response; None if all ``nodes`` of the tree were visited. ``checked``: a description
    of the check. ``near``: whether the claim is a near-equilibrium, and no player gains more than a millionth of the
    payoff range. ``radius``: the proved maximum difference between a probability in the file and in a true equilibrium;
    None if the file claims no radius.
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
        return facts_in_text(self.title, _facts(self))

    def to_json(self) -> dict[str, Any]:
        """Return the proof as plain data. Rational numbers are strings such as ``"-1/9"``."""
        game = {"title": self.title, "players": list(self.players)}
        return {"game": game, **attributes(self, *_WRITTEN)}


_WRITTEN = (
    *("method", "status", "value", "lower", "upper", "regret", "radius", "tolerance"),
    *("exact", "written", "visited", "nodes", "checked"),
)
"""The fields of ``Proof`` in its JSON, in order."""


def verify_solution(
    solution: Any,
    game: GameLike | None = None,
    *,
    tolerance: float | Fraction | None = None,
    max_nodes: int = MAX_NODES,
) -> Proof:
    """Verify a solution from its file alone: the file at a path, or the file that a ``Solution`` would write.

    *game* and *tolerance* are as in ``chain.verify_file``. A ``Solution`` needs no *game*. Raises the errors of
    ``chain.verify_file``, and ``ParameterError`` if *solution* is neither a path nor a ``Solution``.
    """
    if isinstance(solution, HasClaim):
        source, content = "the solution", "".join(encode(solution.to_json()))
        known = solution.tree if solution.game is None else solution.game
        game = known if game is None else game
    else:
        hint = "eb.verify(...) judges a profile"
        check_kind("verify_solution", solution, (str, os.PathLike), "a solution or the path of its file", hint)
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
    """Verify a solution from untrusted plain data. Raises the errors of ``verify_solution``."""
    known = None if game is None else as_subject("verify", game, max_nodes=max_nodes)
    check_tolerance(tolerance)
    check_parts(data, source)
    return prove(data, source, known, max_nodes, tolerance)


def prove(
    data: Mapping[str, Any],
    source: str,
    game: Subject | None,
    max_nodes: int,
    tolerance: Tolerance = None,
) -> Proof:
    """Verify the claim in a solution's *data*, which ``reading.check_parts`` has accepted.

    Raises the errors of ``verify_solution``.
    """
    data = with_fit_names(data)
    rules, tree = _certified(data["game"], game)
    if "strategies" in data:
        return _prove_sparse(data, rules, tree, tolerance)
    return _prove_tree(data, *_certified_tree(data["game"], rules, tree, max_nodes, source), tolerance)


def read_sparse(path: str | os.PathLike[str], game: Subject | None = None) -> SparseProfile | None:
    """Return the strategies in the solution file at *path*; None if the solution is on a tree.

    *game*: the game of the solution. The claim is not checked: use ``verify`` on the profile. Raises
    ``CertificateError`` and ``FileError``.
    """
    source, content = str(path), read_text(path)
    if not holds_strategies(content):
        return None
    data = read_parts(content, source)
    with named_source(source):
        return certified_strategies(data, *_certified(data["game"], game))


def read_solved(path: str | os.PathLike[str], game: Subject, which: int | None = None) -> SparseProfile | TreeProfile:
    """Return the strategy for *game* in the solution file at *path*, with or without a tree.

    The claim is not checked. *which* is as in ``read_solution``, for solutions on a tree. Raises the errors of
    ``read_solution``, ``read_sparse`` and ``Subject.tree``.
    """
    sparse = read_sparse(path, game)
    if sparse is not None:
        return sparse
    return dealt(read_solution(path, game.tree(), which), game.given_rules)


def read_refined(path: str | os.PathLike[str], profile: TreeProfile) -> SequentialVerdict | None:
    """Return the proof in the solution file at *path* that its *profile* is a sequential equilibrium, checked.

    Return None if the file claims no sequential equilibrium. Raises ``CertificateError`` if the claim is wrong.
    """
    data = read_plain(read_text(path), str(path))
    if "refined" not in data or not isinstance(data.get("game"), dict):
        return None
    with named_source(str(path)):
        return prove_refined(with_fit_names(data)["refined"], profile, labels=False)


def _certified(part: Mapping[str, Any], given: Subject | None) -> tuple[Game | None, GameTree | None]:
    """Return ``certified_rules`` and the given tree."""
    return certified_rules(part, given), None if given is None else given.given_tree


def certified_rules(part: Mapping[str, Any], given: Subject | None) -> Game | None:
    """Return the rules in *given*, or the rules named in the part ``game``. Raises ``CertificateError``."""
    rules, found = None if given is None else given.given_rules, None
    if "name" in part or "settings" in part:
        name, settings = part.get("name"), part.get("settings")
        if not isinstance(name, str) or not isinstance(settings, dict):
            raise CertificateError("game", "'name' and 'settings' do not name a game")
        try:
            found = make(name, settings)
        except ParameterError as error:
            raise CertificateError("game", str(error)) from None
    if rules is not None and found is not None and found != rules:
        raise CertificateError("game", f"the solution is of {found.title!r}, not of {rules.title!r}")
    return found if rules is None else rules


CHECKED_SPARSE = "exact: best responses over the whole public tree, with integers"


def _prove_sparse(data: Mapping[str, Any], rules: Game | None, tree: GameTree | None, tolerance: Tolerance) -> Proof:
    profile = certified_strategies(data, rules, None)
    compared = "" if tree is None else _compared(tree, profile.game)
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
        checked=CHECKED_SPARSE + compared,
    )


def certified_strategies(data: Mapping[str, Any], rules: Game | None, tree: GameTree | None) -> SparseProfile:
    """Return the strategies in a solution without a tree. Raises ``CertificateError``."""
    if rules is None:
        give = "'efg-builder verify FILE.json GAME.py:CLASS' (game=) gives them"
        raise CertificateError("game", f"'strategies' require the rules, which are not in the file; {give}")
    game = Subject.of(rules).dealt
    if game is None:
        raise CertificateError("game", f"{rules.title} is not a dealt game, so it has no 'strategies'")
    if sum(game.hand_counts) > MOST_HANDS:
        raise CertificateError("game", f"the game has more than {MOST_HANDS:,} hands, too many to check")
    check_game(data["game"], game_part(game))
    if tree is not None:
        _compared(tree, game)
    if data["default"] != DEFAULT_RULE:
        raise CertificateError("default", "this is not the default rule of solution files")
    return read_strategies(game, data["strategies"])


LABELS_DIFFER = "; the given game is the same, labels differ"


def _compared(tree: GameTree, rules: Game) -> str:
    """Return ``""`` if *tree* is the tree of *rules*, or ``LABELS_DIFFER``. Raises ``CertificateError``."""
    size = rules.size()
    if size is None or size.nodes == len(tree):
        built = build(rules, max_nodes=len(tree))
        if tree == built:
            return ""
        if same_play(tree, built):
            return LABELS_DIFFER
    raise CertificateError("game", f"the solution is of {rules.title!r}; the given tree is different")


def _certified_tree(
    part: Mapping[str, Any], rules: Game | None, given: GameTree | None, max_nodes: int, source: str
) -> tuple[GameTree, str]:
    """Return the tree of the game in *part*, the part ``game``, and ``LABELS_DIFFER`` or an empty text.

    The tree follows from the *rules*, is *given*, or is in the file. All of these must agree.
    """
    carried = carried_tree(part, max_nodes)
    # The solution of a tree without rules names no game of the catalogue.
    said = {key: value for key, value in part.items() if key not in CARRIED}
    named = {key: said[key] for key in ("name", "settings") if key in said}
    tree, compared = given, ""
    if rules is not None:
        compared = "" if given is None else _compared(given, rules)
        tree = build(rules, max_nodes=max_nodes)
        if named:
            check_game(said, game_part(rules, tree))
    tree = carried if tree is None else tree
    if tree is None:
        why = "has only the digest of its tree" if "sha256" in part else "names no game of the catalogue"
        raise ParameterError(f"{source} {why}: pass the game, or its FILE.efg")
    if carried is not None and not _is_same(carried, tree) and same_play(carried, tree):
        tree, compared = carried, LABELS_DIFFER
    # The title, the players and the size of the tree must agree with the file.
    check_game(said, named | game_part(None, tree))
    if carried is not None and not _is_same(carried, tree):
        raise CertificateError("game", f"the tree in the certificate differs from the given tree, {tree.title!r}")
    # Files of version 0.3 have the digest of the text with equal labels, but other changes for Gambit.
    if "sha256" in part and part["sha256"] not in (_digest(tree), _digest(tree, "equal")):
        raise CertificateError("game", f"sha256 is not the digest of the .efg text of the given tree, {tree.title!r}")
    return tree, compared


def _prove_tree(data: Mapping[str, Any], tree: GameTree, compared: str, tolerance: Tolerance) -> Proof:
    if data["profile"] is None:
        raise CertificateError("claim", f"the solution claims nothing: it has no profile ({word(data.get('status'))})")
    profile, verdict = _judge(data["profile"], tree, tolerance, "profile")
    check_claim(data, verdict, _by_own(data, profile, verdict), Fraction(AGREEMENT) * payoff_range(tree))
    radius = _prove_radius(data, profile)
    several = [
        _check_one(data, entry, tree, tolerance, f"equilibria, number {number}")
        for number, entry in enumerate(data.get("equilibria") or [], start=1)
    ]
    _check_off_path(data, several or [(profile, verdict)])
    refined = prove_refined(data["refined"], profile) if "refined" in data else None
    return _proof(
        data,
        verdict,
        tolerance,
        radius=radius,
        written=size_of(tree).infosets,
        visited=None,
        nodes=len(tree),
        checked=_checked_tree(data, tree, verdict, refined, tolerance) + compared,
    )


def _checked_tree(
    data: Mapping[str, Any],
    tree: GameTree,
    verdict: Verdict,
    refined: SequentialVerdict | None,
    tolerance: Tolerance,
) -> str:
    if verdict.exact:
        checked = "exact: best responses over the whole tree, with fractions"
    else:
        shown = f"{DEFAULT_TOLERANCE:g}" if tolerance is None else brief(tolerance)
        checked = f"in floats, within {shown} of the payoff range: best responses over the whole tree"
    if verdict.forgetful:
        names = listed([tree.players[player] for player in verdict.forgetful])
        checked += f"; for {names}, without perfect recall, over all behavior strategies"
    if several := data.get("equilibria"):
        checked += f"; also all {len(several)} profiles in 'equilibria'"
    if refined is not None:
        checked += (
            f"; no action is better at any of the {len(refined.gains)} information sets that chance does not exclude, "
            "given beliefs from the stated mistakes: a sequential equilibrium (not checked: quasi-perfect)"
        )
    if data["game"].keys() & CARRIED:
        place = "is in the file" if "efg" in data["game"] else "has the digest in the file"
        checked += f"; the tree {place}"
    return checked


def _check_off_path(data: Mapping[str, Any], judged: Sequence[tuple[TreeProfile, Verdict]]) -> None:
    """Check ``off_path``: whether each profile that is an equilibrium is subgame perfect, and sequential."""
    said = data.get("off_path", [None] * len(judged))
    if not isinstance(said, list) or len(said) != len(judged):
        raise CertificateError("off_path", f"not a list of {plural(len(judged), 'verdict')}")
    for number, (part, (profile, verdict)) in enumerate(zip(said, judged, strict=True), start=1):
        if part is None:
            continue
        if not isinstance(part, Mapping):
            raise CertificateError(f"off_path, number {number}", "not an object")
        if verdict.exact and verdict.regret:
            raise CertificateError(f"off_path, number {number}", "the profile is not an equilibrium")
        right = refinement(profile).to_json()
        if "beliefs" not in part:  # a file may leave them out
            del right["beliefs"]
        for key in differing(part, right):
            raise CertificateError(f"off_path, number {number}", f"{key!r} is wrong, or was not proved")


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
            where = f"player {word(entry['player'])}, information set {word(entry['infoset'])}"
            raise CertificateError(place, f"'label' is missing for {where}")
        if entry.get("reached") is not (verdict.reach[tree.by_number[entry["player"] - 1, entry["infoset"]]] > 0):
            raise CertificateError(place, f"'reached' is wrong at {word(entry.get('label'))}")
    return profile, verdict


def _by_own(data: Mapping[str, Any], profile: TreeProfile | SparseProfile, verdict: Verdict) -> bool:
    """Return whether *profile* is an equilibrium.

    Floats are judged with the file's tolerance or, if the file has none, with the default.
    """
    if verdict.exact or verdict.regret == 0:
        return verdict.regret == 0
    return verify(profile, tolerance_of(data)).equilibrium


def _prove_radius(data: Mapping[str, Any], profile: TreeProfile | SparseProfile) -> Fraction | None:
    """Return the claimed ``radius``, after proving that a true equilibrium lies within it; None without a claim."""
    if "radius" not in data:
        return None
    said = data["radius"]
    try:
        radius = parse(said) if isinstance(said, str) else Fraction(0)
    except (ValueError, ZeroDivisionError) as error:
        raise CertificateError("claim", f"radius: {error}") from None
    if radius <= 0 or text(radius) != said:
        raise CertificateError(
            "claim", f"radius is {word(said)}, which is not a positive fraction in lowest terms, as text"
        )
    if data["status"] != "near-equilibrium" or not profile.exact:
        raise CertificateError("claim", "only an exact near-equilibrium may have a radius")
    found = prove_near(profile)
    if found.radius is None:
        raise CertificateError("claim", f"the radius around an equilibrium is not proved: {found.reason}")
    if found.radius > radius:
        least = text(found.radius)
        raise CertificateError("claim", f"radius is {word(said)}, but the smallest proved radius is {word(least)}")
    return radius


def _check_one(
    data: Mapping[str, Any], entry: Mapping[str, Any], tree: GameTree, tolerance: Tolerance, place: str
) -> tuple[TreeProfile, Verdict]:
    profile, verdict = _judge(entry.get("profile"), tree, tolerance, place)
    # If the file claims no equilibrium, use the file's tolerance: a larger *tolerance* must not refute the claim.
    found = verdict.equilibrium if entry.get("equilibrium") is True else _by_own(data, profile, verdict)
    if entry.get("equilibrium") is not found:
        raise CertificateError(place, f"'equilibrium' is {word(entry.get('equilibrium'))}, but should be {word(found)}")
    for key, right in (("value", verdict.value), ("regret", verdict.regret)):
        check_number(key, entry.get(key), right, place, Fraction(AGREEMENT) * payoff_range(tree))
    return profile, verdict


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


# --- a proof in words


def _facts(proof: Proof) -> Iterator[Fact]:
    yield from _verdict(proof)
    yield fact("claim", proof.status if proof.status in STOPPED else f"{proof.status}: true")
    if proof.tolerance is not None and proof.status == "equilibrium":
        yield fact("tolerance", f"{figure(proof.tolerance)} of the payoff range: the maximum gain in an equilibrium")
    if proof.lower is not None:
        first, second = proof.players
        yield fact("lower bound", f"{first}'s strategy guarantees {first} {figure(proof.lower)}")
        yield fact("upper bound", f"{second}'s strategy allows {first} {at_most(figure(proof.upper))}")
    for player, value in zip(proof.players, proof.value, strict=True):
        yield fact("payoff", f"{player}: {figure(value)}")
    yield fact("regret", figure(proof.regret))
    yield fact("checked", proof.checked)
    yield fact("written", f"information sets: {_by_player(proof.players, proof.written)}")
    if proof.visited is not None:
        yield fact("visited", f"public histories, per best response: {_by_player(proof.players, proof.visited)}")
    elif proof.nodes is not None:
        yield fact("visited", plural(proof.nodes, "node"))


def _verdict(proof: Proof) -> Iterator[Fact]:
    """Yield the result of the proof. Floats that are an equilibrium within the tolerance prove nothing more."""
    if proof.lower is None or proof.upper is None:
        if isinstance(proof.regret, Fraction):
            near = "" if proof.radius is None else equilibrium_within(proof.radius)
            yield fact("proved", nobody_gains(proof.regret), near)
    elif not proof.exact:
        if proof.status != "equilibrium":
            most = most_won(proof.players, proof.value, proof.lower, proof.upper)
            yield fact("proved", nobody_gains(proof.regret), f"an opponent gets {most}")
    elif proof.lower == proof.upper:
        yield fact("proved", f"the value of the game is {figure(proof.lower)} to {proof.players[0]}")
    else:
        bounds = f"from {figure(proof.lower)} to {figure(proof.upper)}"
        yield fact("proved", f"the value of the game to {proof.players[0]} is {bounds}")


def _by_player(players: Sequence[str], counts: Sequence[int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in zip(players, counts, strict=True))


STOPPED = ("timeout", "interrupted")
"""The statuses of stopped searches, which claim only bounds and a regret."""

CLAIMS = ("equilibrium", "near-equilibrium", "bracket", "not-an-equilibrium", *STOPPED)
"""The statuses of solutions with strategies."""

AGREEMENT = 1e-9
"""The maximum difference between a float in the file and the recomputed float, as a fraction of the payoff range."""


def check_game(found: Mapping[str, Any], right: Mapping[str, Any]) -> None:
    """Compare *found*, the part ``game`` of a file, with *right*, the part that follows from the rules."""
    for key in differing(right, found):
        said, is_ = word(found.get(key)), word(right.get(key))
        raise CertificateError("game", f"{key} is {said} in the file, but {is_} by the rules")


def check_claim(data: Mapping[str, Any], verdict: Verdict, by_own: bool, slack: Fraction = Fraction(0)) -> None:
    """Compare every number in the claim, and its status, with the verdict.

    *by_own*: whether the profile is an equilibrium, with the file's own tolerance for floats.
    """
    for key in ("value", "lower", "upper", "regret"):
        check_number(key, data.get(key), getattr(verdict, key), "claim", slack)
    if ("regrets" in data) != (verdict.lower is None):
        raise CertificateError("claim", "only games without bounds have regrets")
    if verdict.lower is None:
        check_number("regrets", data["regrets"], verdict.regrets, "claim", slack)
    exact = verdict.exact and verdict.regret == 0
    if data.get("exact") is not exact:
        raise CertificateError("claim", f"exact is {word(data.get('exact'))}, but should be {word(exact)}")
    status = data.get("status")
    if status not in CLAIMS:
        raise CertificateError("claim", f"the solution claims nothing: its status is {word(status)}")
    own = tolerance_of(data)
    if status == "equilibrium" and not verdict.equilibrium:
        gain = f"a player gains {brief(verdict.regret)} by deviating"
        by = "" if own is None else f" by the file's own tolerance of {brief(own)} of the payoff range"
        raise CertificateError(
            "claim", f"status is {word(status)}{by}, but {gain}; a larger --tolerance (tolerance=) accepts this gain"
        )
    if status in ("near-equilibrium", "bracket", "not-an-equilibrium") and by_own:
        allowed = "" if own is None else f" more than the file's own tolerance of {brief(own)} of the payoff range"
        raise CertificateError("claim", f"status is {word(status)}, but no player gains{allowed} by deviating")
    if status == "near-equilibrium" and verdict.lower is not None:
        raise CertificateError("claim", "a near-equilibrium of two players who divide a constant sum is a bracket")
    if status == "bracket" and verdict.lower is None:
        raise CertificateError("claim", "a bracket needs two players who divide a constant sum")


def check_number(key: str, said: object, right: object, place: str, slack: Fraction) -> None:
    """Raise ``CertificateError`` unless *said* equals *right*: fractions exactly, floats within *slack*."""
    if isinstance(right, tuple):
        if not isinstance(said, list) or len(said) != len(right):
            raise CertificateError(place, f"{key} is not a list of {len(right)} numbers")
        for one, other in zip(said, right, strict=True):
            check_number(key, one, other, place, slack)
        return
    if isinstance(right, float) and isinstance(said, float) and abs(said - right) <= slack:
        return
    shown = None if right is None else to_json(right)  # type: ignore[arg-type]
    if isinstance(right, float) or type(said) is not type(shown) or said != shown:
        raise CertificateError(place, f"{key} is {word(said)} in the file, but {word(shown)} by the best responses")


def tolerance_of(data: Mapping[str, Any]) -> Number | None:
    """Return the tolerance in the file, as a fraction of the payoff range; None if it is missing or invalid."""
    try:
        tolerance = from_json(data.get("tolerance"))
    except (ValueError, ZeroDivisionError):
        return None
    return tolerance if tolerance >= 0 else None


MOST_CARRIED = 1_000_000
"""The maximum length in bytes of a tree's text in a certificate. Longer texts are replaced by their digest."""

CARRIED = frozenset({"efg", "sha256"})
"""The keys for a tree in the part ``game``. A certificate contains at most one of these keys."""


def certified_game(game: Game | None, tree: GameTree | None) -> dict[str, Any]:
    """Return the part ``game`` of a certificate, with the tree unless the game is in this package."""
    part = game_part(game, tree)
    return part if tree is None or (game is not None and in_package(game)) else part | tree_part(tree)


def tree_part(tree: GameTree) -> dict[str, str]:
    """Return ``efg``, the text of *tree*, or ``sha256``, the digest of the text.

    The digest is returned if the text is too long, or if the text describes another tree. (The ``.efg`` format cannot
    express some names, or information sets without nodes.)
    """
    digest, chunks, size = sha256(), list[bytes](), 0
    for chunk in efg_chunks(tree, names="unchanged"):
        digest.update(chunk)
        size += len(chunk)
        if size <= MOST_CARRIED:
            chunks.append(chunk)
    if size <= MOST_CARRIED:
        efg = b"".join(chunks).decode()
        if _is_same(parse_efg(efg), tree):
            return {"efg": efg}
    return {"sha256": digest.hexdigest()}


def _is_same(one: GameTree, other: GameTree) -> bool:
    return len(one.infosets) == len(other.infosets) and _plain(one) == _plain(other)


def _plain(tree: GameTree) -> GameTree:
    """Return *tree* without the labels and comments that do not affect play, or that the ``.efg`` format may change."""
    sets = tuple(each._replace(label="") if each.player == CHANCE else each for each in tree.infosets)
    outcomes = tuple(each._replace(label="") for each in tree.outcomes)
    return replace(tree, comment="", node_labels={}, infosets=sets, outcomes=outcomes)


def carried_tree(part: Mapping[str, Any], max_nodes: int = MAX_NODES) -> GameTree | None:
    """Return the tree in the part ``game`` of a certificate; None if the part has no tree.

    Raises ``CertificateError`` if the tree is invalid, or if several keys of *part* specify the game. Raises
    ``TreeTooLargeError``.
    """
    if len(keys := [key for key in ("name", *sorted(CARRIED)) if key in part]) > 1:
        raise CertificateError(
            "game", f"{keys[0]!r} and {keys[1]!r} both specify the game; only one of them is allowed"
        )
    for key in keys:
        if not isinstance(part[key], str):
            raise CertificateError("game", f"{key} is not a string")
    if "efg" not in part:
        return None
    try:
        return parse_efg(part["efg"], max_nodes=max_nodes)
    except EfgSyntaxError as error:
        raise CertificateError("game", f"efg: {error}") from None


def _digest(tree: GameTree, names: Names = "unchanged") -> str:
    digest = sha256()
    for chunk in efg_chunks(tree, names=names):
        digest.update(chunk)
    return digest.hexdigest()


REFINED = {
    "concept": "sequential equilibrium",
    "found_as": "quasi-perfect equilibrium: the limit of optimal plans where every move must be made at times",
    "source": "Miltersen and Sorensen (Economic Theory 42, 2010); Kreps and Wilson (Econometrica 50, 1982)",
}
SEARCHED = {
    **REFINED,
    "found_as": "an equilibrium, for which mistakes were sought",
    "source": "Kreps and Wilson (Econometrica 50, 1982)",
}


def refined_part(verdict: SequentialVerdict, about: Mapping[str, str] = REFINED) -> dict[str, Any]:
    """Return the verdict as plain data. A node is named by its history, the list of actions from the root.

    ``mistakes``: each unplayed action has the probability c e^k, for small e. Its ``probability`` is c, and its
    ``order`` is k. ``beliefs``: the positive probabilities of nodes given their information set.
    """
    tree = verdict.profile.tree
    nodes: dict[int, list[int]] = {}
    for node in sorted(verdict.beliefs):
        if verdict.beliefs[node]:
            nodes.setdefault(int(tree.infoset[node]), []).append(node)
    return {
        **about,
        "verified": verdict.sequential,
        "greatest_gain": text(verdict.gain),
        "sets_checked": len(verdict.gains),
        "sets": [
            {
                "player": tree.infosets[k].player + 1,
                "infoset": tree.infosets[k].number,
                "label": tree.infosets[k].label,
                "mistakes": [
                    {"action": action, "probability": text(chance), "order": power}
                    for action, (chance, power) in zip(
                        distinct(tree.infosets[k].actions), verdict.mistakes[k], strict=True
                    )
                    if power
                ],
                "beliefs": beliefs_part(tree, {node: verdict.beliefs[node] for node in nodes.get(k, ())}),
            }
            for k in tree.numbered
        ],
    }


def prove_refined(part: object, profile: TreeProfile, *, labels: bool = True) -> SequentialVerdict:
    """Check the part ``refined``: its beliefs and gains must follow from its mistakes, and no gain may be positive.

    *labels*: whether the labels of information sets must agree too. Return the verdict, which proves that *profile* is
    a sequential equilibrium, but not that it is quasi-perfect. Raises ``CertificateError``.
    """
    if not isinstance(part, Mapping) or not isinstance(part.get("sets"), list):
        raise CertificateError("refined", "not an object with a list 'sets'")
    tree = profile.tree
    mistakes: dict[int, tuple[Chance, ...]] = {}
    for number, entry in enumerate(part["sets"], start=1):
        place = f"refined, entry {number} of 'sets'"
        owner, its = (entry.get("player"), entry.get("infoset")) if isinstance(entry, Mapping) else (None, None)
        k = tree.by_number.get((owner - 1, its)) if type(owner) is int and type(its) is int else None
        if k is None:
            raise CertificateError(place, "the game has no such information set")
        try:
            mistakes[k] = _mistakes_of(entry.get("mistakes"), profile, k)
        except (ValueError, TypeError, KeyError, AttributeError, ZeroDivisionError):
            raise CertificateError(
                place, "each entry in 'mistakes' must contain an action, a probability as text and an order"
            ) from None
    try:
        verdict = verify_sequential(profile, mistakes)
    except EfgBuilderError as error:
        raise CertificateError("refined", str(error)) from None
    right = refined_part(verdict, SEARCHED if part.get("found_as") == SEARCHED["found_as"] else REFINED)
    for key in differing(part, right) if labels else differing(_unlabeled(part), _unlabeled(right)):
        raise CertificateError("refined", f"{key!r} does not follow from the stated mistakes")
    if not verdict.sequential:
        gain = text(verdict.gain)
        raise CertificateError(
            "refined", f"not a sequential equilibrium: a player gains {gain} by another action at an information set"
        )
    return verdict


def _unlabeled(part: Mapping[str, Any]) -> dict[str, Any]:
    return {**part, "sets": [{**each, "label": None} for each in part["sets"]]}


def _mistakes_of(entries: Any, profile: TreeProfile, k: int) -> tuple[Chance, ...]:
    place = {action: at for at, action in enumerate(distinct(profile.tree.infosets[k].actions))}
    row: list[Chance] = [(Fraction(p), 0) for p in profile.probabilities[k]]
    for entry in entries:
        if type(entry["order"]) is not int:
            raise ValueError(entry["order"])
        row[place[entry["action"]]] = (parse(entry["probability"]), entry["order"])
    return tuple(row)
