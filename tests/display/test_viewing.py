"""What a viewer's page carries, by Python and from the command line; and bundles that are those of their sources.

The pages themselves are tested in tests/pages.
"""

import hashlib
import html
import json
import re
import shlex
from fractions import Fraction
from pathlib import Path

import pytest
from paths import DOCS, carried
from small_files import UNSEEN

import efg_builder as eb
import frame
import viewer
from efg_builder.base.errors import FileError, NotApplicableError, ParameterError, ProfileError
from efg_builder.cli import run
from efg_builder.display.pages import page as pages
from efg_builder.display.pages.viewer import Shown, exploiters, shown_on, view_data, write_shown
from efg_builder.forms.hand_names import as_in_files, displayed_tree
from efg_builder.forms.public_tree import public_tree
from efg_builder.interop.efg.reader import parse_efg


def rows(data, which):
    """A solution's probabilities, as text, by the labels of sets and actions."""
    return {
        label: {data["labels"][a]: data["numbers"][p] for a, p in zip(actions, row, strict=True)}
        for (_, label, actions, *_), row in zip(
            data["infosets"], data["solutions"][which]["probabilities"], strict=True
        )
        if row is not None
    }


@pytest.fixture(scope="module")
def tree():
    return eb.build(eb.game("liars-dice", sides=2))


@pytest.fixture(scope="module")
def solution(tree):
    return eb.solve(tree)


def test_a_solution_alone_brings_its_tree_and_verdict(solution, tmp_path):
    data = carried(eb.write_viewer(solution, tmp_path / "a.html"))
    assert [each["name"] for each in data["solutions"]] == ["solution"]
    assert data["solutions"][0]["caption"] == "Exact sequential equilibrium, value 0 to Player 1"
    for label, row in rows(data, 0).items():
        assert {action: Fraction(p) for action, p in row.items()} == solution.profile[label]


def test_several_with_ranges_on_the_whole_tree_or_none(tree, solution, tmp_path):
    sparse = eb.solve(eb.game("liars-dice", sides=2), "oracle")
    shown = {"lp": solution, "uniform": eb.TreeProfile.uniform(tree), "oracle": sparse}
    data = carried(eb.write_viewer(tree, tmp_path / "a.html", shown, ranges=eb.ranges(tree)))
    assert [each["name"] for each in data["solutions"]] == list(shown)
    assert data["solutions"][1]["caption"] == ""
    assert all(each["ranges"] for each in data["solutions"])
    assert len(data["infoset"]) == len(tree)
    assert carried(eb.write_viewer(tree, tmp_path / "a.html"))["solutions"] == []


def test_explore_gets_the_moves_that_a_solution_without_a_tree_never_makes(tmp_path, monkeypatch):
    """The whole tree if Explore has room for it; otherwise, the page knows that it has only the moves that are played.

    An API page, a notebook's page and the report's page agree with ``draw --solution`` on the command line.
    """
    game = eb.game("liars-dice", sides=2)
    solution, whole, part = (
        eb.solve(game, "oracle"),
        len(eb.build(game)),
        len(eb.support_tree(eb.solve(game, "oracle"))),
    )
    stored, page = solution.write(tmp_path / "s.json"), tmp_path / "a.html"

    def shown():
        """Return the number of nodes, the flag, and whether Explore has its entries, of each page."""
        solution.draw(page, view="explore")
        framed = html.unescape(re.search(r'srcdoc="([^"]*)"', solution.draw(view="explore")._repr_html_()).group(1))
        (tmp_path / "frame.html").write_text(framed, "utf-8")
        ways = [eb.write_viewer(solution, tmp_path / "v.html"), eb.draw(solution, tmp_path / "d.html"), page]
        ways += [tmp_path / "frame.html", solution.report(tmp_path / "r.html")]
        return {(len(data["infoset"]), "only_played" in data, "rules" in data) for data in map(carried, ways)}

    assert shown() == {(whole, False, True)}
    data = carried(eb.write_viewer(solution, page))
    for label, row in rows(data, 0).items():
        assert {move: Fraction(p) for move, p in row.items()} == solution.sparse.on(eb.build(game))[label]
    monkeypatch.setattr("efg_builder.display.pages.viewer.MOST_NODES", whole - 1)
    assert shown() == {(part, True, False)}
    words = ["draw", "liars-dice", "sides=2", "--solution", str(stored), "-o", str(page)]
    assert run(words) == 0
    assert "only_played" not in carried(page)
    assert run([*words, "--max-nodes", f"{whole - 1}"]) == 0
    assert carried(page)["only_played"]


def test_what_does_not_fit_is_refused_and_nothing_is_written(tree, solution, tmp_path):
    other = eb.build(eb.game("liars-dice", sides=3))
    uniform, page = {"u": eb.TreeProfile.uniform(other)}, tmp_path / "a.html"
    for shown, path, played, more, error, said in (
        (other, page, {"lp": solution}, {}, ProfileError, "another game"),
        (other, page, uniform, {"ranges": eb.ranges(tree)}, ParameterError, "the ranges are for another tree"),
        (tree, page, {}, {"ranges": eb.ranges(tree)}, ParameterError, "give a solution"),
        (tree, page, {}, {"view": "pubic"}, ParameterError, r"view='pubic'.*public"),
        (tree, tmp_path / "a.svg", {}, {}, ParameterError, "html"),
        (tree, tmp_path / "none" / "a.html", {}, {}, FileError, "there is no folder"),
        (parse_efg(UNSEEN), page, {}, {"view": "public"}, NotApplicableError, r'view="public": .*no public tree'),
    ):
        with pytest.raises(error, match=said):
            eb.write_viewer(shown, path, played, **more)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("settings", [{"sides": 3}, {"sides": 2, "dice": (1, 1, 1), "max_quantity": 1}])
def test_an_exploiter_gets_what_a_best_response_can(settings):
    tree = eb.build(eb.game("liars-dice", **settings))
    shown = shown_on(tree, eb.TreeProfile.uniform(tree), "uniform")
    found = exploiters(shown)
    assert len(found) == len(tree.players)
    assert eb.verify(found[0].profile).value[0] > eb.verify(shown.profile).value[0]
    for player, each in enumerate(found):
        best = eb.best_response(shown.profile, player).value
        assert eb.verify(each.profile).value[player] == best
        assert each.name == f"{tree.players[player]} exploits uniform"
        for k in tree.personal:
            if tree.infosets[k].player != player:
                assert each.profile.probabilities[k] == shown.profile.probabilities[k]


def test_a_minus_is_put_into_numbers_and_not_into_names():
    tree = parse_efg('EFG 2 R "x" { "A-1" "B" } p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { -3 3 } t "" 2 "" { -2 2 }')
    first = exploiters(shown_on(tree, eb.TreeProfile.uniform(tree), "a-b"))[0]
    assert first.caption == "A-1 plays a best response to a-b: payoff −2 to A-1"


def test_the_view_to_open_with_goes_into_the_page(tree, tmp_path):
    assert "view" not in carried(eb.write_viewer(tree, tmp_path / "a.html"))
    for view in ("tree", "public", "explore"):
        assert carried(eb.write_viewer(tree, tmp_path / "a.html", view=view))["view"] == view
    data = carried(eb.write_viewer(parse_efg(UNSEEN), tmp_path / "a.html"))
    assert data["public"] is None
    assert "no public tree" in data["no_public"]


# --- the command line


def test_draw_takes_solutions_a_strategy_and_ranges(tmp_path, capsys):
    one, two, page = tmp_path / "one.json", tmp_path / "two.json.gz", tmp_path / "x.html"
    assert run(["solve", "liars-dice", "sides=2", "-o", str(one)]) == 0
    assert run(["solve", "liars-dice", "sides=2", "--method", "oracle", "-o", str(two)]) == 0
    words = ["--solution", str(one), "--solution", str(two), "--strategy", "uniform", "--ranges", "--view", "public"]
    assert run(["draw", "liars-dice", "sides=2", *words, "-o", str(page)]) == 0
    data = carried(page)
    names = ["one", "two", "uniform", "Player 1 exploits uniform", "Player 2 exploits uniform"]
    assert [each["name"] for each in data["solutions"]] == names
    assert data["view"] == "public"
    assert data["solutions"][0]["ranges"]
    assert data["solutions"][0]["caption"].startswith("Exact sequential equilibrium")
    assert "NashConv" in data["solutions"][2]["caption"]
    assert run(["draw", "liars-dice", "sides=2", *words, "-o", str(tmp_path / "y.html")]) == 0
    assert (tmp_path / "y.html").read_bytes() == page.read_bytes()


@pytest.mark.parametrize("more", [[], ["--strategy", "equilibrium"], ["--ranges", "--strategy", "equilibrium"]])
def test_of_a_large_game_the_way_to_a_page_is_told_and_leads_there(more, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = ["liars-dice", "sides=3", "dice=2,1"]
    assert run(["draw", *game, *more, "--max-nodes", "2000", "-o", "big.html"]) == 2
    error = capsys.readouterr().err.strip()
    assert "\n" not in error
    assert "--max-nodes" not in error
    assert "over the budget of 2,000" in error
    solving, drawing = (
        shlex.split(each) for each in re.findall(r"'efg-builder ((?:solve|draw) .*?)(?=', then|'$)", error)
    )
    assert solving == ["solve", *game, "-o", "s.json.gz"]
    assert drawing == ["draw", *game, "--solution", "s.json.gz", "-o", "big.html"]
    if not more:
        assert run(solving) == 0
        assert run([*drawing, "--max-nodes", "2000"]) == 0
        assert carried(tmp_path / "big.html")["solutions"][0]["name"] == "s"


# --- the data and the bundles

WEB = Path(pages.__file__).parent
IMPORT = re.compile(r'^(?:import|export)\b[^;"]*"(\./[^"]+)";', re.MULTILINE)


def sources(entry):
    """All modules that a bundle is made of, by the imports that stand in them."""
    found, waiting = set(), [entry]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [link.removeprefix("./") for link in IMPORT.findall((WEB / "src" / name).read_text("utf-8"))]
    return found


@pytest.mark.parametrize("bundle", ["viewer", "play"])
def test_a_bundle_is_that_of_its_sources(bundle):
    if not (WEB / "src" / f"{bundle}.js").exists():
        pytest.skip(f"there is no src/{bundle}.js")
    digest = hashlib.sha256()
    for path in [*(f"src/{name}" for name in sorted(sources(f"{bundle}.js"))), "build.mjs", "package.json"]:
        digest.update(f"{path}\0".encode() + (WEB / path).read_bytes() + b"\0")
    stated = re.search(r"sha256:([0-9a-f]{64})", (WEB / f"{bundle}.js").read_text("utf-8").splitlines()[0])
    assert stated, "the first line of a bundle says what it is made of"
    hint = "'npm install --no-package-lock && npm run build' in efg_builder/display/pages makes the bundles anew"
    assert stated[1] == digest.hexdigest(), hint


def test_the_measurements_page_is_that_of_its_figures():
    page = (DOCS / "viewer.md").read_text()
    assert page == frame.filled(page, viewer.parts(frame.load("viewer")))


def test_bundles_have_their_licences_and_cannot_end_their_script_element():
    text = (WEB / "LICENSES.txt").read_text("utf-8")
    bundled = json.loads((WEB / "package.json").read_text())["dependencies"]
    assert bundled
    assert not [name for name, version in bundled.items() if f"{name} {version} (" not in text]
    assert not [path.name for path in WEB.glob("*.js") if "</script" in path.read_text("utf-8").lower()]


def test_the_tree_follows_from_the_payload(tree):
    data, named = view_data(tree), displayed_tree(tree)
    counts = [0 if k < 0 else len(data["infosets"][k][2]) for k in data["infoset"]]
    parents, open_ = [], []
    for node, count in enumerate(counts):
        while open_ and open_[-1][1] == 0:
            open_.pop()
        parents.append(open_[-1][0] if open_ else -1)
        if open_:
            open_[-1][1] -= 1
        if count:
            open_.append([node, count])
    assert parents == tree.parent.tolist()
    for row, infoset in zip(data["infosets"], named.infosets, strict=True):
        assert (row[0], row[1]) == (infoset.player, infoset.label)
        assert tuple(data["labels"][a] for a in row[2]) == infoset.actions
        assert [Fraction(p) for p in row[3:4] and row[3]] == list(infoset.probabilities or [])
    paid = [[Fraction(u) for u in payoffs] for _, payoffs in data["outcomes"]]
    assert paid == [list(outcome.payoffs) for outcome in tree.outcomes]


def test_the_payload_has_the_profile_and_the_public_tree(tree, solution):
    profile = solution.profile
    floats = eb.TreeProfile.from_personal(tree, {k: tuple(map(float, profile.probabilities[k])) for k in tree.personal})
    ranges = eb.ranges(tree, vertices=0).shares
    data = view_data(tree, [Shown("lp", profile, "found", ranges), Shown("floats", floats)])
    solution, inexact = data["solutions"]
    for k in tree.personal:
        read = [float(data["numbers"][p]) for p in inexact["probabilities"][k]]
        assert read == list(floats.probabilities[k])
    for k in tree.personal:
        assert [Fraction(data["numbers"][p]) for p in solution["probabilities"][k]] == list(profile.probabilities[k])
    assert {
        (k, a): (Fraction(data["numbers"][low]), Fraction(data["numbers"][high]))
        for k, a, low, high in solution["ranges"]
    } == ranges
    public = public_tree(tree)
    assert data["public"]["of"] == public.of.tolist()
    assert [data["labels"][m] for m in data["public"]["moves"]] == list(public.moves)


def test_a_profile_of_another_tree_is_refused(solution):
    other = eb.build(eb.game("liars-dice", sides=2))
    with pytest.raises(ProfileError, match="another tree"):
        view_data(other, [Shown("lp", solution.profile)])


def test_a_page_is_the_same_twice_and_asks_for_nothing(tree, solution, tmp_path):
    shown = [Shown("lp", solution.profile)]
    one, two = (write_shown(tree, shown, tmp_path / f"{name}.html").read_text("utf-8") for name in "ab")
    assert one == two
    assert "default-src 'none'" in one
    assert not re.search(r"<(?:link|img|iframe|script[^>]+src)", one)


# --- Explore


def test_explore_knows_the_parameters_that_payoffs_depend_on():
    tree, other = eb.build("dice-poker"), eb.build(eb.game("dice-poker", ante=2, bet=Fraction(7, 2)))
    settings = {each["name"]: each for each in view_data(tree)["settings"]}
    assert {name: each["value"] for name, each in settings.items()} == {"ante": "1", "bet": "1"}
    steps = {"ante": 1, "bet": Fraction(5, 2)}
    for node, n in enumerate(tree.outcome.tolist()):
        if n < 0:
            continue
        for player, paid in enumerate(tree.outcomes[n].payoffs):
            added = sum(steps[name] * Fraction(settings[name]["slopes"][n][player]) for name in steps)
            assert paid + added == other.outcomes[other.outcome[node]].payoffs[player]
    assert "settings" not in view_data(eb.build("kuhn"))  # numbers of cards and seats, which make another tree


def test_explore_knows_the_bids_that_no_die_supports(tree):
    data = view_data(tree, label=as_in_files)
    found = {
        (data["infosets"][int(k)][1], data["labels"][data["infosets"][int(k)][2][a]])
        for k, actions in data["bluffs"].items()
        for a in actions
    }
    right = set()
    for _, label, actions, *_ in data["infosets"]:
        hand, _, history = label.partition(": ")
        moves = [data["labels"][a] for a in actions]
        right |= {(label, move) for move in moves if history and move != "call" and not move.endswith(f"x{hand}")}
    assert found == right
    assert "bluffs" not in view_data(eb.build("kuhn"))


def test_draw_opens_a_page_on_explore(tmp_path, capsys):
    page = tmp_path / "a.html"
    assert run(["draw", "kuhn", "--strategy", "equilibrium", "--view", "explore", "-o", str(page)]) == 0
    assert carried(page)["view"] == "explore"
    assert run(["draw", "kuhn", "--view", "explore", "-o", str(tmp_path / "a.svg")]) == 2
    assert "only a page can be explored" in capsys.readouterr().err
    solution = eb.solve("kuhn")
    assert carried(solution.draw(page, view="explore"))["view"] == "explore"
    assert carried(eb.draw("kuhn", page, strategy="equilibrium", ranges=eb.ranges("kuhn")))["solutions"][0]["ranges"]
    with pytest.raises(ParameterError, match="width= is for pictures; a page has its own controls"):
        eb.draw("kuhn", page, width=600)
    with pytest.raises(ParameterError, match="only a page can be explored"):
        eb.draw("kuhn", tmp_path / "a.svg", view="explore")


def test_a_notebook_explores_in_a_frame(tmp_path):
    picture = eb.solve("kuhn").draw(view="explore")
    assert str(picture) == str(eb.solve("kuhn").draw())
    framed = html.unescape(re.search(r'srcdoc="([^"]*)"', picture._repr_html_()).group(1))
    page = tmp_path / "a.html"
    page.write_text(framed, "utf-8")
    assert carried(page)["view"] == "explore"
    assert eb.draw("kuhn")._repr_html_() is None


def test_every_equilibrium_of_a_solution_is_on_the_page(tmp_path):
    game, stored, page = f"{DOCS}/games/quiche.py:Quiche", tmp_path / "all.json", tmp_path / "a.html"
    solution = eb.solve(game, "extreme")
    names = [f"solution {n} of {len(solution.equilibria)}" for n in range(1, len(solution.equilibria) + 1)]
    assert len(names) > 1
    assert [each["name"] for each in carried(eb.write_viewer(solution, page))["solutions"]] == names
    assert [each["name"] for each in carried(eb.write_viewer(solution.pick(2), page))["solutions"]] == ["solution"]
    solution.write(stored)
    words = ["draw", game, "--solution", str(stored), "-o", str(page)]
    assert run(words) == 0
    found = carried(page)["solutions"]
    assert [each["name"] for each in found] == [name.replace("solution", "all") for name in names]
    assert all(f"equilibrium {n} of {len(names)}" in each["caption"] for n, each in enumerate(found, start=1))
    assert run([*words, "--which", "2"]) == 0
    assert [each["name"] for each in carried(page)["solutions"]] == ["all"]
