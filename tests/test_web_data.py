"""What the pages carry: the payload against the tree, and bundles that are those of their sources."""

import base64
import gzip
import hashlib
import importlib.util
import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

import efg_builder as eb
from efg_builder.base.errors import ParameterError, ProfileError
from efg_builder.display.pages import page as pages
from efg_builder.display.pages.page import packed
from efg_builder.display.pages.viewer import Shown, view_data, viewer_page, viewer_part, write_shown
from efg_builder.forms.public_tree import public_tree

WEB = Path(pages.__file__).parent
IMPORT = re.compile(r'^(?:import|export)\b[^;"]*"(\./[^"]+)";', re.MULTILINE)


@pytest.fixture(scope="module")
def solved():
    tree = eb.build(eb.game("liars-dice", sides=2))
    return tree, eb.solve(tree).profile


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
    docs = Path(__file__).parent.parent / "docs"
    spec = importlib.util.spec_from_file_location("docs_viewer", docs / "viewer.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    assert (docs / "viewer.md").read_text() == made.page_of(json.loads((docs / "viewer.json").read_text()))


def test_licences_of_all_that_is_bundled_are_there():
    text = (WEB / "LICENSES.txt").read_text("utf-8")
    bundled = json.loads((WEB / "package.json").read_text())["dependencies"]
    assert bundled
    for name, version in bundled.items():
        assert f"{name} {version} (" in text


def test_bundles_cannot_end_their_script_element():
    for path in WEB.glob("*.js"):
        assert "</script" not in path.read_text("utf-8").lower(), path.name


def test_the_tree_follows_from_the_payload(solved):
    tree, _ = solved
    data = view_data(tree)
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
    for row, infoset in zip(data["infosets"], tree.infosets, strict=True):
        assert (row[0], row[1]) == (infoset.player, infoset.label)
        assert tuple(data["labels"][a] for a in row[2]) == infoset.actions
        assert [Fraction(p) for p in row[3:4] and row[3]] == list(infoset.probabilities or [])
    paid = [[Fraction(u) for u in payoffs] for _, payoffs in data["outcomes"]]
    assert paid == [list(outcome.payoffs) for outcome in tree.outcomes]


def test_the_payload_has_the_profile_and_the_public_tree(solved):
    tree, profile = solved
    ranges = eb.ranges(tree, vertices=0).shares
    data = view_data(tree, [Shown("lp", profile, "found", ranges)])
    (solution,) = data["solutions"]
    for k in tree.personal:
        assert [Fraction(data["numbers"][p]) for p in solution["probabilities"][k]] == list(profile.probabilities[k])
    assert {
        (k, a): (Fraction(data["numbers"][low]), Fraction(data["numbers"][high]))
        for k, a, low, high in solution["ranges"]
    } == ranges
    public = public_tree(tree)
    assert data["public"]["of"] == public.of.tolist()
    assert [data["labels"][m] for m in data["public"]["moves"]] == list(public.moves)


def test_floats_survive_the_payload(solved):
    tree, _ = solved
    rows = {
        k: [1 / 3, 2 / 3 - 1e-9, 1e-9][:n] if (n := len(tree.infosets[k].actions)) == 3 else [1.0 / n] * n
        for k in tree.personal
    }
    data = view_data(tree, [Shown("floats", eb.Profile.from_personal(tree, rows))])
    for k, row in rows.items():
        assert [float(data["numbers"][p]) for p in data["solutions"][0]["probabilities"][k]] == row


def test_a_profile_of_another_tree_is_refused(solved):
    _, profile = solved
    other = eb.build(eb.game("liars-dice", sides=2))
    with pytest.raises(ProfileError, match="another tree"):
        view_data(other, [Shown("lp", profile)])


def test_packed_data_are_the_same_and_unpack(solved):
    data = view_data(solved[0])
    assert packed(data) == packed(view_data(solved[0]))
    assert json.loads(gzip.decompress(base64.b64decode(packed(data)))) == json.loads(json.dumps(data))


def test_a_page_is_the_same_twice_and_asks_for_nothing(solved, tmp_path):
    tree, profile = solved
    shown = [Shown("lp", profile)]
    one, two = viewer_page(tree, shown), viewer_page(tree, shown)
    assert one == two
    assert "default-src 'none'" in one
    assert not re.search(r"<(?:link|img|iframe|script[^>]+src)", one)
    write_shown(tree, shown, tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text("utf-8") == one


def test_two_viewers_fit_on_one_page(solved):
    tree, profile = solved
    text = pages.page("both", [viewer_part(tree, ident="one"), viewer_part(tree, [Shown("lp", profile)], ident="two")])
    assert text.count(pages.asset("viewer.js")) == 1
    assert 'id="one-data"' in text
    assert 'id="two-data"' in text


@pytest.mark.parametrize("ident", ["", "1", "a b", 'a"onload="x'])
def test_an_ident_that_is_none_is_refused(solved, ident):
    with pytest.raises(ParameterError, match="ident="):
        viewer_part(solved[0], ident=ident)
