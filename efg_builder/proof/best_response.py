"""Best responses and expected payoffs over the whole tree, exact if the profile is rational.

The code shares nothing with the solvers, and uses no linear program or Gambit routine.
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral

from ..base.errors import ParameterError, RecallError, check_argument, check_kind
from ..base.words import quiet
from ..forms.recall import lacks_recall
from ..strategies.lines import SHOWN_SETS, played_lines
from ..strategies.tree_profile import TreeProfile
from .measures import BestResponse, ProfileValues
from .sequences import SequencePlay, over_sequences
from .walk import ProfileWalk


def play_of(profile: TreeProfile, progress: Callable[[str], None] = quiet) -> SequencePlay | ProfileWalk:
    """Return *profile* on its sequences if all players have perfect recall, otherwise as a walk over the nodes.

    Both compute the same numbers, and the sequences compute them faster. Exact strategies whose common denominator is
    too long are left to the walk.
    """
    return over_sequences(profile) or ProfileWalk(profile, progress)


def values(profile: TreeProfile) -> ProfileValues:
    """Return the expected payoffs and reach probabilities of *profile*.

    They are Fractions if the profile is rational, otherwise floats.
    """
    return play_of(profile).values()


def best_response(profile: TreeProfile, player: int) -> BestResponse:
    """Return a best response of one player to the strategies of the others, by backward induction.

    Parameters
    ----------
    profile : TreeProfile
        A strategy on a tree, such as ``solution.profile`` or ``strategy.on(tree)``.
    player : int
        The responding player, from 0.

    Returns
    -------
    BestResponse
        The payoff and the actions. The payoff is a Fraction if *profile* is exact, else a float.

    Raises
    ------
    ParameterError
        If *profile* is not a strategy on a tree, or the game has no such player.
    RecallError
        If the player lacks perfect recall.

    Examples
    --------
    >>> import efg_builder as eb
    >>> default = eb.read_strategy({}, "kuhn").on(eb.build("kuhn"))
    >>> eb.best_response(default, 0).value
    Fraction(1, 1)
    """
    hint = "e.g. solution.profile or strategy.on(tree)"
    check_kind("best_response", profile, TreeProfile, "a strategy on a tree", hint)
    check_argument("best_response", "player", player, isinstance(player, Integral), "a number")
    if player not in range(len(profile.tree.players)):
        known = ", ".join(map(str, range(len(profile.tree.players)))) or "none"
        raise ParameterError(f"there is no player number {player!r}; choose from: {known}")
    try:
        return play_of(profile).best_response(player)
    except RecallError:
        raise RecallError(lacks_recall(profile.tree, int(player))) from None


def profile_lines(profile: TreeProfile) -> list[str]:
    """Return lines with the game's title and the moves at the information sets with the highest reach probabilities."""
    tree = profile.tree
    reach = values(profile).reach
    reached = [k for k in tree.personal if reach[k]]
    shown = sorted(sorted(reached, key=lambda k: -reach[k])[:SHOWN_SETS])
    said = [tree.title, *played_lines(profile, shown)]
    left, never = len(tree.personal) - len(shown), len(tree.personal) - len(reached)
    if not left:
        return said
    where = "none of them reached more often"
    if never:
        where = "never reached" if never == left else f"{never:,} of them never reached"
    more = f"and {left:,} more information {'set' if left == 1 else 'sets'}, {where}"
    return [*said, f"{more}: profile[NAME] shows one of them, and profile.probabilities shows all"]
