"""The page *Try it*: what it asks of the package, and what it is made of. ``tests/pages/test_try_page.py`` opens it."""

import io
import json
import re
import runpy
import subprocess
import sys
import zipfile
from fractions import Fraction
from types import SimpleNamespace

import pytest
from paths import DOCS

import efg_builder as eb

FOLDER = DOCS / "try"
MOST_LINES = 500
"""The limit of its JavaScript and HTML: a page that a reader can check."""

GAMES = [(name, dict(small)) for name, kind in eb.catalogue().items() for small in kind.small[:1]]
EFG = 'EFG 2 R "<b>coin</b>" { "A" "B" } "" p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1 2 } t "" 2 "" { 0 0 }'
NFG = 'NFG 1 R "pennies" { "A" "B" } { 2 2 } 1 -1 -1 1 -1 1 1 -1'


@pytest.fixture
def work(tmp_path, monkeypatch):
    """The page's part in Python, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return runpy.run_path(str(FOLDER / "work.py"))


@pytest.fixture
def solve(work):
    return lambda **request: json.loads(work["solve"](json.dumps(request)))


@pytest.fixture(scope="module")
def build():
    return runpy.run_path(str(FOLDER / "build.py"))


@pytest.mark.parametrize(("name", "settings"), GAMES)
def test_each_game_of_the_catalogue_is_solved_checked_and_shown(work, solve, name, settings):
    settings = {key: str(value) for key, value in settings.items()}
    answer = solve(kind="catalogue", name=name, settings=settings)
    assert "error" not in answer
    assert answer["title"] == eb.build(eb.game(name, **settings)).title
    assert re.fullmatch(r"[A-Za-z0-9+/=]{500,}", answer["data"])
    assert answer["script"] in ("checker.py", "tree_checker.py")
    assert answer["proved"]
    assert re.match("proved: (the value to|an equilibrium)", answer["said"])
    for file in work["FILES"]:
        assert work["made"](file), file
    # The package proves the downloaded certificate, too.
    latest = work["_latest"]["solution"]
    assert eb.verify("certificate.json").value == latest.value


def test_an_empty_setting_is_the_default(solve):
    answer = solve(kind="catalogue", name="kuhn", settings={"cards": "", "seats": "2"})
    assert "value         Player 1: -1/18" in answer["figures"]  # Kuhn, Contributions to the Theory of Games 1, 1950
    assert solve(kind="catalogue", name="kuhn", settings={"cards": "many"})["error"].startswith("kuhn: cards=many")


@pytest.mark.parametrize(("text", "payoffs"), [(EFG, (1, 2)), (NFG, (0, 0))])
def test_text_of_files_is_solved(work, solve, text, payoffs):
    answer = solve(kind="file", text=text)
    assert "error" not in answer
    latest = work["_latest"]["solution"]
    assert latest.verdict.value == payoffs
    assert solve(kind="file", text="EFG 2 R oops")["error"].startswith("line 1")
    for other in ("", "kuhn", "/etc/passwd", "program.py"):  # what is no text of a file is not taken for its name
        assert solve(kind="file", text=other)["error"].startswith("this is no .efg or .nfg file")


def test_the_templates_are_solved(solve, work, build):
    expected = {"a coin bluff": Fraction(1, 3), "Kuhn poker": Fraction(-1, 18), "market entry": 2}  # as their pages say
    programs = build["templates"]()
    assert programs.keys() == expected.keys()
    for name, payoff in expected.items():
        answer = solve(kind="class", text=programs[name])
        assert answer["script"] == "tree_checker.py"
        latest = work["_latest"]["solution"]
        assert latest.verdict.value[0] == payoff


GOOD = "import efg_builder as eb\nclass A(eb.Game):\n    players = 'A', 'B'\n    def turn(self, state):\n        {}\n"


@pytest.mark.parametrize(
    ("text", "error", "line"),
    [
        ("class A(:\n", "program.py, line 1: not valid Python", 1),
        ("import efg_builder as eb\n\n1 / 0\n", "program.py, line 3: ZeroDivisionError", 3),
        (GOOD.format("return 1 / 0"), "A, state '': ZeroDivisionError: division by zero (program.py, line 5)", 5),
        (GOOD.format("return eb.End((0.5, 0))"), "A, state '': the payoff of A is the float 0.5", 5),
        (GOOD.format("return state"), "A, state '': turn() returned '', a str", 5),
        (
            GOOD.format("if state:\n            return\n        return eb.Decision(0, 'x', [('l', 'l')])"),
            "A, state 'l'",
            6,
        ),
        (GOOD.format("return eb.Chance('c', [('x', 0.5, 'x')])"), "A, state '': the probability of 'x'", 5),
        (GOOD.format("return self.turn(state)"), "A, state '': ", 5),
        ("x = 1\n", "program.py: it has no subclass of eb.Game", None),
        ("raise MemoryError\n", "This needs more memory", 1),
        ("raise SystemExit\n", "program.py", 1),
        ("raise KeyboardInterrupt\n", "KeyboardInterrupt", 1),
    ],
)
def test_an_error_names_its_line(solve, text, error, line):
    answer = solve(kind="class", text=text)
    assert answer["error"].startswith(error)
    assert answer["line"] == line
    assert "\n" not in answer["error"]


FORGETFUL = (
    'EFG 2 R "x" { "A" "B" } "" p "" 1 1 "x" { "l" "r" } 0 p "" 1 2 "z" { "l" "r" } 0 t "" 1 "" { 1 -1 } '
    't "" 2 "" { 0 0 } p "" 1 2 "z" { "l" "r" } 0 t "" 2 "" { 0 0 } t "" 1 "" { 1 -1 }'
)


def test_what_is_not_proved_is_not_called_proved(solve, work, monkeypatch):
    answer = solve(kind="file", text=FORGETFUL)
    assert not answer["proved"]
    assert answer["said"]
    monkeypatch.setitem(work["solve"].__globals__, "MOST_CHECKED", 50)
    answer = solve(kind="catalogue", name="kuhn", settings={})
    assert (answer["proved"], answer["script"]) == (False, "")
    assert answer["said"].startswith("The tree has more than 50 nodes")
    monkeypatch.setitem(work["solve"].__globals__, "MOST_CHECKED", 20_000)

    def wrong(solution):  # a certificate of another strategy, with the figures of this one
        alone = made(solution)
        return SimpleNamespace(tree=alone.tree, to_json=alone.to_json, write=lambda path: forge(alone.write(path)))

    def forge(path):
        data = json.loads(path.read_text("utf-8"))
        data["value"] = data["value"][::-1]
        path.write_text(json.dumps(data), "utf-8")

    made = work["_certificate"]
    monkeypatch.setitem(work["solve"].__globals__, "_certificate", wrong)
    answer = solve(kind="catalogue", name="kuhn", settings={})
    assert not answer["proved"]
    assert answer["said"].startswith("refused: ")


def test_a_label_that_leaves_something_out_gives_a_warning(solve):
    program = GOOD.format(
        "return (eb.Decision(0, 'x', [('l', 'l'), ('r', 'r')]) if state == '' else "
        "eb.Decision(0, 'z', [('l', state + 'l'), ('r', state + 'r')]) if len(state) == 1 else eb.End((1, -1)))"
    )
    answer = solve(kind="class", text=program)
    assert len(answer["warnings"]) == 1
    assert "forgets" in answer["warnings"][0]


def test_the_last_class_that_is_a_game_is_solved(solve):
    first, second = GOOD.format("return eb.End((1, -1))"), GOOD.format("return eb.End((2, -2))")
    program = '"""A\nclass of games."""\n' + first + second.replace("class A", "class B") + "class Helper:\n    pass\n"
    assert solve(kind="class", text=program)["title"] == "B"


def test_the_folder_holds_all_that_the_page_needs(build, tmp_path):
    page = build["build"](tmp_path / "page")
    text = page.read_text("utf-8")
    assert "{{" not in text + (page.parent / "offline.js").read_text("utf-8")
    assert f"connect-src 'self' {build['PYODIDE']};" in text
    setup = json.loads(re.search(r'id="setup">(.*?)</script>', text)[1])
    assert setup["games"].keys() == set(eb.catalogue())
    assert next(iter(setup["games"])) == "liars-dice"
    for name in re.findall(r'(?:href|src)="([^"{?]+)\?', text):
        assert (page.parent / name).is_file(), name
    # All files have the version in their addresses, and are kept for it.
    assert re.findall(r'(?:href|src)="(?!http)[^"?]*"', text) == []
    assert {path.name for path in page.parent.iterdir()} == {*build["OWN"], "index.html", "offline.js"}
    assert json.dumps(build["OWN"]) in (page.parent / "offline.js").read_text("utf-8")
    frame = (page.parent / "frame.html").read_text("utf-8")
    assert frame.count("DATA<") == 1
    assert "Kuhn" not in frame


def test_a_copy_of_pyodide_has_what_is_needed_and_no_more(build, tmp_path):
    source, packages = tmp_path / "pyodide", {}
    source.mkdir()
    for name, depends in (("numpy", []), ("scipy", ["numpy", "openblas"]), ("openblas", []), ("pandas", ["numpy"])):
        packages[name] = {"file_name": f"{name}.whl", "depends": depends}
        (source / f"{name}.whl").write_text(name)
    for name in ("pyodide.mjs", "pyodide.asm.wasm", "pyodide.d.ts"):
        (source / name).write_text(name)
    (source / "pyodide-lock.json").write_text(json.dumps({"packages": packages}))
    page = build["build"](tmp_path / "page", str(source))
    copied = {path.name for path in (page.parent / "pyodide").iterdir()}
    core = {"pyodide.mjs", "pyodide.asm.wasm", "pyodide-lock.json"}
    assert copied == core | {"numpy.whl", "scipy.whl", "openblas.whl"}
    assert "connect-src 'self' ;" in page.read_text("utf-8")


def test_a_distribution_without_packages_is_named_in_one_line(tmp_path):
    """The download "core" of Pyodide has no packages."""
    core = tmp_path / "core"
    core.mkdir()
    packages = {name: {"file_name": f"{name}.whl", "depends": []} for name in ("numpy", "scipy")}
    (core / "pyodide-lock.json").write_text(json.dumps({"packages": packages}))
    (core / "scipy.whl").write_text("")
    words = [sys.executable, FOLDER / "build.py", "-o", tmp_path / "page", "--pyodide"]
    for folder, problem in ((core, "has no numpy.whl\n"), (tmp_path, "has no pyodide-lock.json\n")):
        done = subprocess.run([*words, folder], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert done.stderr.startswith("error: ")
        assert done.stderr.endswith(problem)


def test_the_zip_holds_the_whole_package(build, tmp_path):
    packed = build["package_zip"]()
    assert packed == build["package_zip"]()
    zipfile.ZipFile(io.BytesIO(packed)).extractall(tmp_path)
    request = json.dumps({"kind": "catalogue", "name": "liars-dice", "settings": {"sides": "2"}})
    code = f"import efg_builder, work; print(efg_builder.__file__); print(len(work.solve({request!r}))); "
    code += "print(len(work.made('report.html')))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    where, *sizes = done.stdout.split()
    assert where.startswith(str(tmp_path))
    assert all(int(size) > 1000 for size in sizes)


def test_small_games_do_not_wait_for_the_libraries_that_come_later(tmp_path):
    """In a new process, where nothing has imported SciPy."""
    small = {"kind": "catalogue", "name": "liars-dice", "settings": {"sides": "3"}}  # the page begins with this game
    large = {"kind": "catalogue", "name": "leduc", "settings": {}}
    code = f"import json, sys; sys.path.insert(0, {str(FOLDER)!r}); import work; show = work.hide(); "
    code += f"small, large = {json.dumps(small)!r}, {json.dumps(large)!r}; "
    code += "said = [json.loads(work.solve(each)) for each in (small, large)]; show(); "
    code += "said.append(json.loads(work.solve(large))); print([each.get('needs') for each in said])"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[None, True, None]"


def test_its_scripts_stay_small():
    files = [*FOLDER.glob("*.js"), *FOLDER.glob("*.html")]
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files) <= MOST_LINES
