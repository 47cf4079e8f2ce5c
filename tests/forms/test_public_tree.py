"""The public tree."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import efg_builder as eb
from efg_builder.forms.public_tree import merge, public_tree
from efg_builder.games.protocol import PublicEnd

GAMES = {
    "two sides": ("liars-dice", {"sides": 2}),
    "three sides": ("liars-dice", {"sides": 3}),
    "two dice": ("liars-dice", {"sides": 2, "dice": (2, 1)}),
    "three players": ("liars-dice", {"dice": (1, 1, 1), "max_quantity": 1}),
    "poker": ("dice-poker", {}),
}


@pytest.mark.parametrize("name", GAMES)
def test_it_is_the_public_play_of_the_rules(name):
    words, parameters = GAMES[name]
    game = eb.game(words, **parameters)
    tree = eb.build(game)
    public = public_tree(tree)
    for history, turn in enumerate(game.public_play()):  # in prefix order
        player = int(public.player[history])
        if isinstance(turn, PublicEnd):
            assert (player, public.children[history]) == (-2, ())
            continue
        assert (" ".join(public.path(history)) or "start", player) == (turn.history, turn.player)
        assert [public.moves[then] for then in public.children[history]] == [action for action, _ in turn.actions]
        assert public.hands(history) == game.hands[player]
        assert all(tree.infosets[k].player == player for k in public.infosets[history])
    assert history == len(public) - 1
    for node in range(1, len(tree)):
        above = int(tree.parent[node])
        moved = tree.infosets[tree.infoset[above]].player >= 0
        assert (public.of[node] == public.of[above]) != moved


def test_the_histories_of_strategies_without_a_tree():
    """The support tree has only played actions, so information sets at one history have different actions."""
    solution = eb.solve(eb.game("liars-dice", sides=3, dice=(2, 1)), "oracle")
    tree = eb.support_tree(solution)
    public = public_tree(tree)
    table = eb.table_view(solution).tree
    assert len(public) == len(table)
    assert sorted(k for sets in public.infosets for k in sets) == list(tree.personal)
    names = [table.infosets[table.infoset[h]].label for h in range(len(table)) if not table.is_terminal(h)]
    paths = [" ".join(public.path(h)) or "start" for h in range(len(public)) if public.player[h] >= 0]
    assert paths == names


def test_calls_come_after_bids_where_sets_were_cut_down():
    """At some histories no information set has both; other histories determine the order."""
    tree = eb.support_tree(eb.solve(eb.game("liars-dice", sides=6, dice=(2, 1)), "oracle"))
    public = public_tree(tree)
    for below in public.children:
        moves = [public.moves[history] for history in below]
        assert "call" not in moves[:-1]
    assert any(
        all(len(tree.infosets[k].actions) == 1 for k in public.infosets[history]) and len(public.children[history]) > 1
        for history in range(len(public))
    )


def test_rolls_in_mid_game_are_hidden():
    tree = eb.build(eb.game("mia"))
    public = public_tree(tree)
    assert public.hands(0) == tuple(tree.infosets[k].label for k in public.infosets[0])
    assert len({public.path(h) for h in range(len(public))}) == len(public)


@pytest.mark.parametrize(
    ("nodes", "why"),
    [
        (  # a move that not all players saw
            'p "" 1 1 "" { "a" "b" } 0\n' + 2 * ('p "" 2 1 "hidden" { "l" "r" } 0\n' + 2 * 't "" 1 "" { 0 1 }\n'),
            "'hidden' follow different moves",
        ),
        (  # chance decides the mover
            'c "" 1 "" { "h" 1/2 "t" 1/2 } 0\n'
            + "".join(f'p "" {player} 1 "" {{ "a" }} 0\nt "" 1 "" {{ 0 0 }}\n' for player in (1, 2)),
            "chance decides the next mover",
        ),
    ],
)
def test_what_has_no_public_tree(nodes, why):
    with pytest.raises(eb.NotApplicableError, match=why):
        public_tree(eb.parse_efg(f'EFG 2 R "small" {{ "1" "2" }}\n{nodes}'))


def test_arrays_cannot_be_written_into():
    public = public_tree(eb.build(eb.game("liars-dice")))
    for array in (public.of, public.parent, public.player):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


@given(st.lists(st.sets(st.integers(0, 9))))
def test_merged_lists_agree_with_each(sets):
    lists = [[str(k) for k in sorted(each)] for each in sets]
    merged = merge(lists)
    assert sorted(set().union(*lists)) == sorted(merged)
    for each in lists:
        assert [action for action in merged if action in each] == each


def test_lists_that_disagree_still_merge():
    assert sorted(merge([["a", "b"], ["b", "a"]])) == ["a", "b"]
