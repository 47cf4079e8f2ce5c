"""The rules of the house: imports go one way, heavy libraries are imported in one place, nothing heavy at start."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import efg_builder as eb

ROOT = Path(eb.__file__).parent
MODULES = {
    ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in ROOT.rglob("*.py")
}

# Each part may import the parts before it, and those named with it; nothing else.
LAYERS = {
    "errors": set(),
    "registry": set(),
    "files": {"errors"},
    "npy_file": set(),
    "spelled_files": set(),
    "proof": set(),
    "rationals": set(),
    "machine": set(),
    "naming": set(),
    "bid_layout": set(),
    "games": {"errors", "registry", "rationals"},
    "typed": {"games"},
    "tree": {"errors", "naming", "rationals", "games"},
    "efg": {"errors", "files", "naming", "rationals", "tree"},
    "profile": {"errors", "naming", "rationals", "tree"},
    "profile_file": {"errors", "files", "naming", "rationals", "tree", "profile"},
    "sparse_profile": {"errors", "rationals", "games", "tree", "profile"},
    "wide_strategy": {"errors", "games", "bid_layout"},
    "wide_file": {"errors", "files", "npy_file", "games", "bid_layout", "wide_strategy"},
    "nets": {"errors", "files", "npy_file", "games", "bid_layout", "wide_strategy"},
    "strategy_hints": {"errors", "rationals"},
    "strategy_file": {"errors", "files", "rationals", "strategy_hints"},
    "strategy_rows": {
        *("errors", "naming", "rationals", "games", "tree", "sparse_profile", "strategy_file", "strategy_hints"),
    },
    "support": {"errors", "naming", "games", "tree", "sparse_profile"},
    "table": {"errors", "games", "tree", "profile", "sparse_profile"},
    "public_tree": {"errors", "tree"},
    "bid_figures": {"games", "profile", "rationals", "sparse_profile"},
    "sequence_form": {"tree"},
    "normal_form": {"errors", "tree", "profile", "sequence_form"},
    "gambit": {"errors", "rationals"},
    "solvers": {
        *(
            "errors",
            "registry",
            "files",
            "machine",
            "rationals",
            "games",
            "tree",
            "efg",
            "profile",
            "profile_file",
            "sparse_profile",
        ),
        *("sequence_form", "normal_form", "gambit", "bid_layout", "npy_file"),
    },
    "analysis": {
        *("errors", "rationals", "games", "tree", "profile", "sparse_profile", "normal_form"),
        *("bid_layout", "wide_strategy"),
    },
    "certificate": {
        *(
            "errors",
            "files",
            "rationals",
            "games",
            "tree",
            "profile_file",
            "sparse_profile",
            "analysis",
            "naming",
            "profile",
        ),
    },
    "solution": {
        *("files", "naming", "rationals", "games", "tree", "profile", "sparse_profile", "analysis", "certificate"),
    },
    "refining": {"tree", "profile", "sequence_form", "solvers", "analysis", "solution"},
    "attempts": {"errors", "rationals", "tree", "profile", "solvers", "analysis", "solution"},
    "solving": {"errors", "games", "tree", "profile", "solvers", "analysis", "solution", "refining", "attempts"},
    "joint_file": {"errors", "files"},
    "matches": {"errors", "files", "rationals", "games", "certificate", "solution", "solving"},
    "sweeps": {
        "joint_file",
        *("errors", "files", "rationals", "games", "tree", "gambit", "solvers", "certificate", "solution", "solving"),
    },
    "gambit_profile": {"efg", "errors", "gambit", "profile", "solvers", "solution"},
    "solution_csv": {"errors", "files", "naming", "rationals", "sparse_profile", "solution"},
    "open_spiel": {"efg", "errors", "games", "profile", "tree"},
    "zero_intelligence": {"errors", "rationals", "games"},
    "players": {
        *("errors", "registry", "rationals", "games", "tree", "profile", "sparse_profile", "wide_strategy"),
        *("solving", "typed", "zero_intelligence", "bid_layout", "nets"),
    },
    "strategy_seats": {
        *("errors", "naming", "rationals", "games", "tree", "profile", "sparse_profile", "wide_strategy"),
        *("strategy_file", "strategy_rows", "players"),
    },
    "strategy_wide": {
        *("errors", "rationals", "games", "profile", "sparse_profile", "bid_layout", "wide_strategy"),
        *("strategy_file", "strategy_rows", "players", "strategy_seats"),
    },
    "strategy_measures": {
        *("errors", "games", "rationals", "profile", "sparse_profile", "tree", "wide_strategy"),
        *("analysis", "players", "strategy_seats", "strategy_wide"),
    },
    "strategy_choice": {
        *("errors", "machine", "games", "wide_strategy", "analysis", "players"),
        *("strategy_seats", "strategy_wide", "strategy_measures"),
    },
    "strategy_given": {
        *("errors", "games", "tree", "profile", "sparse_profile", "wide_strategy", "wide_file"),
        *("strategy_file", "players", "strategy_seats", "strategy_choice"),
    },
    "strategy_writing": {
        *("errors", "files", "naming", "rationals", "games", "profile", "sparse_profile", "certificate"),
        *("wide_strategy", "wide_file", "strategy_file", "strategy_wide"),
    },
    "strategy_report": {"rationals", "games", "strategy_seats"},
    "evaluation": {
        *("errors", "rationals", "games", "tree", "players"),
        *("strategy_choice", "strategy_given", "strategy_measures", "strategy_seats", "strategy_writing"),
        "strategy_report",
    },
    "exploitability": {
        *("errors", "files", "games", "rationals", "solution", "solving", "evaluation", "sweeps", "spelled_files"),
    },
    "equilibrium_ranges": {
        *("errors", "naming", "rationals", "games", "tree", "profile", "sequence_form", "solvers", "analysis"),
        "certificate",
    },
    "equilibrium_reach": {"equilibrium_ranges", "tree"},
    "matrix_words": {"normal_form"},
    "matrix_files": {"efg", "files", "rationals", "normal_form"},
    "matrix_report": {"rationals", "solvers", "analysis", "solving", "normal_form", "matrix_words"},
    "quantal": {"efg", "errors", "gambit", "profile", "rationals", "solvers", "analysis", "tree"},
    "quantal_table": {"files", "matrix_words", "quantal"},
    "plots": {
        *("errors", "files", "rationals", "normal_form", "analysis", "matrix_words", "matrix_report"),
        *("quantal", "quantal_table", "games", "matches", "exploitability"),
        "zero_intelligence",
    },
    "drawing": {
        *("errors", "files", "registry", "rationals", "tree", "efg", "profile", "sparse_profile", "support"),
        *("table", "gambit", "public_tree"),
    },
    "playing": {
        *("errors", "naming", "rationals", "games", "tree", "profile", "profile_file", "sparse_profile"),
        *("bid_layout", "wide_strategy", "public_tree", "analysis", "certificate", "solving", "matches", "players"),
        *("strategy_file", "strategy_rows", "strategy_seats", "strategy_given", "typed"),
    },
    "environment": {
        *("errors", "games", "tree", "players", "strategy_seats", "strategy_given", "playing"),
    },
    "arena": {
        *("errors", "files", "rationals", "games", "tree", "profile", "bid_layout", "analysis", "certificate"),
        *(
            "matches",
            "joint_file",
            "sweeps",
            "players",
            "strategy_given",
            "strategy_seats",
            "strategy_wide",
            "plots",
            "playing",
        ),
        "spelled_files",
    },
    "web": {"errors", "files", "rationals", "games", "tree", "profile", "public_tree", "playing"},
    "viewing": {
        *("errors", "naming", "rationals", "tree", "profile", "sparse_profile", "analysis", "drawing"),
        *("equilibrium_ranges", "web"),
    },
    "facts": {"rationals", "games", "tree"},
    "summary": {"games", "rationals", "tree", "profile", "sparse_profile", "solution"},
    "likeliest": {"drawing", "errors", "profile", "public_tree", "rationals", "tree"},
    "report": {
        *("errors", "files", "games", "tree", "profile", "sparse_profile", "profile_file", "rationals", "support"),
        *("analysis", "certificate", "solution", "equilibrium_ranges", "drawing", "web", "facts", "summary"),
        *("bid_figures", "likeliest", "equilibrium_reach", "solvers"),
    },
    "notebook": {
        *("rationals", "naming", "games", "tree", "profile", "sparse_profile", "public_tree", "analysis"),
        *("plots", "drawing", "summary"),
    },
    "cli": {
        *("errors", "files", "rationals", "games", "tree", "efg", "profile", "solvers", "solution", "solving"),
        *("profile_file", "sparse_profile", "support", "table", "certificate"),
        *("normal_form", "matrix_words", "matrix_files", "matrix_report", "quantal", "quantal_table", "plots"),
        *("analysis", "drawing", "facts", "summary", "equilibrium_ranges"),
        *("solution_csv", "matches"),
        *("players", "evaluation", "strategy_choice", "strategy_given", "strategy_measures", "strategy_seats"),
        *("report", "playing", "typed", "web", "viewing"),
        *("sweeps", "exploitability", "arena", "nets"),
    },
    "gallery": {"cli"},
    "__main__": {"cli"},
}

ONLY_IN = {
    "pygambit": {"efg_builder.gambit.adapter"},
    "pyspiel": {"efg_builder.open_spiel"},
    "highspy": {"efg_builder.solvers.highs"},
    "graphviz": {"efg_builder.drawing.gv"},
    "networkx": {"efg_builder.tree.model"},
    "distributed": {"efg_builder.sweeps.dask_pool"},
    "pyarrow": {"efg_builder.sweeps.table"},
    "torch": {name for name in MODULES if name.startswith("efg_builder.nets.training.")},
    "onnx": {"efg_builder.nets.onnx_file"},
    "gymnasium": {"efg_builder.environment.gym", "efg_builder.environment.aec"},
    "pettingzoo": {"efg_builder.environment.aec"},
    "click": {name for name in MODULES if name.startswith("efg_builder.cli")},
}


def imports(name):
    """Every module that *name* imports, relative ones resolved; type-checking imports left out."""
    path = MODULES[name]
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(_without_type_checking(ast.parse(path.read_text()))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            # "from .. import x" names modules, "from ..x import y" a module's content.
            yield from ([module] if node.module else (f"{module}.{alias.name}" for alias in node.names))


def _without_type_checking(tree):
    class Strip(ast.NodeTransformer):
        def visit_If(self, node):
            return None if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING" else node

    return Strip().visit(tree)


@pytest.mark.parametrize("name", sorted(MODULES))
def test_imports_go_one_way(name):
    if name == "efg_builder":
        return
    part = name.split(".")[1]
    assert part in LAYERS, f"{part} has no place in the layers"
    for imported in imports(name):
        words = imported.split(".")
        if words[0] == "efg_builder" and len(words) > 1 and words[1] != part and words[1] != "__version__":
            assert words[1] in LAYERS[part], f"{name} imports {imported}"


def test_the_layers_have_no_cycle():
    placed = set()
    for part, below in LAYERS.items():
        assert below <= placed, f"{part} imports a later part: {below - placed}"
        placed.add(part)


@pytest.mark.parametrize("library", sorted(ONLY_IN))
def test_heavy_libraries_are_imported_in_one_place(library):
    users = {name for name in MODULES if any(i.split(".")[0] == library for i in imports(name))}
    assert users <= ONLY_IN[library]
    assert users


@pytest.mark.parametrize(
    ("command", "unwanted"),
    [
        ("import efg_builder", {"numpy", "scipy", "click"}),
        ("from efg_builder.cli import run; run(['--help'])", {"numpy", "scipy", "pygambit", "highspy", "matplotlib"}),
        ("from efg_builder.cli import run; run(['info', 'liars-dice'])", {"pygambit", "highspy", "matplotlib"}),
        ("from efg_builder.cli import run; run(['solve', 'dice-poker'])", {"pygambit", "matplotlib"}),
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_used(command, unwanted):
    script = f"import sys\n{command}\nprint('LOADED', *{{m.split('.')[0] for m in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.rpartition("LOADED")[2].split())
    assert not loaded & unwanted


def test_all_is_what_is_exported():
    assert sorted(eb._HOME) == eb.__all__
    for name in eb.__all__:
        value = getattr(eb, name)
        assert value.__doc__, f"{name} has no docstring"
        assert not isinstance(value, type(sys)), f"{name} is a module"
    with pytest.raises(AttributeError, match="nonsense"):
        eb.nonsense  # noqa: B018


def test_the_error_tree_in_the_docstring_is_the_error_tree():
    from efg_builder import errors

    classes = {name for name in vars(errors) if name.endswith("Error") and name in errors.__doc__}
    assert {n for n in vars(errors) if n.endswith("Error")} == classes
    assert all(issubclass(getattr(errors, name), eb.EfgBuilderError) for name in classes)


def test_test_modules_have_names_of_their_own():
    # Without packages of tests, pytest cannot tell two modules of one name apart.
    found = [path.name for path in Path(__file__).parent.rglob("test_*.py")]
    assert sorted(found) == sorted(set(found))
