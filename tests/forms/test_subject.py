"""A game as rules or a tree: its tree is built once, and its size needs none."""

import pickle

import pytest

import efg_builder as eb
from efg_builder.forms import extensive, subject
from efg_builder.forms.subject import Subject
from efg_builder.interop.trees import as_subject

KUHN = eb.game("kuhn")


def test_the_tree_of_rules_is_built_once(monkeypatch):
    built = []
    monkeypatch.setattr(subject, "build", lambda game, **limits: built.append(limits) or extensive.build(game))
    one = Subject.of(KUHN, max_nodes=100)
    assert one.known_tree is None
    assert one.tree() is one.tree() is one.known_tree
    assert [limits["max_nodes"] for limits in built] == [100]
    assert (one.rules, one.given_rules, one.given_tree, one.given) == (KUHN, KUHN, None, KUHN)


def test_a_tree_keeps_its_rules_but_was_given_as_a_tree():
    tree = eb.build(KUHN)
    one = Subject.of(tree)
    assert one.tree() is one.given is one.known_tree is tree
    assert (one.rules, one.given_rules) == (KUHN, None)
    assert one.dealt is KUHN
    assert Subject.of(eb.parse_efg(tree.to_efg())).rules is None


@pytest.mark.parametrize("given", [KUHN, eb.build(KUHN)], ids=["rules", "tree"])
def test_title_players_and_size(given):
    one = Subject.of(given)
    assert (one.title, one.players) == (KUHN.title, ("Player 1", "Player 2"))
    assert one.size() == KUHN.size()


def test_the_size_of_rules_that_do_not_tell_it_is_that_of_the_built_tree():
    class Silent(type(KUHN)):
        def size(self):
            return None

    one = Subject.of(Silent())
    assert one.size() is None
    assert one.tree() is one.known_tree
    assert one.size() == KUHN.size()


@pytest.mark.parametrize("first", [False, True], ids=["unbuilt", "built"])
def test_a_limit_of_nodes_holds_before_and_after_the_tree_is_built(first):
    one = Subject.of(KUHN)
    if first:
        one.tree()
    with pytest.raises(eb.TreeTooLargeError, match=r"55 nodes"):
        one.tree(54)
    assert len(one.tree(55)) == 55
    tree = eb.build(KUHN)
    assert Subject.of(tree).tree(1) is tree


def test_pickling_sends_what_was_given():
    one = Subject.of(KUHN, 99)
    one.tree()
    again = pickle.loads(pickle.dumps(one))
    assert again == one
    assert again.known_tree is None
    whole = pickle.loads(pickle.dumps(Subject.of(eb.build(KUHN))))
    assert whole.given_tree == eb.build(KUHN)
    assert whole.rules is None


def test_neither_rules_nor_a_tree_is_no_subject():
    with pytest.raises(ValueError, match="needs rules or a tree"):
        Subject()


def test_every_kind_of_game_becomes_a_subject(tmp_path):
    path = eb.build(KUHN).write(tmp_path / "kuhn.efg")
    for given in (KUHN, eb.build(KUHN), "kuhn", str(path), path, eb.build(KUHN).to_efg()):
        one = as_subject("test", given, max_nodes=60)
        assert one.title == KUHN.title
        assert len(one.tree()) == 55
        assert as_subject("test", one) is one
    with pytest.raises(eb.ParameterError, match=r"test\(\) takes a game or a tree, not int 3"):
        as_subject("test", 3)
