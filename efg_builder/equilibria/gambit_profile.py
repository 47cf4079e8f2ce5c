"""Our profiles as pygambit's own, on the game as Gambit reads it."""

from __future__ import annotations

from typing import Any

from ..base.errors import NotApplicableError
from ..interop.efg import to_efg
from ..interop.gambit.mapping import from_profile
from ..solvers import Facts
from ..solvers.gambit.routines import shallow
from ..strategies.tree_profile import TreeProfile
from .solution import Solution


def to_gambit(given: Solution | TreeProfile) -> Any:
    """A ``pygambit`` behavior profile: rational where the profile is, otherwise in floats. Its game is ``.game``.

    Of a solution the best profile found is taken. Raises ``NotApplicableError`` where there is none on a tree (of
    strategies found without one, ``support_tree`` makes a tree), where nobody plays, and where the
    tree is too deep for Gambit.
    """
    from ..interop.gambit import adapter

    profile = given if isinstance(given, TreeProfile) else given.profile
    if profile is None:
        raise NotApplicableError("the solution has no profile on a tree that Gambit could have")
    facts = Facts(profile.tree)
    lacking = "the game has no players" if not facts.players else shallow(facts)
    if lacking is not None:
        raise NotApplicableError(f"Gambit cannot have this profile: {lacking}")
    game = adapter.read(to_efg(profile.tree))
    return adapter.behavior(game, from_profile(profile, exact=profile.exact), rational=profile.exact)
