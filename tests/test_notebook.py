"""Trees and solutions show themselves in a notebook."""

import efg_builder as eb


def test_small_trees_and_solutions_are_pictures():
    solution = eb.solve(eb.game("dice-poker", sides=2), "lp")
    for shown in (solution.tree, solution):
        assert shown._repr_svg_().startswith("<")
    assert ">equilibrium (exact), worth " in solution._repr_svg_()
    assert "equilibrium" not in solution.tree._repr_svg_()


def test_large_ones_are_words():
    tree = eb.build(eb.game("liars-dice", sides=4))
    assert tree._repr_svg_() is None
    assert repr(tree) == '<GameTree "Liar\'s Dice: one 4-sided die each": 8,177 nodes, 1,024 information sets>'
