"""Commands and Python of the README, and of the pages that lead on from it, run and give what the pages say."""

import re
from pathlib import Path

import pytest
from paths import ROOT

from efg_builder.cli import run

PAGES = ("README.md", "docs/index.md", "docs/commands.md", "docs/equilibria.md", "docs/gambit.md", "docs/python.md")
BLOCKS = {page: re.findall(r"```(\w+)\n(.*?)```", (ROOT / page).read_text(), flags=re.DOTALL) for page in PAGES}
README = (ROOT / "README.md").read_text()


def commands(page):
    """The commands of *page* with what their comments say, in its order."""
    lines = [line.partition("#") for kind, text in BLOCKS[page] if kind == "sh" for line in text.splitlines()]
    return [(command.strip(), said.strip()) for command, _, said in lines if command.startswith("efg-builder")]


# A game of two dice a side takes seconds by any command; nothing else uses what these write.
LARGE = "sides=6 dice=2,2"

# What a comment with numbers in it says of the output, as patterns that must be found there.
CLAIMS = {
    "125 nodes, 32 information sets": (r"(?m)^ *nodes +125$", r"(?m)^ *infosets +32$"),
    "212027/771552, exact": (r"(?m)^value +Player 1: 212027/771552 ", r"(?m)^regret        0 \(exact: "),
    "value 0, proved": (r"(?m)^value +Player 1: 0$", r"(?m)^regret        0 \(exact: "),
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return {page: tmp_path_factory.mktemp(Path(page).stem) for page in PAGES}


# One folder for each page and the page's order: later commands use the files of earlier ones.
@pytest.mark.parametrize(
    ("page", "command", "said"),
    [
        pytest.param(page, *line, marks=pytest.mark.slow if page != "README.md" or LARGE in line[0] else ())
        for page in PAGES
        for line in commands(page)
    ],
)
def test_commands(page, command, said, folders, monkeypatch, capsys, in_process):
    monkeypatch.chdir(folders[page])
    monkeypatch.setattr("sys.stdin", open("/dev/null"))  # noqa: SIM115 - 'play' ends where nobody answers
    assert run(command.split()[1:]) == 0
    out, err = capsys.readouterr()
    assert out or "-o" in command
    assert said in CLAIMS or not re.search(r"\d", said), "what does the output show of this?"
    for pattern in CLAIMS.get(said, ()):
        assert re.search(pattern, out + err)


def test_the_readme_makes_the_claims_that_are_tested():
    assert set(CLAIMS) <= {said for page in PAGES for _, said in commands(page)}


PROGRAMS = [
    (page, code)
    for page in (*PAGES, "docs/environment.md", "docs/strategies.md")
    for code in re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), flags=re.DOTALL)
]


@pytest.mark.parametrize(("page", "code"), PROGRAMS)
def test_python(page, code, tmp_path, monkeypatch, capsys):
    if "environment.make(" in code:
        pytest.importorskip("gymnasium", reason="needs gymnasium (the extra 'env')")
    monkeypatch.chdir(tmp_path)
    exec(compile(code, page, "exec"), {"__name__": "__main__"})
    said = re.findall(r"print\(.*\)\s+# (.*)", code)
    assert capsys.readouterr().out.splitlines() == said
    assert said
    if page in PAGES:
        written = set(re.findall(r"\.(?:write\(|draw\(|write_\w+\(\w+, )\"([^\"]+)\"", code))
        assert {path.name for path in tmp_path.iterdir()} == written


def test_the_summary_is_what_run_prints(tmp_path, capsys):
    shown = next(text for kind, text in BLOCKS["docs/commands.md"] if kind == "text")
    assert run(["run", "liars-dice", "sides=3", "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith(shown)


def test_ci_runs_the_test_command_as_printed():
    assert "<!-- tests -->" in (ROOT / ".ci" / "run").read_text()
    command = README.split("<!-- tests -->")[1].split("```")[1].splitlines()[1]
    assert command.endswith("-m pytest")


def test_the_readme_is_short():
    assert len(README) <= 9_000


@pytest.mark.parametrize(
    "page", [path.relative_to(ROOT) for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))], ids=str
)
def test_links_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)\s]+)\)", (ROOT / page).read_text("utf-8")):
        if "://" in link:
            continue
        target, _, part = link.partition("#")
        file = (ROOT / page).parent / target if target else ROOT / page
        assert file.exists(), link
        if part:
            heads = re.findall(r"(?m)^#+ (.*)$", file.read_text("utf-8"))
            assert part in {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}, link
