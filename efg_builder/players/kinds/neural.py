"""A net from a file, trained by self-play (``players.nets``). It plays without PyTorch."""

from __future__ import annotations

from ...base.errors import NotApplicableError
from ...base.parameters import Parameter
from ...strategies.policy import Policy
from ...strategies.tree_profile import Strategy
from ..find import Player, Table
from ..nets import playing, read_net
from ..nets.encoding import two_bidders

NAME = "neural"


def _sit(table: Table, file: str) -> Strategy:
    game = two_bidders(table.game, table.title, NAME)
    if not file:
        raise NotApplicableError(f"{NAME}:FILE needs a file; 'efg-builder train GAME -o FILE' makes a file")
    net = read_net(file)
    if net.game != game:
        raise NotApplicableError(f"{file} plays {net.game.title!r}, not {game.title!r}")
    ready = playing(net)
    return Policy(ready.at, arrays=ready.dense)


PLAYERS = (
    Player(
        NAME,
        "a network from 'efg-builder train' (neural:net.npz); plays two-player Liar's Dice",
        _sit,
        (Parameter("file", "", str, "the file of the network"),),
        main="file",
    ),
)
