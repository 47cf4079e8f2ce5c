"""What is proved, and how to check it: the proof's own words, the commands, and the file itself."""

from __future__ import annotations

import base64
import gzip
from html import escape
from typing import Any

from ...base.errors import CertificateError
from ...base.words import plural
from ...equilibria.solution import Solution
from ...proof.certificate import digests, encode
from ..markup import at_least, at_most, bullets, command, in_full, paragraph
from .about import About, Section

MOST_BYTES = 500_000
"""Certificates are put into the page up to this size, compressed."""


def certificate_section(about: About) -> Section | None:
    """What holds of the strategies, and how anybody can see for themselves; nothing where nothing was judged."""
    solution = about.solution
    if solution.verdict is None:
        return None
    parts = [bullets(_claims(about)), *_checked(about)]
    file = certificate(solution)
    if len(file) <= MOST_BYTES:
        name = "certificate.json.gz"
        where = f"data:application/gzip;base64,{base64.b64encode(file).decode('ascii')}"
        link = f'<a id="certificate-file" href="{where}" download="{name}">{name}</a>'
        parts.append(
            paragraph(
                f"The strategies are in this page, as the file {link} ({plural(len(file), 'byte')}). Save it; then "
                "this proves what it says, with no solver taking part:"
            )
        )
        parts.append(command(about.commands.verify.replace("SOLUTION", name)))
        parts.append(paragraph("Or make such a file yourself, and prove that:"))
    else:
        parts.append(paragraph("To see for yourself, make the solution's file and prove it:"))
    parts.append(command(f"{about.commands.solve}\n{about.commands.verify.replace('SOLUTION', 'solution.json.gz')}"))
    return Section("certificate", "The certificate, and how to check it", "\n".join(parts))


def certificate(solution: Solution) -> bytes:
    """The solution's file, compressed, without times and versions: of equal solutions the same bytes."""
    given = solution.to_json()
    data: dict[str, Any] = {key: part for key, part in given.items() if key not in ("seconds", "run", "digests")}
    text = "".join((*encode(data | {"digests": digests(data)}), "\n"))
    return gzip.compress(text.encode(), compresslevel=9, mtime=0)


def _claims(about: About) -> list[str]:
    solution = about.solution
    verdict = solution.verdict
    assert verdict is not None
    said = []
    if solution.lower is not None and solution.upper is not None:
        first, second = map(escape, about.players)
        said = [
            f"{first}'s strategy guarantees {first} {in_full(solution.lower, at_least)}, whatever {second} does.",
            f"{second}'s strategy allows {first} no more than {in_full(solution.upper, at_most)}, whatever {first} "
            "does.",
        ]
    gain = "nothing" if solution.regret == 0 else f"at most {at_most(verdict.regret)}"
    said.append(f"A player who plays differently, while the other strategies stay, gains {gain}.")
    if about.equilibrium:
        kind = "exact fractions throughout" if verdict.exact else "floating-point numbers, within the tolerance"
        said.append(f"So this is an equilibrium, in {kind}.")
        if solution.refined is not None:
            sets = plural(len(solution.refined.gains), "information set")
            said.append(f"It also plays well after mistakes: at none of {sets} is another move better.")
    else:
        said.append("So this is <strong>not</strong> an equilibrium.")
    where = (
        f"were read from the file {escape(about.file)}"
        if about.file
        else f"come from the method '{escape(solution.method)}'"
    )
    said.append(f"The strategies {where}; that is no part of the proof.")
    return said


def _checked(about: About) -> list[str]:
    """The verdict of the check that reads the file alone."""
    try:
        proof = about.solution.verify()
    except CertificateError as error:
        return [paragraph(f"<strong>The check of the file fails</strong>: {escape(str(error))}.")]
    return [paragraph(f"The solution's file was checked when this page was made ({escape(proof.checked)}).")]
