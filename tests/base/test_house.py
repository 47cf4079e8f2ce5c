"""Rules of the source tree: imports go one way, heavy libraries have one importer, nothing heavy loads at start."""

import ast
import doctest
import graphlib
import importlib
import inspect
import re
import runpy
import subprocess
import sys
from dataclasses import fields, is_dataclass
from functools import cache, cached_property
from pathlib import Path

import pytest
from paths import TESTS

import efg_builder as eb
import house
import library

ROOT = Path(eb.__file__).parent
MODULES = {
    ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in ROOT.rglob("*.py")
}

ROOMS = (
    *("base", "games", "forms", "strategies", "interop", "proof"),
    *("solvers", "equilibria", "players", "experiments", "display", "cli"),
)
"""The packages in order; each imports only earlier ones."""

NEVER = {("proof", "solvers"), ("solvers", "proof")}
"""Pairs without imports, so that independent code verifies an answer."""

ONLY_IN = {
    "pygambit": {"efg_builder.interop.gambit.adapter"},
    "pyspiel": {"efg_builder.interop.open_spiel"},
    "highspy": {"efg_builder.solvers.lp.highs"},
    "graphviz": {"efg_builder.display.trees.gv"},
    "jinja2": {"efg_builder.display.markup"},
    "networkx": {"efg_builder.forms.extensive"},
    "distributed": {"efg_builder.experiments.jobs.executors"},
    "psutil": {"efg_builder.experiments.jobs.store", "efg_builder.experiments.sweeps.work"},
    "pyarrow": {"efg_builder.experiments.sweeps.table"},
    "torch": {name for name in MODULES if name.startswith("efg_builder.players.nets.training")},
    "click": {name for name in MODULES if name.startswith("efg_builder.cli")},
}


@cache
def imports(name):
    """Return every module that *name* imports, with relative names resolved, without type-checking imports."""
    path = MODULES[name]
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    found = set()
    for node in ast.walk(_without_type_checking(ast.parse(path.read_text()))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            # "from .. import x" imports modules, "from ..x import y" a module's content.
            found |= {module} if node.module else {f"{module}.{alias.name}" for alias in node.names}
    return found


def _module(name):
    """Return the module that an import of *name* loads: *name* itself, or the module that contains it."""
    return name if name in MODULES else name.rpartition(".")[0]


def _without_type_checking(tree):
    class Strip(ast.NodeTransformer):
        def visit_If(self, node):
            return None if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING" else node

    return Strip().visit(tree)


def room(name):
    return name.split(".")[1] if "." in name else None


def test_every_module_is_in_a_room():
    loose = {name for name in MODULES if room(name) and room(name) not in ROOMS}
    assert loose == {"efg_builder.__main__", "efg_builder._later"}


def test_imports_go_one_way():
    for name in filter(room, MODULES):
        for imported in imports(name):
            if room(name) in ROOMS and room(imported) in ROOMS and room(imported) != room(name):
                assert ROOMS.index(room(imported)) < ROOMS.index(room(name)), f"{name} imports {imported}"
                assert (room(name), room(imported)) not in NEVER, f"{name} imports {imported}"
            assert room(name) != "base" or room(imported) != "_later", f"{name} imports {imported}"


def test_no_module_imports_itself_in_a_circle():
    below = {name: {module for module in map(_module, imports(name)) if module in MODULES} for name in MODULES}
    order = []
    try:
        order = list(graphlib.TopologicalSorter(below).static_order())
    except graphlib.CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))
    assert len(order) == len(MODULES)


def test_heavy_libraries_are_imported_in_one_place():
    for heavy, places in ONLY_IN.items():
        users = {name for name in MODULES if any(i.split(".")[0] == heavy for i in imports(name))}
        assert users, heavy
        assert users <= places, heavy


def test_json_is_parsed_in_one_place():
    """Elsewhere, a key that is doubled would silently have its last value."""
    calls = re.compile(r"\bjson\.loads?\b|\bJSONDecoder\b|from json import")
    users = {name for name, path in MODULES.items() if calls.search(path.read_text())}
    alone = {f"efg_builder.proof.{name}" for name in ("checker", "tree_checker")}  # they import nothing of the package
    assert users == {"efg_builder.base.strict_json"} | alone


BUILT = "import efg_builder as eb; tree = eb.build(eb.game('liars-dice', sides=3))"


@pytest.mark.parametrize(
    ("command", "unwanted"),
    [
        ("import efg_builder", {"numpy", "scipy", "click", "jinja2"}),
        (
            "from efg_builder.cli import run; run(['--help'])",
            {"numpy", "scipy", "pygambit", "highspy", "matplotlib", "jinja2"},
        ),
        ("from efg_builder.cli import run; run(['info', 'liars-dice'])", {"pygambit", "highspy", "matplotlib"}),
        ("import efg_builder.players.kinds.zero_intelligence", {"scipy", "matplotlib"}),
        ("import efg_builder.display.trees as d; d.formats()", {"matplotlib", "graphviz", "pygambit", "pygraphviz"}),
        (BUILT, {"efg_builder.display.trees", "jinja2", "matplotlib", "pygambit"}),
        (
            f"{BUILT}; tree._repr_html_(); eb.TreeProfile.uniform(tree)._repr_html_()",
            {"matplotlib", "pygambit", "highspy"},
        ),
        *(
            (f"from efg_builder.cli import run; run(['{name}', '--help'])", {"scipy", "matplotlib", "jinja2"})
            for name in ("evaluate", "exam", "sweep", "verify", "build")
        ),
        *(
            (
                f"from efg_builder.cli import run; run(['solve', '{game}'])",
                {"pygambit", "matplotlib", "jinja2", "highspy", "scipy"},
            )
            for game in ("dice-poker", "kuhn", ROOT.parent / "docs/games/centipede.py")
        ),
        # In a browser, SciPy takes seconds to load, and its sparse linear algebra half of these.
        (f"{BUILT}; eb.evaluate(tree, 'uniform'); eb.draw(tree)._repr_svg_()", {"highspy", "scipy"}),
        ("import efg_builder as eb; eb.solve('leduc', 'cfr', gap=1.0)", {"highspy", "scipy.sparse.linalg"}),
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_used(command, unwanted):
    script = f"import sys\n{command}\nprint('LOADED', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.rpartition("LOADED")[2].split())
    assert not loaded & unwanted


@pytest.mark.parametrize("method", ["backward", "many"])
def test_our_own_methods_start_no_process_and_load_no_gambit(method):
    """Each of these would take longer than solving a small game."""
    script = f"""import sys
sys.addaudithook(lambda event, _: print("EVENT", event) if event in {PROCESSES} else None)
from efg_builder.cli import run
run(["solve", "{ROOT.parent}/docs/games/centipede.py", "--method", "{method}"])
print("LOADED", "pygambit" in sys.modules)"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "status        equilibrium\n" in done.stdout
    assert "LOADED False" in done.stdout
    assert "EVENT" not in done.stdout


PROCESSES = ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "os.system")
"""Audit events of starting a process (PEP 578)."""


FILES = ("docs/certificates/1v1-3.json.gz", "outputs/dice-poker.json")


@pytest.mark.parametrize("file", [*FILES, "sweep", "match", "data set"])
def test_nothing_heavy_proves_a_solution(file, tmp_path, cli):
    """Verifying a solution loads no solver and no solver library."""
    path = ROOT.parent / file
    if file == "sweep":
        path = tmp_path / "sweep.db"
        assert cli("sweep", "liars-dice", "sides=2", "-o", path, "--workers", "1")[0] == 0
    elif file == "match":
        path = tmp_path / "match.json"
        assert cli("match", "liars-dice", "sides=2", "-o", path)[0] == 0
    elif file == "data set":
        path = tmp_path / "library"
        assert library.main(["-o", str(path), "kuhn_cards-3", "gambit_journals.ijgt.selten1975.fig1"]) == 0
    words = [sys.executable, "-X", "importtime", "-m", "efg_builder", "verify", str(path)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert "efg_builder.proof" in loaded
    forbidden = ("efg_builder.solvers", "efg_builder.equilibria", "scipy", "highspy", "pygambit", "matplotlib")
    assert not [name for name in loaded if name.startswith(forbidden)]


def test_the_public_surface():
    # Authors of games need these too; they have one page of the docs (docs/your-own-game.md).
    rules = {"Chance", "Deal", "DealtGame", "Decision", "End", "PublicDecision", "PublicEnd", "RulesError"}
    rules |= {"BiddingGame"}
    assert len(set(eb.__all__) - rules) <= 51
    stub = (ROOT / "__init__.pyi").read_text()
    assert len(re.findall("^from", stub, flags=re.M)) == len(eb.__all__)
    for name in set(eb.__all__) - {"__version__"}:
        value = getattr(eb, name)
        assert value.__doc__, f"{name} has no docstring"
        assert not isinstance(value, type(sys)), f"{name} is a module"
    for name, near in (("nonsense", ""), ("games", "catalogue"), ("proof", "")):
        with pytest.raises(AttributeError, match=f"has no '{name}'; .*{near}"):
            eb.__getattr__(name)


def test_examples_of_public_names_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    modules = {getattr(eb, name).__module__ for name in set(eb.__all__) - {"__version__"}} | {"efg_builder"}
    results = [doctest.testmod(importlib.import_module(name)) for name in sorted(modules)]
    assert not sum(found.failed for found in results)
    assert sum(found.attempted for found in results) > 10


def test_only_methods_reach_later_rooms_and_one_table_names_them():
    """Each entry is used once, in that method of that class, and its package is not an earlier one."""
    from efg_builder._later import LATER

    used, calls = {}, 0
    for path in ROOT.rglob("*.py"):
        text = path.read_text()
        calls += len(re.findall(r"\blater\((?!method)", text))
        for owner in ast.walk(ast.parse(text)) if "later(" in text else ():
            for method in owner.body if isinstance(owner, ast.ClassDef) else ():
                name = f"{owner.name}.{getattr(method, 'name', '')}"
                if f'later("{name}")' in ast.unparse(method).replace("'", '"'):
                    used[name] = path.relative_to(ROOT).parts[0]
    assert set(used) == set(LATER)
    assert calls == len(LATER)
    for name, room in used.items():
        module, _, function = LATER[name].partition(":")
        assert ROOMS.index(module.split(".")[0]) >= ROOMS.index(room), name
        assert callable(getattr(importlib.import_module(f"efg_builder.{module}"), function))


def test_test_modules_have_names_of_their_own():
    # Without test packages, pytest cannot distinguish two modules with the same name.
    found = [path.name for path in TESTS.rglob("test_*.py")]
    assert sorted(found) == sorted(set(found))


# --- budgets: a number is raised only by a change that needs it, with the reason in the commit

LINES = {
    "efg_builder/.": 90,
    "efg_builder/base": 2210,
    "efg_builder/cli": 3301,
    "efg_builder/display": 11_781,
    "efg_builder/equilibria": 3980,
    "efg_builder/experiments": 6980,
    "efg_builder/forms": 2930,
    "efg_builder/games": 3209,
    "efg_builder/interop": 3130,
    "efg_builder/players": 5010,
    "efg_builder/proof": 6750,
    "efg_builder/solvers": 9246,
    "efg_builder/strategies": 3050,
    "tests/arena": 1150,
    "tests/base": 1760,
    "tests/.": 1550,
    "tests/cli": 1350,
    "tests/display": 5348,
    "tests/docs": 2553,
    "tests/equilibria": 2894,
    "tests/exam": 680,
    "tests/exploitability": 190,
    "tests/forms": 540,
    "tests/fuzz": 1320,
    "tests/games": 743,
    "tests/interop": 2050,
    "tests/library": 590,
    "tests/matches": 650,
    "tests/nets": 610,
    "tests/own": 1130,
    "tests/pages": 5406,
    "tests/players": 3230,
    "tests/proof": 4141,
    "tests/solvers": 3795,
    "tests/strategies": 1290,
    "tests/sweeps": 1950,
}
"""Maximum number of lines of Python in each package and in each folder of tests."""

SLACK = 0.05
"""A budget follows a package that shrinks: it is at most this share larger."""

LONGEST_FILE = 890

EXCEPTIONS = {
    "display/trees/sheet_data.py:_by_last_bid",
    "display/trees/sheet_view.py:_legend",
    "equilibria/solve.py:solve",
    "experiments/arena/running.py:run_arena",
    "experiments/sweeps/running.py:sweep",
    "players/evaluate.py:evaluate",
    "players/nets/training/__init__.py:train",
    "solvers/completion.py:completed",
}
"""Functions beyond one of the limits. The list may only become shorter."""

MOST_CHECKS_OF_KINDS, MOST_ASSERTS = 20, 2

CLOCKS = {
    "efg_builder.base.child",
    "efg_builder.cli.common",
    "efg_builder.equilibria.qre",
    "efg_builder.equilibria.ranges",
    "efg_builder.equilibria.solve",
    "efg_builder.equilibria.stored",
    "efg_builder.experiments.arena.running",
    "efg_builder.experiments.jobs.running",
    "efg_builder.experiments.jobs.store",
    "efg_builder.experiments.many_games",
    "efg_builder.experiments.matches.session",
    "efg_builder.experiments.sweeps.proving",
    "efg_builder.experiments.sweeps.store",
    "efg_builder.experiments.sweeps.work",
    "efg_builder.interop.gambit.child",
    "efg_builder.interop.gambit.worker",
    "efg_builder.players.evaluate",
    "efg_builder.players.kinds.program",
    "efg_builder.players.nets.training",
    "efg_builder.proof.checker",
    "efg_builder.proof.kernel",
    "efg_builder.proof.tree_checker",
    "efg_builder.solvers.driver",
    "efg_builder.solvers.lp.highs",
    "efg_builder.solvers.oracle.search",
    "efg_builder.solvers.protocol",
}
"""Modules that read the clock: drivers, limits, stores and measurements. An algorithm has no clock."""

USAGE_ERRORS = {"efg_builder.cli.options", "efg_builder.cli.solve_commands"}
"""Modules that raise errors of the command line. Other checks of options belong to the functions that take them."""


@pytest.mark.parametrize("folder", ["efg_builder", "tests"])
def test_each_room_keeps_its_budget_of_lines(folder):
    counts = {f"{folder}/{room}": count for room, count in house.lines_by_room(ROOT.parent / folder).items()}
    budgets = {room: limit for room, limit in LINES.items() if room.startswith(f"{folder}/")}
    assert set(counts) == set(budgets)
    assert {room: count for room, count in counts.items() if count > budgets[room]} == {}
    assert {room: count for room, count in counts.items() if count < (1 - SLACK) * budgets[room]} == {}


def test_no_file_or_function_is_long_or_complex():
    assert max(len(path.read_text().splitlines()) for path in MODULES.values()) <= LONGEST_FILE
    beyond = {
        each.place
        for each in house.functions(ROOT)
        if each.lines > house.LONGEST_FUNCTION
        or each.complexity > house.MOST_COMPLEX
        or each.parameters > house.MOST_PARAMETERS
    }
    assert beyond == EXCEPTIONS


def test_few_places_ask_for_the_kind_of_a_game_or_strategy():
    assert len(house.checks_of_kinds(ROOT)) <= MOST_CHECKS_OF_KINDS
    assert len(house.asserts(ROOT)) <= MOST_ASSERTS


def test_only_drivers_and_measurements_read_the_clock():
    clock = re.compile(
        r"\btime\.(monotonic|perf_counter|process_time|thread_time|time)\b|from time import|datetime\.now"
    )
    assert {name for name, path in MODULES.items() if clock.search(path.read_text())} == CLOCKS


def test_options_are_checked_where_they_are_used():
    raised = re.compile(r"click\.(UsageError|BadParameter|ClickException|BadOptionUsage)\(")
    assert {name for name, path in MODULES.items() if raised.search(path.read_text())} == USAGE_ERRORS


def test_the_page_on_architecture_names_what_exists():
    """Each path on the page is a file or a folder, and each name a definition."""
    spans = re.findall(r"`([^`\n]+)`", (ROOT.parent / "docs" / "architecture.md").read_text())
    root = ROOT.parent
    every = [path for folder in ("efg_builder", "tests") for path in (root / folder).rglob("*")]
    paths = {path.relative_to(root).as_posix() for path in [*every, *root.glob("*"), *root.glob("benchmarks/*")]}
    paths |= {path.rpartition(".")[0] for path in paths}
    names = {part for module in MODULES for part in module.split(".")}
    for path in MODULES.values():
        for node in ast.walk(house.tree(path)):
            names |= {
                getattr(node, key)
                for key in ("name", "id", "arg", "attr", "value")
                if isinstance(getattr(node, key, 0), str)
            }
    absent = []
    for span in spans:
        if " " in span or "*" in span:
            continue  # a command or a pattern; other tests run the commands
        if "/" in span:
            stem, _, name = span.rstrip("/").partition(".") if not span.endswith(".py") else (span, "", "")
            if not any(f"/{path}".endswith(f"/{stem}") for path in paths) or (name and name not in names):
                absent.append(span)
        elif span not in paths:
            parts = set(span.removesuffix("()").removesuffix("=").split("."))
            absent += [span] if parts - names - set(sys.stdlib_module_names) else []
    assert absent == []


# --- docstrings

RETURNED = ("Ranges", "NormalForm", "Match", "Standings", "QuantalBranch", "BestResponse", "Position", "Score")
"""Types that public functions return and that have separate pages."""


def public_objects():
    """Return every public function and class by name, and the types that public functions return."""
    found = {name: getattr(eb, name) for name in set(eb.__all__) - {"__version__"}}
    areas = runpy.run_path(str(ROOT.parent / "docs" / "_ext" / "areas.py"))["AREAS"].values()
    returned = {name: module for area in areas for name, module in area.returned.items()}
    assert sorted(returned) == sorted(RETURNED)
    assert sorted(name for area in areas for name in area.names) == sorted({*eb.__all__, *returned})
    return found | {
        name: getattr(importlib.import_module(f"efg_builder.{module}"), name) for name, module in returned.items()
    }


def described(text, title):
    """Return the names described in a docstring's section, with their types; None without such a section."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}\n", inspect.cleandoc(text or "") + "\n", flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    if title not in sections:
        return None
    lines = re.findall(r"^(\S.*?)(?: : (.*))?$", sections[title], flags=re.MULTILINE)
    return {name.strip().lstrip("*"): kind for names, kind in lines for name in names.split(",")}


def lacking(name, value):
    """Return the sections that a public signature requires and the docstring lacks."""
    text = value.__doc__
    if isinstance(value, type):
        if not issubclass(value, Exception) and described(text, "Examples") is None:
            yield f"{name}: Examples"
        said = (described(text, "Attributes") or {}) | (described(text, "Parameters") or {})
        shown = {one.name for one in fields(value)} if is_dataclass(value) else set()
        if missing := {one for one in shown if not one.startswith("_")} - set(said):
            yield f"{name}: Attributes {sorted(missing)}"
        return
    takes, said = inspect.signature(value).parameters, described(text, "Parameters") or {}
    # Each keyword of ``**options`` may be named instead.
    rest = {one.name for one in takes.values() if one.kind is one.VAR_KEYWORD and set(said) - set(takes)}
    if missing := set(takes) - set(said) - rest:
        yield f"{name}: Parameters {sorted(missing)}"
    if inspect.signature(value).return_annotation not in (None, "None") and not (
        described(text, "Returns") or described(text, "Yields")
    ):
        yield f"{name}: Returns"
    if described(text, "Examples") is None:
        yield f"{name}: Examples"


def test_public_docstrings_have_the_sections_that_the_signature_asks_for():
    assert not [one for name, value in sorted(public_objects().items()) for one in lacking(name, value)]


def wrong_defaults(name, value):
    """Return the parameters whose default in the docstring differs from the signature's."""
    said = described(value.__doc__, "Parameters") or {}
    takes = inspect.signature(value).parameters if said else {}
    for parameter, kind in said.items():
        # The parameters in ``**options`` have their defaults elsewhere.
        if parameter not in takes or takes[parameter].kind is inspect.Parameter.VAR_KEYWORD:
            continue
        default = takes[parameter].default
        _, written, text = kind.partition(", default ")
        if written:
            right = ast.literal_eval(text.replace(",", "")) == default
        else:
            # An option without a default in words is None or empty, or has more than one value.
            right = (default is not inspect.Parameter.empty) == kind.endswith(", optional")
            right = right and (default in (None, "", inspect.Parameter.empty) or is_dataclass(default))
        if not right:
            yield f"{name}({parameter}): {kind!r}, not {default!r}"


def test_docstrings_say_the_defaults_of_the_signature():
    found = []
    for name, value in sorted(public_objects().items()):
        members = vars(value).items() if isinstance(value, type) else ()
        functions = {f"{name}.{key}": getattr(one, "__func__", one) for key, one in members if not key.startswith("_")}
        for place, one in {name: value, **functions}.items():
            if inspect.isfunction(one) or one is value:
                found += wrong_defaults(place, one)
    assert not found


def test_every_public_member_has_a_docstring_and_is_described_once():
    for owner, value in public_objects().items():
        for name, member in vars(value).items() if isinstance(value, type) else ():
            member = getattr(member, "__func__", member)
            if name.startswith("_") or not (callable(member) or isinstance(member, property | cached_property)):
                continue
            assert member.__doc__, f"{owner}.{name}"
            assert name not in (described(value.__doc__, "Attributes") or ()), f"{owner}.{name} is described twice"
