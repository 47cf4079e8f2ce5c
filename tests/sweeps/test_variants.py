"""Which games a sweep is over."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efg_builder import ParameterError
from efg_builder import game as make
from efg_builder.games import catalogue
from efg_builder.sweeps.variants import grid, sort_key, values

SIDES = catalogue()["liars-dice"].parameters[0]
DICE = catalogue()["liars-dice"].parameters[1]
sides = st.integers(2, 20)
ranges = st.tuples(sides, sides).map(sorted)


@given(st.lists(st.one_of(sides, ranges), min_size=1, max_size=5), st.sampled_from([";", "; ", " ;"]))
def test_values_are_those_listed_each_once_in_order(parts, separator):
    text = separator.join(str(part) if isinstance(part, int) else f"{part[0]}..{part[1]}" for part in parts)
    listed = [n for part in parts for n in ([part] if isinstance(part, int) else range(part[0], part[1] + 1))]
    assert values("liars-dice", SIDES, text) == tuple(dict.fromkeys(map(str, listed)))


@given(st.lists(st.tuples(st.integers(1, 10), st.integers(1, 10)).map(sorted), min_size=2, max_size=3))
def test_ranges_between_commas_are_all_combinations(parts):
    expected = {",".join(map(str, each)) for each in itertools.product(*(range(a, b + 1) for a, b in parts))}
    found = values("liars-dice", DICE, ",".join(f"{a}..{b}" for a, b in parts))
    assert len(found) == len(expected)
    assert set(found) == expected


AXES = {
    "sides": st.lists(st.sampled_from(["2", "3", "2..4", "6"]), min_size=1, max_size=2),
    "dice": st.lists(st.sampled_from(["1,1", "2,1", "1..2,1..2"]), min_size=1, max_size=2),
    "wild": st.lists(st.sampled_from(["none", "1", "3", "highest"]), min_size=1, max_size=3),
    "wild_biddable": st.lists(st.sampled_from(["*", "true", "false"]), min_size=1, max_size=2),
    "order": st.lists(st.sampled_from(["*", "quantity-face", "bluff"]), min_size=1, max_size=2),
}


@given(st.fixed_dictionaries({}, optional=AXES), st.randoms(use_true_random=False))
def test_a_grid_is_the_product_without_what_is_no_game(chosen, random):
    words = {key: ";".join(parts) for key, parts in chosen.items()}
    kind = catalogue()["liars-dice"]
    axes = [[(p.name, v) for v in values("liars-dice", p, words[p.name])] for p in kind.parameters if p.name in words]
    games, refused = set(), 0
    for each in itertools.product(*axes):
        try:
            games.add(make("liars-dice", **dict(each)))
        except ParameterError:
            refused += 1
    if not games:
        with pytest.raises(ParameterError, match="none of the"):
            grid("liars-dice", words)
        return
    found = grid("liars-dice", words)
    made = [make(one.game, **one.settings) for one in found.variants]
    assert set(made) == games
    assert len(made) == len(games) == len({one.key for one in found.variants})
    assert sum(found.skipped.values()) == refused
    total = len(list(itertools.product(*axes)))
    assert len(made) + refused + found.alike == total
    for one, same in zip(found.variants, made, strict=True):
        size = same.size()
        assert make(one.game, **one.asked) == same
        assert (one.nodes, one.infosets, one.deals) == (size.nodes, sum(size.infosets), len(same.deals))
    order = list(words)
    random.shuffle(order)
    assert grid("liars-dice", {key: words[key] for key in order}) == found


def test_the_examples_of_the_issue():
    found = grid("liars-dice", {"sides": "2..6", "dice": "1,1;2,1;1,2", "wild": "none;1;highest", "order": "*"})
    # 5 sides x 3 dice x (no wild face: 2 orders; one: 3 orders, twice); the bluff order needs a wild face.
    assert len(found.variants) == 5 * 3 * (2 + 3 + 3)
    assert list(found.skipped.values()) == [15]
    assert "order=bluff: needs a wild face" in next(iter(found.skipped))


def test_a_wild_face_that_the_die_lacks_is_left_out_and_an_equal_game_is_one_variant():
    found = grid("liars-dice", {"sides": "2;3", "wild": "3;highest"})
    assert [one.asked for one in found.variants] == [
        {"sides": "2", "wild": "highest"},
        {"sides": "3", "wild": "3"},
    ]
    assert found.skipped == {"liars-dice: wild=3: a die of 2 sides has no such face": 1}
    assert found.alike == 1


@pytest.mark.parametrize(
    ("game", "settings", "message"),
    [
        ("liar-dice", {}, "there is no game 'liar-dice'; did you mean 'liars-dice'?"),
        ("liars-dice", {"side": "2"}, "liars-dice has no parameter 'side'; did you mean 'sides'?"),
        ("liars-dice", {"sides": "2;;3"}, "liars-dice: sides=2;;3: a value is missing; ';' stands between two values"),
        ("liars-dice", {"sides": ""}, "liars-dice: sides=: a value is missing; ';' stands between two values"),
        ("liars-dice", {"sides": "6..2"}, "liars-dice: sides=6..2: 6..2 runs backwards; write 2..6"),
        ("liars-dice", {"sides": "2..99"}, "liars-dice: sides=21: must be a whole number from 2 to 20"),
        ("liars-dice", {"sides": "2,3"}, "liars-dice: sides=2,3: must be a whole number from 2 to 20"),
        ("liars-dice", {"sides": "1..999999"}, "liars-dice: sides=1..999999: more than 100,000 values"),
        ("liars-dice", {"wild": "*"}, "wild has no list of choices; name the values, as 1;2 or 1..3"),
        ("liars-dice", {"order": "*;nonsense"}, "liars-dice: order=nonsense: choose from: bluff, face-quantity"),
        ("liars-dice", {"wild": "9"}, "none of the 1 combinations is a game: liars-dice: wild=9: a die of 2 sides"),
        ("liars-dice", {"sides": "2..20", "dice": "1..10,1..10", "max_quantity": "1..100"}, "are over the limit of"),
    ],
)
def test_what_is_wrong_is_said(game, settings, message):
    with pytest.raises(ParameterError) as caught:
        grid(game, settings)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_game_has_a_grid_and_python_values_do():
    for name in catalogue():
        assert len(grid(name, {}).variants) == 1
    assert grid("liars-dice", {"sides": 3, "dice": (2, 1)}) == grid("liars-dice", {"sides": "3", "dice": "2,1"})


def test_rows_sort_by_settings_and_numbers_by_size():
    found = grid("liars-dice", {"sides": "10;9", "dice": "10,1;2,1", "wild": "10;2;none"})
    ordered = sorted(found.variants, key=lambda one: sort_key(one.game, one.settings))
    assert [(v.settings["sides"], v.settings["dice"], v.settings["wild"]) for v in ordered] == [
        (s, d, w) for s in ("9", "10") for d in ("2,1", "10,1") for w in ("none", "2", "10") if (s, w) != ("9", "10")
    ]
