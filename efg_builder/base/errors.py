"""The exceptions of this package. The command line reports every ``EfgBuilderError`` as one line and an exit code."""

from __future__ import annotations

import difflib
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import log10
from numbers import Integral

MOST_LETTERS = 1_000
"""Maximum number of characters in a message. The middle of a longer message is removed."""

FAILURES = (Exception, SystemExit)
"""The exceptions raised if a user's rules or function fails; ``KeyboardInterrupt`` is not among them."""

PASSED_ON = (MemoryError, TimeoutError)
"""The exceptions that pass through a user's rules or function unchanged: ``TimeoutError`` is from a caller's alarm."""


class EfgBuilderError(Exception):
    """The base class of all exceptions that this package raises deliberately. The message is one line.

    Catch this class to catch all these exceptions. An exception in a function that you pass, such as ``progress``, is
    not wrapped. Any other exception is a bug.

    Examples
    --------
    >>> import efg_builder as eb
    >>> try:
    ...     eb.solve("kun")
    ... except eb.EfgBuilderError as error:
    ...     print(error)
    there is no game 'kun'; did you mean 'kuhn'?
    """

    def __str__(self) -> str:
        return _one_line(super().__str__())


class ParameterError(EfgBuilderError):
    """An argument of the wrong type, an unknown name, or a value out of range.

    The message names the argument and the accepted values. ``eb.catalogue()`` lists the games and their settings.
    ``eb.methods()`` lists the methods.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.game("liars-dice", sides=1)
    Traceback (most recent call last):
        ...
    efg_builder.base.errors.ParameterError: liars-dice: sides=1: must be a whole number from 2 to 20
    """


class RulesError(EfgBuilderError):
    """Rules that do not define a valid game, e.g. because probabilities do not sum to 1.

    The message names the class, the state and the mistake. Correct the method that the message names.
    """


class EfgSyntaxError(EfgBuilderError):
    """A syntax error in the text of an EFG 2, NFG 1 or layout (``.ef``) file.

    Correct the text at the line and column in the message, or write the file again with ``GameTree.write``.

    Attributes
    ----------
    problem : str
        A description of the mistake, without its position.
    line, column : int
        The position of the mistake, counted from 1.
    text : str
        The word at that position; empty at the end of the file.
    source : str
        The name of the file; empty if the text is not from a file.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.parse_efg('EFG 2 R "x"')
    Traceback (most recent call last):
        ...
    efg_builder.base.errors.EfgSyntaxError: line 1:12: expected { and the players' names (found the end of the file)
    """

    def __init__(self, problem: str, line: int, column: int, text: str, source: str = "") -> None:
        self.problem, self.line, self.column, self.text = problem, line, column, text
        self.source = source
        where = f"{source}:" if source else "line "
        found = f" (found {text!r})" if text else " (found the end of the file)"
        super().__init__(f"{where}{line}:{column}: {problem}{found}")


class ProfileError(EfgBuilderError):
    """Probabilities that do not fit the tree, are negative, or do not sum to 1.

    The message names the information set, or the line of the file. Give a probability to each action of that
    information set.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.read_strategy({"1: start": {"check": 2}}, "kuhn")
    Traceback (most recent call last):
        ...
    efg_builder.base.errors.ProfileError: strategy: ['1: start']: the probability of 'check' is above 1 (2)
    """


class CertificateError(EfgBuilderError):
    """A solution file that does not prove its claim.

    Solve the game again and write a new file with ``Solution.write``.

    Attributes
    ----------
    where : str
        The location of the mistake in the file, e.g. ``claim``.
    problem : str
        A description of the mistake.
    source : str
        The name of the file.

    Examples
    --------
    >>> import efg_builder as eb
    >>> path = eb.solve("kuhn").write("kuhn.json")
    >>> forged = path.write_text(path.read_text().replace('"-1/18"', '"1/18"'))
    >>> try:
    ...     eb.verify(path)
    ... except eb.CertificateError as error:
    ...     print(error.where)
    claim
    """

    def __init__(self, where: str, problem: str, source: str = "") -> None:
        self.where, self.problem, self.source = _one_line(where), _one_line(problem), source
        super().__init__(": ".join(part for part in (source, self.where, self.problem) if part))


class TreeTooLargeError(EfgBuilderError):
    """A tree with more nodes than the limit. No tree is built.

    Raise the limit with ``max_nodes``, or choose a smaller game.

    Attributes
    ----------
    nodes : int
        The number of nodes in the tree, or a lower bound if ``exact`` is false.
    budget : int
        The limit.
    exact : bool
        Whether ``nodes`` is the exact size.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.build("kuhn", max_nodes=50)
    Traceback (most recent call last):
        ...
    efg_builder.base.errors.TreeTooLargeError: the tree has 55 nodes, over the budget of 50 (max_nodes)
    """

    def __init__(self, nodes: int, budget: int, exact: bool = True) -> None:
        self.nodes, self.budget, self.exact = nodes, budget, exact
        size = f"{nodes:,}" if nodes < 10**50 else _count(nodes)
        size = size if exact else f"more than {size}"
        way = " (max_nodes)" if nodes < 10**9 else ", too many for the memory of any machine"
        super().__init__(f"the tree has {size} nodes, over the budget of {budget:,}{way}")


class MatrixTooLargeError(EfgBuilderError):
    """A normal form with too many cells, or with too many strategies to list; it was not computed.

    Raise the limit with ``max_cells``, or use ``eb.solve``, which needs no normal form.

    Attributes
    ----------
    rows, columns : int
        The numbers of strategies of players 1 and 2.
    limit : int
        The limit that is exceeded.
    listed : int or None
        The number of one player's strategies times the number of that player's information sets, if this product
        exceeds ``limit``. None if the number of cells exceeds ``limit`` instead.
    """

    def __init__(self, rows: int, columns: int, limit: int, listed: int | None = None) -> None:
        self.rows, self.columns, self.limit, self.listed = rows, columns, limit, listed
        cells = rows * columns
        way = " (max_cells)" if cells < 10**9 and listed is None else "; solving needs no normal form"
        size = f"{_count(rows)} x {_count(columns)} = {_count(cells)} cells"
        if listed is not None:
            size += f", and the list of a player's strategies has {_count(listed)} choices"
        super().__init__(f"the normal form has {size}, over the limit of {limit:,}{way}")


class PictureTooLargeError(EfgBuilderError):
    """A tree with more nodes, or a sheet with more bars, than fit into a readable picture. ``parts``: ``"nodes"``."""

    def __init__(self, nodes: int, limit: int, hint: str, parts: str = "nodes") -> None:
        self.nodes, self.limit, self.hint, self.parts = nodes, limit, hint, parts
        super().__init__(f"a picture of {nodes:,} {parts} is too large to read (limit {limit:,}); {hint}")


class PictureTooSmallError(EfgBuilderError):
    """A picture whose text would be too small for its purpose.

    ``letters`` is the height of the text, and ``least`` is the minimum height, both in pixels.
    """

    def __init__(self, purpose: str, letters: float, least: float, hint: str) -> None:
        self.purpose, self.letters, self.least, self.hint = purpose, letters, least, hint
        points = purpose in ("column", "page")
        size, bound = (f"{0.75 * x:.1f} points" if points else f"{x:.1f} pixels" for x in (letters, least))
        problem = f"in a {purpose}, the letters would be {size} high, below the minimum of {bound}; {hint}"
        super().__init__(problem)


class NotApplicableError(EfgBuilderError):
    """A method or function that cannot be used on this game, or that needs a package which is not installed.

    The message names the missing property or package. The method ``"auto"`` chooses a method that fits the game.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.matrix("liars-dice sides=2 dice=1,1,1")
    Traceback (most recent call last):
        ...
    efg_builder.base.errors.NotApplicableError: the normal form is for two players; this game has 3 players
    """


class RecallError(NotApplicableError):
    """A request for the best response of a player without perfect recall.

    The message names the information set at which the player forgets a move.
    """


class NotSolvedError(EfgBuilderError):
    """A failure to find the requested solution: a solver failed, or reached the time limit.

    Give a longer ``timeout``, or choose another method (``eb.methods()`` lists them).

    Attributes
    ----------
    timed_out : bool
        Whether the solver reached the time limit.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.solve("kuhn", method=lambda tree: 1 / 0)
    Traceback (most recent call last):
        ...
    efg_builder.base.errors.NotSolvedError: the solver <lambda> failed: ZeroDivisionError: division by zero
    """

    def __init__(self, problem: str, timed_out: bool = False) -> None:
        self.timed_out = timed_out
        super().__init__(problem)


class PlayerError(EfgBuilderError):
    """A player that did not give a valid answer.

    Either a program exited, exceeded its time limit or wrote an invalid answer, or a person left. The message names the
    player. Correct the program, or raise its time limit.
    """


class PersonLeftError(PlayerError):
    """A human player who left, or whose input ended."""


class FileError(EfgBuilderError):
    """A path that cannot be read or written.

    The message contains the path and the operating system's reason, e.g. a missing folder. Correct the path.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.read_efg("missing.efg")
    Traceback (most recent call last):
        ...
    efg_builder.base.errors.FileError: cannot read missing.efg: No such file or directory
    """


class LineWarning(UserWarning):
    """A warning of this package, in one line. Warnings of the same ``kind`` report the same problem."""

    def __init__(self, text: str, kind: object) -> None:
        self.kind = kind
        super().__init__(_one_line(text))


class NotSavedWarning(LineWarning):
    """A checkpoint that could not be written; the search continues."""


class NearestFractionsWarning(LineWarning):
    """Probabilities of chance in a file, which a program wrote as decimals, that were read as the nearest fractions."""


class ForgottenWarning(LineWarning):
    """Own rules by which a player forgets something at an information set: its label leaves something out."""


@contextmanager
def warnings_as_lines(say: Callable[[str], object]) -> Iterator[None]:
    """Call *say* once for each kind of ``LineWarning`` in the ``with`` block; show other warnings as usual."""
    said, show = set[object](), warnings.showwarning

    def line(message: Warning | str, *others: object) -> None:
        if not isinstance(message, LineWarning):
            show(message, *others)  # type: ignore[arg-type]
        elif message.kind not in said:
            said.add(message.kind)
            say(f"warning: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("always", LineWarning)
        warnings.showwarning = line  # type: ignore[assignment]
        yield


def _count(number: int) -> str:
    return f"{number:,}" if number < 10**15 else f"about 10^{round(log10(number))}"


def _one_line(text: str) -> str:
    text = printable_line(text)
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS // 2]} ... {text[-MOST_LETTERS // 2 :]}"


def printable(text: str) -> str:
    """Escape unprintable characters except line breaks, because a terminal may execute control characters."""
    return "".join(letter if letter.isprintable() or letter == "\n" else repr(letter)[1:-1] for letter in text)


def printable_line(text: str) -> str:
    """Escape unprintable characters and line breaks, so that *text* is one line."""
    return printable(text).replace("\n", "\\n")


def check_kind(call: str, value: object, kinds: type | tuple[type, ...], wanted: str, hint: str) -> None:
    """Raise ``ParameterError`` unless *value*, the argument of *call*, has one of the types *kinds*.

    The message describes the accepted values (*wanted*) and ends with *hint*.
    """
    if not isinstance(value, kinds):
        raise ParameterError(f"{call}() takes {wanted}, not {kind_of(value)}; {hint}")


def check_argument(call: str, name: str, value: object, right: bool, wanted: str) -> None:
    """Raise ``ParameterError`` unless *right* is true.

    *wanted* describes the valid values of the argument *name* of *call*, and *value* is the given value.
    """
    if not right:
        raise ParameterError(f"{call}() takes {wanted} as {name}=, not {kind_of(value)}")


def check_budget(call: str, name: str, value: object) -> None:
    """Raise ``ParameterError`` unless *value*, the argument *name* of *call*, is a number such as 1_000_000 or 1e6."""
    check_argument(call, name, value, isinstance(value, Integral | float) and value == value, "a number")


def check_functions(call: str, **given: object) -> None:
    """Raise ``ParameterError`` unless each of the *given* arguments of *call* is None or a function."""
    for name, value in given.items():
        right = value is None or (callable(value) and not isinstance(value, type))
        check_argument(call, name, value, right, "a function")


def kind_of(value: object) -> str:
    """Return the type of *value* for a message, followed by the value if it is a short string or number."""
    shown = f" {value!r}" if isinstance(value, str | int | float) and len(repr(value)) <= 40 else ""
    return f"{type(value).__name__}{shown}"


def nearest(word: object, choices: Iterable[str]) -> str:
    """Return the end of an error message: the name in *choices* closest to *word*, or the first twenty names."""
    names, said = sorted(choices), str(word).lower()
    # Users may type only the second part of a name such as gambit-ipa, or add a word, as in leduc-poker.
    close = [name for name in names if said in name.split("-") or name in re.split("[-_ ]", said)]
    if len(close) != 1:
        cased = {name.lower(): name for name in names}
        close = [cased[name] for name in difflib.get_close_matches(said, cased, n=1, cutoff=0.5)]
    return f"did you mean {close[0]!r}?" if close else _choose_from(names)


def misspelled(word: object, choices: Iterable[str]) -> str:
    """Return the end of an error message: the name of which *word* is a misspelling, or the first twenty names.

    Unlike ``nearest``, never suggest another hand, move or history: letters may differ only in words of three letters
    or more, as in ``strat`` for ``start``. Numbers, signs, and shorter words must be equal, and so must the number of
    words.
    """
    names, said = list(dict.fromkeys(choices)), str(word)
    close = [name for name in names if _joined(name) == _joined(said)]
    close = close or [name for name in names if _is_misspelling(said, name)]
    return f"did you mean {close[0]!r}?" if len(close) == 1 else _choose_from(names)


def _choose_from(names: Sequence[str]) -> str:
    return "choose from: " + ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")


def _joined(name: str) -> str:
    return "".join(name.casefold().split())


def _is_misspelling(said: str, name: str) -> bool:
    one, other = (re.findall(r"[^\W\d_]+|\d+|[^\w\s]", each.casefold()) for each in (said, name))
    return len(one) == len(other) and all(map(_is_similar, one, other))


def _is_similar(word: str, other: str) -> bool:
    if word == other:
        return True
    letters = word.isalpha() and other.isalpha() and min(len(word), len(other)) >= 3
    return letters and difflib.SequenceMatcher(None, word, other).ratio() >= 0.75


def not_installed(what: str, package: str, extra: str) -> NotApplicableError:
    """Return an error: *what* (a command, method or file format) needs *package*.

    The message contains the command ``pip install 'efg-builder[extra]'``, which installs the package.
    """
    return NotApplicableError(f"{what} needs {package}: pip install 'efg-builder[{extra}]'")
