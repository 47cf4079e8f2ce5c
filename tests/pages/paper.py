"""What Chromium prints: how far down each sheet of a PDF its text goes."""

import re
import zlib

A4, PAGE = 841.92, rb"\S+ 0 0 -\S+ 0 841\.9\d* cm\s"
"""Points, and how a page begins: from the upper edge downwards."""


def filled(paper):
    """Of each sheet the height of its lowest line of text, from 0 at the top to 1 at the lower edge."""
    streams = (unpacked(each[1]) for each in re.finditer(rb"stream\r?\n(.*?)endstream", paper, re.DOTALL))
    found = [lowest(text) / A4 for text in streams if re.match(PAGE, text)]
    assert len(found) == len(re.findall(rb"/Type /Page\b", paper))
    return found


def unpacked(stream):
    try:
        return zlib.decompressobj().decompress(stream)  # a line feed comes after it
    except zlib.error:
        return b""


def lowest(text):
    """The largest distance from the upper edge, by the operators ``cm`` (a matrix for what follows), q, Q and Tm."""
    matrix, kept, last, found = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0), [], [], 0.0
    for word in text.decode("latin-1").split():
        if re.fullmatch(r"-?[\d.]+", word):
            last.append(float(word))
            continue
        if word == "q":
            kept.append(matrix)
        elif word == "Q":
            matrix = kept.pop()
        elif word in ("cm", "Tm"):
            a, b, c, d, e, f = last[-6:]
            m = matrix
            product = (
                a * m[0] + b * m[2], a * m[1] + b * m[3], c * m[0] + d * m[2], c * m[1] + d * m[3],
                e * m[0] + f * m[2] + m[4], e * m[1] + f * m[3] + m[5],
            )  # fmt: skip
            if word == "cm":
                matrix = product
            else:
                found = max(found, A4 - product[5])
        last = []
    return found
