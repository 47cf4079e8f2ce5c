"""Solutions read from files: the strategies judged anew, and nothing believed of what the file claims."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from typing import Any

from ..base.errors import NotApplicableError, ParameterError, check_kind
from ..base.files import read_text
from ..forms.extensive import MAX_NODES, GameTree, build
from ..games.protocol import Game
from ..interop.trees import GameLike, subject
from ..proof import prove_near, verify
from ..proof.certificate.check import carried_tree, certified_rules, prove_refined, read_solved
from ..proof.certificate.reading import named_source, read_plain
from ..strategies.tree_profile import TreeProfile
from .solution import Judged, Solution


def read_solution(
    path: str | os.PathLike[str], game: GameLike | None = None, *, max_nodes: int = MAX_NODES
) -> Solution:
    """Read a solution that ``Solution.write`` wrote as JSON, and judge its strategies anew.

    Value, regret, status and proofs are worked out, not read. ``verify`` proves what the file claims.

    Parameters
    ----------
    path : str or path
        A file that ends in ``.json`` or ``.json.gz``.
    game : GameLike, optional
        The game of the solution. By default it is the one that the file names or carries; a large ``.efg`` game is
        neither, and must be given.
    max_nodes : int, default 5,000,000
        The largest tree that is built.

    Returns
    -------
    Solution
        With all equilibria of the file, and the beliefs of a sequential equilibrium.

    Raises
    ------
    FileError
        If the file cannot be read, or is not a solution.
    CertificateError, ProfileError
        If the game or the strategies in the file are wrong, or of another game.
    ParameterError
        If *game* is needed.

    Examples
    --------
    >>> import efg_builder as eb
    >>> path = eb.solve("kuhn").write("kuhn.json")
    >>> eb.read_solution(path).value[0]
    Fraction(-1, 18)
    """
    check_kind("read_solution", path, (str, os.PathLike), "the path of a file", "Solution.write(path) writes one")
    began, source = time.monotonic(), str(path)
    given = None if game is None else subject("read_solution", game, max_nodes=max_nodes)
    data = read_plain(read_text(path), source)
    with named_source(source):
        rules = certified_rules(data.get("game"), given)
        found = rules or given or carried_tree(data["game"], max_nodes)
    if found is None:
        raise ParameterError(f"{source} does not carry its game: give the game or FILE.efg it is of (game=)")
    return _judged(path, data, found, began, max_nodes)


def _judged(
    path: str | os.PathLike[str], data: dict[str, Any], game: Game | GameTree, began: float, max_nodes: int
) -> Solution:
    trees: list[GameTree] = [game] if isinstance(game, GameTree) else []

    def tree() -> GameTree:
        if not trees:
            assert isinstance(game, Game)
            trees.append(build(game, max_nodes=max_nodes))
        return trees[0]

    several = isinstance(data.get("equilibria"), list) and "profile" in data
    numbers = range(1, len(data["equilibria"]) + 1) if several else [None]
    judged = tuple(_judge(read_solved(path, game, tree, which)) for which in numbers)
    if not judged:
        raise ParameterError(f"{path} has no strategy")
    first, verdict = judged[0].strategy, judged[0].verdict
    on_tree = isinstance(first, TreeProfile)
    status, message = "no-result", "a player has imperfect recall, so the profile was not verified"
    if verdict is not None:
        near = "near-equilibrium" if verdict.lower is None else "bracket"
        failed = near if not on_tree or (verdict.near and verdict.lower is None) else "not-an-equilibrium"
        status, message = "equilibrium" if verdict.equilibrium else failed, ""
    solution = Solution(
        tree=first.tree if isinstance(first, TreeProfile) else None,
        method=str(data.get("method", "file")),
        status=status,
        message=message,
        seconds=time.monotonic() - began,
        judged=judged,
        several=several,
        game=game if isinstance(game, Game) else first.game,
    )
    if status == "near-equilibrium" and first.exact and verdict is not None and not verdict.forgetful:
        solution = replace(solution, near=prove_near(first))
    if isinstance(first, TreeProfile) and (part := data.get("refined")) is not None:
        solution = replace(solution, refined=prove_refined(part, first))
    return solution


def _judge(strategy: Any) -> Judged:
    try:
        return Judged(strategy, verify(strategy))
    except NotApplicableError:
        if not isinstance(strategy, TreeProfile):
            raise
        return Judged(strategy, None)
