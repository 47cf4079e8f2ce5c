"""The five rules of thumb of the page "How to bluff in Liar's Dice", for games without a wild face."""

import sys


def bid_of(name):
    quantity, face = name.split("x")
    return int(quantity), int(face)


def opening(dice):
    """One die of the highest face; the lowest bid without a face from the upper half."""
    return f"1x{max(dice)}" if max(dice) > sides // 2 else "1x1"


def answer(dice, last, higher):
    """A call if the bid needs two dice from the other cup, or no safe raise is left."""

    def needs(name):
        quantity, face = bid_of(name)
        return max(0, quantity - dice.count(face))

    own = [name for name in higher if bid_of(name)[1] in dice]
    if needs(last) == 0:
        return min(own, key=needs, default=higher[0] if higher else "call")
    safe = [name for name in own if needs(name) == 0]
    return safe[0] if needs(last) == 1 and safe else "call"


for line in sys.stdin:
    word, *pairs = line.split()
    said = dict(pair.split("=") for pair in pairs)
    if word == "new":
        sides = int(said["sides"])
    elif word == "move":
        dice = list(map(int, said["hand"].split(",")))
        *higher, last = said["legal"].split(",")
        if last == "call":
            print(answer(dice, said["history"].split(",")[-1], higher), flush=True)
        else:
            print(opening(dice), flush=True)
