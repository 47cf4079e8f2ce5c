"""What the tests of pages share: what they read off a page, what they do in the viewer, and contrast."""

from pathlib import Path

from efg_builder.display.trees import scene

PROBES = (Path(__file__).parent / "probes.js").read_text("utf-8")

READABLE = 4.5
"""The least contrast of text by WCAG 2.1, success criterion 1.4.3."""


def probe(of, name, *given):
    """Call the function *name* of ``probes.js`` on a page or an element."""
    return of.evaluate(f"(...given) => ({PROBES}).{name}(...given)", *given)


def acts(page, *calls):
    """What the viewer's buttons and keys call."""
    for call in calls:
        page.evaluate(f"window.efgView.view.acts.{call}")


def contrast(one, other):
    """Of two colors by red, green and blue from 0 to 255."""
    return scene.contrast(*([part / 255 for part in color] for color in (one, other)))


def unreadable(found):
    """Those of the texts *found* whose letters have too little contrast."""
    return [each for each in found if contrast(each["letters"], each["ground"]) < READABLE]
