"""Reading solutions from files. The strategies are verified again, and no claim in the file is trusted."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..base.errors import CertificateError, ParameterError, check_budget, check_kind
from ..base.files import read_text
from ..base.formats import check_format
from ..forms.extensive import MAX_NODES
from ..forms.subject import Subject
from ..games.protocol import Game
from ..interop.trees import GameLike, as_subject
from ..proof import verify
from ..proof.certificate.check import carried_tree, certified_rules, certified_strategies, prove_refined
from ..proof.certificate.reading import check_parts, named_source, read_plain, with_fit_names
from ..strategies.reading import number_of_profile, profile_in
from ..strategies.sparse_profile import SparseProfile
from ..strategies.tree_profile import TreeProfile, dealt
from .solution import Judged, Solution, judge, judge_off_path, with_near


def read_solution(
    path: str | os.PathLike[str], game: GameLike | None = None, *, max_nodes: int = MAX_NODES
) -> Solution:
    """Read a JSON file written by ``Solution.write``, and verify its strategies again.

    Values and proofs are recomputed. Use ``verify`` to check the claims in the file.

    Parameters
    ----------
    path : str or path
        A file that ends in ``.json`` or ``.json.gz``.
    game : GameLike, optional
        The game of the solution; by default, the game that the file names or contains. The file does not contain a
        large ``.efg`` game, so such a game must be given.
    max_nodes : int, default 5,000,000
        Maximum number of nodes in the tree.

    Returns
    -------
    Solution
        The solution, with all equilibria and beliefs in the file.

    Raises
    ------
    FileError
        If the file cannot be read, or is not a solution.
    CertificateError, ProfileError
        If the game or the strategies in the file are invalid or belong to another game.
    ParameterError
        If *game* is missing, and the file does not contain the game.

    Examples
    --------
    >>> import efg_builder as eb
    >>> path = eb.solve("kuhn").write("kuhn.json")
    >>> eb.read_solution(path).value[0]
    Fraction(-1, 18)
    """
    check_kind(
        "read_solution", path, (str, os.PathLike), "the path of a file", "Solution.write(path) writes a solution"
    )
    check_budget("read_solution", "max_nodes", max_nodes)
    began, source = time.monotonic(), str(path)
    given_game = None if game is None else as_subject("read_solution", game, max_nodes=max_nodes)
    data = read_plain(read_text(path), source)
    check_format(data, "solution", source)
    with named_source(source):
        if not isinstance(data.get("game"), dict):
            raise CertificateError("game", "missing, or not an object")
        subject = _game_of(data["game"], given_game, max_nodes)
        if subject is None:
            raise ParameterError(f"{source} does not contain its game: give the game or its FILE.efg (game=)")
        if "strategies" in data:
            check_parts(data, source)
        data = with_fit_names(data)
        strategies = _strategies(data, source, subject)
    return _judged(data, strategies, subject.given_rules, began)


def _game_of(part: dict[str, Any], given: Subject | None, max_nodes: int) -> Subject | None:
    """Return the game in *part*, the part ``game``: by its rules, if they are known, otherwise by its tree."""
    rules = certified_rules(part, given)
    if rules is not None and (given is None or given.given_rules is None):
        return Subject(rules, None, max_nodes)
    if given is not None:
        return given
    carried = carried_tree(part, max_nodes)
    return None if carried is None else Subject.of(carried)


def _strategies(data: dict[str, Any], source: str, game: Subject) -> list[SparseProfile] | list[TreeProfile]:
    rules = game.given_rules
    if "strategies" in data:
        return [certified_strategies(data, rules, game.given_tree)]
    tree = game.tree()
    several = data.get("equilibria")
    numbers = range(1, len(several) + 1) if isinstance(several, list) and several else [None]
    return [dealt(profile_in(data, tree, source, which), rules) for which in numbers]


def _judged(
    data: dict[str, Any],
    strategies: Sequence[SparseProfile] | Sequence[TreeProfile],
    rules: Game | None,
    began: float,
) -> Solution:
    judged = tuple(
        Judged(one, verify(one)) if one.tree is None else judge(one)  # without a tree, errors are raised
        for one in strategies
    )
    if "off_path" in data:
        judged = tuple(map(judge_off_path, judged))
    number = number_of_profile(data)
    first, verdict = judged[number - 1].strategy, judged[number - 1].verdict
    tree = first.tree
    status, message = "no-result", "a player has imperfect recall, so the profile was not verified"
    if verdict is not None:
        near = "near-equilibrium" if verdict.lower is None else "bracket"
        failed = near if tree is None or (verdict.near and verdict.lower is None) else "not-an-equilibrium"
        status, message = "equilibrium" if verdict.equilibrium else failed, ""
    solution = Solution(
        tree=tree,
        method=str(data.get("method", "file")),
        status=status,
        message=message,
        seconds=time.monotonic() - began,
        judged=judged,
        several="equilibria" in data,
        number=number,
        game=first.game if rules is None else rules,
    )
    if first.tree_profile is not None and (part := data.get("refined")) is not None:
        solution = replace(solution, refined=prove_refined(part, first.tree_profile, labels=False))
    return with_near(solution)
