"""Calls a bid that is more likely false than true, going by the own dice alone; else makes the bid most likely true."""

import sys
from math import comb


def chance(bid):
    """The probability that the dice one does not see show what the own ones lack."""
    quantity, face = bid.split("x")
    lacking, unseen = max(0, int(quantity) - hand.count(face)), dice - len(hand)
    return sum(comb(unseen, k) * (sides - 1) ** (unseen - k) for k in range(lacking, unseen + 1)) / sides**unseen


for line in sys.stdin:
    word, *pairs = line.split()
    said = dict(pair.split("=") for pair in pairs)
    if word == "new":
        sides, dice = int(said["sides"]), sum(map(int, said["dice"].split(",")))
    elif word == "move":
        hand, history, legal = (said[key].split(",") for key in ("hand", "history", "legal"))
        bids = [move for move in legal if move != "call"]
        call = not bids or ("call" in legal and chance(history[-1]) < 0.5)
        print("call" if call else max(bids, key=chance), flush=True)
