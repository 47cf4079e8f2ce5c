"""Information sets and outcomes as they are declared, and what later mentions of them must agree with."""

from __future__ import annotations

import re
from fractions import Fraction

from ...base.rationals import DIGITS, TOGETHER, TooLongError, common_denominator, exact_sum, parse, text
from ...forms.extensive.model import CHANCE, NONE, Infoset, Outcome
from .records import Record

_SMALLEST, _LARGEST = -(2**31), 2**31 - 1
"""Gambit keeps numbers of players, information sets and outcomes in 32 bits, with a sign."""

_WHOLE = re.compile(r"[+-]?[0-9]{1,10}")


class Refused(Exception):
    """An entry that contradicts itself or earlier ones: what is wrong, and which part of it."""

    def __init__(self, problem: str, part: str, index: int = 0) -> None:
        super().__init__(problem)
        self.problem, self.part, self.index = problem, part, index


class Tables:
    """The information sets and outcomes met so far, in the order of their first mention."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.infosets: list[Infoset] = []
        self.outcomes: list[Outcome] = []
        self._infosets: dict[tuple[int, int], int] = {}
        self._outcomes: dict[int, int] = {}
        self._numbers: dict[str, Fraction] = {}
        self._scale = 1

    def enter(self, record: Record) -> tuple[int, int]:
        """The indices of the entry's information set and outcome, -1 for none. Raises ``Refused``.

        Entering the same entry again changes nothing.
        """
        infoset = NONE if record.kind == "t" else self._infoset(record)
        return infoset, self._outcome(record)

    def _infoset(self, record: Record) -> int:
        player = CHANCE
        if record.kind == "p":
            player = _whole(record.player, "the number of a player", "player", 1, self.players) - 1
        number = _whole(record.number, "the number of an information set", "number")
        index = self._infosets.get((player, number))
        if index is not None:
            self._compare(record, self.infosets[index])
            return index
        if record.actions is None:
            whose = "chance" if player == CHANCE else f"player {player + 1}"
            raise Refused(f"information set {number} of {whose} is used before its actions are listed", "number")
        if not record.actions:
            raise Refused("an information set needs at least one action", "actions")
        chances = self._probabilities(record) if player == CHANCE else None
        index = self._infosets[player, number] = len(self.infosets)
        self.infosets.append(Infoset(player, number, record.infoset_label or "", record.actions, chances))
        return index

    def _compare(self, record: Record, known: Infoset) -> None:
        which = f"information set {known.number}"
        if record.infoset_label and record.infoset_label != known.label:
            raise Refused(f"{which} has another label here than before ({known.label!r})", "infoset_label")
        if record.actions is None or record.actions is known.actions:
            pass
        elif len(record.actions) != len(known.actions):
            shorter = min(len(record.actions), len(known.actions))
            raise Refused(f"{which} had {_count(len(known.actions), 'action')} before", "actions", shorter)
        elif record.actions != known.actions:
            pairs = zip(record.actions, known.actions, strict=True)
            index = next(k for k, (here, before) in enumerate(pairs) if here != before)
            raise Refused(f"{which} had the action {known.actions[index]!r} here before", "actions", index)
        if record.actions is not None and known.probabilities is not None:
            chances = self._probabilities(record)
            for index, (here, before) in enumerate(zip(chances, known.probabilities, strict=True)):
                if here != before:
                    raise Refused(f"{which} had the probability {before} here before", "probabilities", index)

    def _probabilities(self, record: Record) -> tuple[Fraction, ...]:
        chances = tuple(self._number(word, "probabilities", k) for k, word in enumerate(record.probabilities))
        for index, chance in enumerate(chances):
            if chance < 0:
                raise Refused("a probability is negative", "probabilities", index)
        try:
            total = exact_sum(chances)
        except TooLongError as error:
            raise Refused(str(error), "probabilities") from None
        if total != 1:
            digits = text(total)
            about = "" if len(digits) < 30 else f" (about {float(total):.17g})" if total < 1000 else " (far off)"
            shown = digits if len(digits) < 60 else "something else"
            raise Refused(f"the probabilities sum to {shown}{about}, not to 1", "probabilities")
        return chances

    def _outcome(self, record: Record) -> int:
        number = _whole(record.outcome, "the number of an outcome", "outcome")
        if number == 0:
            if record.payoffs is not None or record.outcome_label is not None:
                part = "payoffs" if record.outcome_label is None else "outcome_label"
                raise Refused("outcome 0 means none: it has no label and no payoffs", part)
            return NONE
        index = self._outcomes.get(number)
        if index is None and record.payoffs is None:
            raise Refused(f"outcome {number} is used before its payoffs are given", "outcome")
        payoffs = None if record.payoffs is None else self._payoffs(record.payoffs)
        if index is None:
            self._check_scale(payoffs or ())
            index = self._outcomes[number] = len(self.outcomes)
            self.outcomes.append(Outcome(number, record.outcome_label or "", payoffs or ()))
            return index
        known = self.outcomes[index]
        if record.outcome_label and record.outcome_label != known.label:
            raise Refused(f"outcome {number} has another label here than before ({known.label!r})", "outcome_label")
        if payoffs is not None and payoffs != known.payoffs:
            at = next(k for k, (here, before) in enumerate(zip(payoffs, known.payoffs, strict=True)) if here != before)
            raise Refused(f"outcome {number} had the payoff {known.payoffs[at]} here before", "payoffs", at)
        return index

    def _check_scale(self, payoffs: tuple[Fraction, ...]) -> None:
        """Payoffs are worked with as whole numbers over one denominator, which must not get out of hand."""
        if not any(self._scale % payoff.denominator for payoff in payoffs):
            return
        try:
            scale = common_denominator((Fraction(1, self._scale), *payoffs))
        except TooLongError as error:
            raise Refused(str(error), "payoffs") from None
        if scale.bit_length() > TOGETHER * 3.33 * DIGITS:
            raise Refused("the payoffs' denominators have too little in common with those before", "payoffs")
        self._scale = scale

    def _payoffs(self, words: tuple[str, ...]) -> tuple[Fraction, ...]:
        if len(words) != self.players:
            need = f"{_count(self.players, 'payoff')} needed, one for each player"
            raise Refused(f"{len(words)} given, {need}", "payoffs", min(len(words), self.players))
        return tuple(self._number(word, "payoffs", k) for k, word in enumerate(words))

    def _number(self, word: str, part: str, index: int) -> Fraction:
        known = self._numbers.get(word)
        if known is not None:
            return known
        try:
            number = parse(word)
        except ZeroDivisionError:
            raise Refused("a denominator is zero", part, index) from None
        except TooLongError:
            raise Refused("a number that is too long", part, index) from None
        except ValueError:
            raise Refused("not a number", part, index) from None
        self._numbers[word] = number
        return number


def _whole(word: str, what: str, part: str, low: int = _SMALLEST, high: int = _LARGEST) -> int:
    if _WHOLE.fullmatch(word) and low <= int(word) <= high:
        return int(word)
    raise Refused(f"{what} must be a whole number from {low:,} to {high:,}", part)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")
