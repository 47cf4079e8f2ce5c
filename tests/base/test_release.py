"""A release has the same metadata everywhere, and the wheel contains only needed files."""

import datetime
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from paths import ROOT

from efg_builder import __version__

yaml = pytest.importorskip("yaml", reason="needs PyYAML")

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
BASE = PROJECT["project"]["dependencies"]
EXTRAS = PROJECT["project"]["optional-dependencies"]
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
SYSTEMS = ["ubuntu-latest", "macos-latest", "windows-latest"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text())
RECIPE = yaml.safe_load((ROOT / "conda" / "recipe.yaml").read_text())
WORKFLOWS = {path.stem: yaml.safe_load(path.read_text()) for path in (ROOT / ".github" / "workflows").glob("*.yml")}

NOT_IN_CONDA = {"pygambit"}

CONDA_NAMES = {"graphviz": "python-graphviz", "matplotlib": "matplotlib-base"}
"""Different names in conda: ``graphviz`` there means the programs, and ``matplotlib`` includes GUI libraries."""


def parts(requirement):
    """Return name and bounds of a requirement, separated by a space in conda, without its marker."""
    name, bounds = re.fullmatch(r"([\w.-]+?) ?([<>=!].*)", requirement.partition(";")[0]).groups()
    return name, bounds


def test_the_version_is_said_once_and_repeated_rightly():
    assert "version" not in PROJECT["project"]
    assert PROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "efg_builder.base.version.__version__"}
    assert CITATION["version"] == RECIPE["package"]["version"] == __version__
    changes = re.findall(r"(?m)^## (\S+)", (ROOT / "CHANGELOG.md").read_text())
    assert changes[0] == __version__


def test_the_citation_has_what_its_schema_asks_for():
    """Citation File Format 1.2.0: four required keys; type is one of two, dates are ISO, keywords are distinct."""
    assert CITATION["cff-version"] == "1.2.0"
    assert {"cff-version", "message", "title", "authors"} <= set(CITATION)
    assert CITATION["type"] in ("software", "dataset")
    assert isinstance(CITATION["date-released"], datetime.date)
    assert CITATION["license"] == PROJECT["project"]["license"]
    assert len(CITATION["keywords"]) == len(set(CITATION["keywords"])) > 0
    assert all(set(author) <= {"name", "alias"} or "family-names" in author for author in CITATION["authors"])


def test_conda_requires_what_pip_requires():
    wanted = {CONDA_NAMES.get(name, name): bounds for name, bounds in map(parts, BASE) if name not in NOT_IN_CONDA}
    python = PROJECT["project"]["requires-python"]
    assert dict(map(parts, RECIPE["requirements"]["run"])) == wanted | {"python": python}
    host = dict(parts(line) for line in RECIPE["requirements"]["host"] if line != "pip")
    assert host == {"python": python, **dict(map(parts, PROJECT["build-system"]["requires"]))}
    script = " = ".join(*PROJECT["project"]["scripts"].items())
    assert RECIPE["build"]["python"]["entry_points"] == [script]
    assert RECIPE["about"]["summary"] == PROJECT["project"]["description"]


def test_an_extra_has_one_bound_wherever_it_stands():
    # The project's essential packages come with the plain install.
    assert {"pygambit", "networkx", "numpy", "graphviz"} <= set(dict(map(parts, BASE)))
    assert EXTRAS["gambit"] == EXTRAS["networkx"] == []
    of_tests = dict(map(parts, EXTRAS["test"]))
    for extra, requirements in EXTRAS.items():
        for name, bounds in map(parts, requirements):
            assert of_tests.get(name, bounds) == bounds, extra
            assert name not in dict(map(parts, BASE)), extra


@pytest.mark.parametrize("name", sorted(WORKFLOWS))
def test_the_workflows_are_well_formed(name):
    workflow = WORKFLOWS[name]
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        assert "runs-on" in job
        assert all(("uses" in step) != ("run" in step) for step in job["steps"])
        needed = job.get("needs", [])
        assert {*([needed] if isinstance(needed, str) else needed)} <= set(workflow["jobs"])


def test_the_tests_run_on_each_system_and_python():
    assert WORKFLOWS["tests"]["jobs"]["tests"]["strategy"]["matrix"] == {"os": SYSTEMS, "python": PYTHONS}
    assert f">={PYTHONS[0]}" == PROJECT["project"]["requires-python"]
    said = [words.rpartition(" ")[2] for words in PROJECT["project"]["classifiers"] if ":: Python :: 3." in words]
    assert said == PYTHONS


def test_only_a_tag_publishes():
    jobs = WORKFLOWS["release"]["jobs"]
    allowed = {name for name, job in jobs.items() if "id-token" in job.get("permissions", {})}
    assert allowed == {"publish"}
    assert jobs["publish"]["if"] == "startsWith(github.ref, 'refs/tags/v')"
    assert jobs["publish"]["needs"] == "install"
    assert jobs["install"]["needs"] == "build"


BUILD = """from setuptools.build_meta import build_sdist, build_wheel
print(build_sdist("dist"), build_wheel("dist"))"""

LEFT_OUT = (".*", "build", "dist", "node_modules", "__pycache__", "*.egg-info")

MOST_BYTES = 1_500_000
"""Maximum size in bytes of wheel and sdist; 0.2.0 had 0.97 and 0.80 MB."""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Return the folder with sdist and wheel, built from a copy of the whole checkout."""
    if int(metadata.version("setuptools").partition(".")[0]) < 77:
        pytest.skip("setuptools is older than 77, which pyproject.toml asks for")
    folder = tmp_path_factory.mktemp("release") / "checkout"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*LEFT_OUT))
    subprocess.run([sys.executable, "-c", BUILD], cwd=folder, check=True, capture_output=True)
    return folder / "dist"


@pytest.mark.slow
def test_the_wheel_has_the_package_and_nothing_else(built):
    (path,) = built.glob("*.whl")
    assert path.name == f"efg_builder-{__version__}-py3-none-any.whl"
    assert path.stat().st_size < MOST_BYTES
    with zipfile.ZipFile(path) as wheel:
        names = set(wheel.namelist())
        about = wheel.read(f"efg_builder-{__version__}.dist-info/METADATA").decode()
    package = {name for name in names if not name.startswith(f"efg_builder-{__version__}.dist-info/")}
    ours = ROOT / "efg_builder"
    code = {path.relative_to(ROOT).as_posix() for kind in ("py", "pyi") for path in ours.rglob(f"*.{kind}")}
    pages = ours / "display" / "pages"
    carried = {p.relative_to(ROOT).as_posix() for end in ("js", "css", "txt") for p in pages.glob(f"*.{end}")}
    assert len(carried) >= 6
    carried |= {p.relative_to(ROOT).as_posix() for p in (ours / "display" / "templates").rglob("*.html")}
    folders = (ours / "experiments" / "data_set", ours / "proof" / "coq", ours / "schemas")
    data = {path.relative_to(ROOT).as_posix() for folder in folders for path in folder.iterdir() if path.is_file()}
    assert package == code | carried | data | {"efg_builder/py.typed"}
    wanted = {name for name in re.findall(r"(?m)^Requires-Dist: (.+)$", about) if "extra ==" not in name}
    assert set(map(Requirement, wanted)) == set(map(Requirement, BASE))


@pytest.mark.slow
def test_the_sdist_has_no_tests_and_no_results(built):
    (path,) = built.glob("*.tar.gz")
    assert path.stat().st_size < MOST_BYTES
    with tarfile.open(path) as sdist:
        names = [name.partition("/")[2] for name in sdist.getnames()]
    tops = {name.partition("/")[0] for name in names if "/" in name}
    assert tops == {"efg_builder", "efg_builder.egg-info"}
    assert {"pyproject.toml", "README.md", "LICENSE", "efg_builder/py.typed"} <= set(names)


@pytest.mark.slow
def test_the_wheel_alone_does_the_main_job(built, tmp_path):
    """The wheel is unpacked in a separate folder, without access to the checkout."""
    (path,) = built.glob("*.whl")
    with zipfile.ZipFile(path) as wheel:
        wheel.extractall(tmp_path / "site")
    script = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r})\n"
        + """
import efg_builder
from efg_builder.cli import run
print("FROM", efg_builder.__file__)
raise SystemExit(run(["run"]))"""
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert f"FROM {tmp_path / 'site'}" in done.stdout
    assert "proof         exact" in done.stdout
    made = sorted(p.suffix for folder in ("outputs", "visualizations") for p in (tmp_path / folder).iterdir())
    assert made == [".efg", ".html", ".json", ".svg"]
