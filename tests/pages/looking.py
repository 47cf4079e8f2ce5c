"""Helpers of the page tests: reading off a page, waiting for it, acting in the viewer, and contrast.

A page may do what it is asked for a moment later: the focus moves, a dialog closes, a frame is drawn. So no test reads
once what an action changes: it uses ``expect``, ``comes``, ``moved`` or ``at_rest``, each of which waits.
"""

from pathlib import Path

from efg_builder.display.trees import colors

PROBES = (Path(__file__).parent / "probes.js").read_text("utf-8")

READABLE = 4.5
"""The least contrast of text by WCAG 2.1, success criterion 1.4.3."""


PATIENCE = 20_000
"""Milliseconds that a page may take for what a test waits for: a busy machine is no failure."""


def expect(found):
    """Return Playwright's assertions on a page's element, which wait until they hold."""
    from playwright import sync_api

    sync_api.expect.set_options(timeout=PATIENCE)
    return sync_api.expect(found)


def comes(page, condition):
    """Wait until *condition*, an expression in JavaScript, is true; its failure is a timeout that quotes it."""
    page.wait_for_function(f"() => {condition}", timeout=PATIENCE)


def moved(page, key):
    """Press *key*, and wait until the focus is elsewhere."""
    page.evaluate("() => { window.focusedBefore = document.activeElement; }")
    page.keyboard.press(key)
    comes(page, "document.activeElement !== window.focusedBefore")


AT_REST = """() => new Promise((done) => {
  let before = null, alike = 0;
  const look = () => {
    const now = document.body.innerHTML;
    alike = now === before ? alike + 1 : 0;
    before = now;
    if (alike < 6) requestAnimationFrame(look);
    else done();
  };
  look();
})"""


def at_rest(page):
    """Wait until the page has been the same for some frames, as after the window changed."""
    page.evaluate(AT_REST)


def probe(of, name, *given):
    """Call the function *name* of ``probes.js`` on a page or an element."""
    return of.evaluate(f"(...given) => ({PROBES}).{name}(...given)", *given)


def acts(page, *calls):
    """What the viewer's buttons and keys call."""
    for call in calls:
        page.evaluate(f"window.efgView.view.acts.{call}")


def contrast(one, other):
    """Of two colors by red, green and blue from 0 to 255."""
    return colors.contrast(*([part / 255 for part in color] for color in (one, other)))


def unreadable(found):
    """Those of the texts *found* whose letters have too little contrast."""
    return [each for each in found if contrast(each["letters"], each["ground"]) < READABLE]
