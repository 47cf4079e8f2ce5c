"""Commands as people see them, word for word: what is typed, what is said, and the exit code.

``python tests/players/test_transcripts.py`` writes the answers anew. In the files of ``transcripts``, ``@ NAME`` begins
a file for the commands after it, ``$`` a command, ``<`` a line that is typed; all else is what is said.
"""

import io
import os
import shlex
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from efg_builder.cli import run

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))


def parts(text):
    """The files by name, and (command, lines to type) in their order."""
    files, commands = {}, []
    for part in ("\n" + text).split("\n@ ")[0].split("\n$ ")[1:]:
        commands.append(part)
    for part in ("\n" + text).split("\n@ ")[1:]:
        name, *rest = part.split("\n$ ")
        name, _, content = name.partition("\n")
        files[name] = content.strip("\n") + "\n"
        commands += rest
    typed = [[line[2:] for line in part.splitlines()[1:] if line.startswith("< ")] for part in commands]
    return files, [(part.splitlines()[0], lines) for part, lines in zip(commands, typed, strict=True)]


def said(command, lines):
    """The transcript of one command."""
    out, before = io.StringIO(), sys.stdin
    sys.stdin = io.StringIO("".join(f"{line}\n" for line in lines))
    try:
        with redirect_stdout(out), redirect_stderr(out):
            code = run(shlex.split(command))
    finally:
        sys.stdin = before
    ending = f"(exit code {code})\n" if code else ""
    return "\n".join([f"$ {command}", *(f"< {line}" for line in lines), out.getvalue().rstrip("\n")]) + f"\n{ending}"


def anew(text):
    """The whole file, every command run; the folder is the current one."""
    files, commands = parts(text)
    for name, content in files.items():
        Path(name).write_text(content)
    written = "\n".join(f"@ {name}\n{content}" for name, content in files.items())
    return "\n".join(filter(None, [written, *(said(*each) for each in commands)]))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_commands_say_what_is_written(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("efg_builder.cli.common.QUIET", float("inf"))
    assert anew(path.read_text()) == path.read_text()


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for each in FILES:
            each.write_text(anew(each.read_text()))
