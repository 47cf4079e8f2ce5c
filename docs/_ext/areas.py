"""The areas of the Python reference and their names, in the order of use."""

from typing import NamedTuple


class Area(NamedTuple):
    """A page that lists names. ``returned``: types outside ``eb.__all__`` that functions return, and their modules."""

    title: str
    about: str
    names: tuple[str, ...]
    returned: dict[str, str] = {}


AREAS = {
    "rules": Area(
        "Rules",
        "Games by name, and the classes for :doc:`a game of your own </your-own-game>`.",
        (
            *("game", "catalogue", "Game", "DealtGame", "BiddingGame", "Chance", "Decision", "End"),
            *("Deal", "PublicDecision", "PublicEnd"),
        ),
    ),
    "trees": Area(
        "Trees and matrices",
        "The extensive form and the reduced strategic form of a game.",
        ("build", "normal_form", "GameTree", "matrix", "NormalForm"),
        {"NormalForm": "forms.normal_form"},
    ),
    "solving": Area(
        "Solving",
        "One equilibrium, all equilibria, and quantal responses. Each answer is verified.",
        (
            *("solve", "Solution", "solve_many", "read_solution", "methods"),
            *("ranges", "Ranges", "quantal_branch", "QuantalBranch"),
        ),
        {"Ranges": "equilibria.ranges", "QuantalBranch": "equilibria.qre"},
    ),
    "strategies": Area(
        "Strategies",
        "A player's behavior at each information set.",
        ("read_strategy", "TreeProfile", "SparseProfile", "Policy", "support_tree", "table_view"),
    ),
    "measures": Area(
        "Measures and proofs",
        "Expected payoffs, best responses, regret, and proofs of stored solutions.",
        ("verify", "Verdict", "evaluate", "Evaluation", "best_response", "BestResponse"),
        {"BestResponse": "proof.best_response"},
    ),
    "tournaments": Area(
        "Matches and arenas",
        "Matches over many rounds, and tournaments of many players.",
        ("match_rules", "solve_match", "read_match", "Match", "run_arena", "read_standings", "Standings"),
        {"Match": "experiments.matches.backward", "Standings": "experiments.arena.results"},
    ),
    "exams": Area(
        "Exams",
        "Decisions with the exact loss of each move, and scores of the answers.",
        ("exam", "Position", "score", "Score"),
        {"Position": "experiments.exam.positions", "Score": "experiments.exam.scores"},
    ),
    "pictures": Area(
        "Pictures and pages",
        "Pictures of trees and tables, an interactive page, and a report.",
        ("draw", "DrawOptions", "write_viewer", "write_report"),
    ),
    "files": Area(
        "Files and other programs",
        "Gambit files, objects of pygambit, and files for LP solvers.",
        ("read_efg", "parse_efg", "to_gambit", "write_sequence_form"),
    ),
    "errors": Area(
        "Errors and version",
        "Every error of the package is an ``EfgBuilderError``. On the command line it is one line.",
        (
            *("EfgBuilderError", "ParameterError", "FileError", "EfgSyntaxError", "RulesError", "TreeTooLargeError"),
            *("NotApplicableError", "NotSolvedError", "ProfileError", "PlayerError", "CertificateError"),
            "__version__",
        ),
    ),
}

WORDS = {
    "GameLike": (
        "Rules (:py:obj:`Game`), a tree (:py:obj:`GameTree`), a game's name with settings such as "
        '``"liars-dice sides=3"``, the path of a ``.efg``, ``.nfg`` or ``.ef`` file, the text of one, the path of a '
        "``.csv`` table of payoffs, or a game of pygambit or OpenSpiel."
    ),
    "Drawable": "An argument of ``draw``: a *GameLike*, a :py:obj:`Solution`, or a strategy.",
    "Playable": "A :py:obj:`Solution`, a :py:obj:`TreeProfile` or a :py:obj:`SparseProfile`.",
    "Solved": "An object with a strategy, such as a :py:obj:`Solution`.",
    "Strategy": (
        "A :py:obj:`TreeProfile`, a :py:obj:`SparseProfile`, a :py:obj:`Policy`, or another strategy of the package."
    ),
    "Solver": "A method, as :py:obj:`methods` lists it: a name, a summary, parameters and conditions.",
    "Number": "A ``fractions.Fraction`` if it is exact, otherwise a ``float``.",
    "Payoffs": "A tuple of one ``fractions.Fraction`` for each player.",
    "State": "A state of play: any immutable value. Only the rules that made it read it.",
    "Turn": "A :py:obj:`Chance`, a :py:obj:`Decision` or an :py:obj:`End`.",
    "Progress": "A function that takes one line of text. It may be called often.",
    "Behavior": "A mapping from actions to probabilities. Missing actions have probability 0.",
    "Ints": "A NumPy array of 32-bit integers.",
    "Size": "Numbers of chance nodes, decision nodes, ends, and information sets by player; ``nodes`` is the sum.",
    "Infoset": "An information set: player, label and actions. A chance event has probabilities.",
    "Outcome": "The payoffs of all players, and a label.",
    "LiarsDice": "A :py:obj:`DealtGame` with named bids (``bid_names``).",
    "Judged": "A strategy that a method proposed, and the :py:obj:`Verdict` on it.",
    "Seating": "Payoffs, best responses and NashConv of one assignment of strategies to seats.",
    "Described": "A strategy that was measured, and the number of information sets that were completed.",
    "Near": "The proved distance of a true equilibrium, or the obstacle to a proof.",
    "SequentialVerdict": "The verdict on a sequential equilibrium, with beliefs.",
    "SecondOpinion": "The answer of one of Gambit's routines, compared with a proved one.",
    "Loss": "The regret of a player at one information set, and the better action.",
    "GameType": "A game of the :py:obj:`catalogue`: name, summary, parameters and sources.",
    "MatchRules": "The rules of a match, as :py:obj:`match_rules` makes them.",
    "Proof": "The facts proved about a stored solution: value or bounds, regret, status.",
    "MatchProof": "The facts proved about a stored match: bounds for each round, and each round's own proof.",
    "Pair": "Two whole numbers: the dice of the first bidder, and of the opponent.",
    "Bounds": "A lower and an upper bound.",
}
"""Words in signatures that have no page, and their meanings."""
