"""Call a bid that is probably false; else make the most probable bid."""

import sys
from math import comb


def chance(bid):
    """The probability that the unseen dice show the missing faces."""
    quantity, face = bid.split("x")
    lacking, unseen = max(0, int(quantity) - hand.count(face)), dice - len(hand)
    others = sides - 1
    enough = range(lacking, unseen + 1)
    ways = sum(comb(unseen, k) * others ** (unseen - k) for k in enough)
    return ways / sides**unseen


for line in sys.stdin:
    word, *pairs = line.split()
    said = dict(pair.split("=") for pair in pairs)
    if word == "new":
        sides, dice = int(said["sides"]), sum(map(int, said["dice"].split(",")))
    elif word == "move":
        hand, history = said["hand"].split(","), said["history"].split(",")
        legal = said["legal"].split(",")
        bids = [move for move in legal if move != "call"]
        call = not bids or ("call" in legal and chance(history[-1]) < 0.5)
        print("call" if call else max(bids, key=chance), flush=True)
