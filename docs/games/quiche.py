"""A general-sum game of signals: beer or quiche (Cho and Kreps, Quarterly Journal of Economics 102, 1987)."""

from fractions import Fraction

import efg_builder as eb


class Quiche(eb.Game):
    """Beer or quiche.

    A guest, strong or weak, has beer or quiche; a bully who sees the meal only picks a fight or not.
    """

    players = "Guest", "Bully"

    def turn(self, state):
        if not state:
            return eb.Chance("guest", [("strong", Fraction(9, 10), ("strong",)), ("weak", Fraction(1, 10), ("weak",))])
        if len(state) == 1:
            return eb.Decision(0, state[0], [(meal, (*state, meal)) for meal in ("beer", "quiche")])
        kind, meal, *rest = state
        if not rest:
            return eb.Decision(1, meal, [(move, (*state, move)) for move in ("fight", "leave")])
        guest = (meal == ("beer" if kind == "strong" else "quiche")) + 2 * (rest[0] == "leave")
        return eb.End((guest, int((rest[0] == "fight") == (kind == "weak"))))
