"""The page *Try it* in a real browser, with a real Pyodide: ``EFG_PYODIDE=FOLDER`` names a distribution of it."""

import http.server
import os
import re
import runpy
import threading
from functools import partial

import pytest
from looking import expect
from paths import DOCS

import efg_builder as eb

FOLDER = os.environ.get("EFG_PYODIDE", "")
PATIENCE = 180_000  # milliseconds: Python starts in a browser on a busy machine

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDER, reason="EFG_PYODIDE names no folder with a distribution of Pyodide"),
]

LABELS = """import efg_builder as eb


class Labels(eb.Game):
    players = "<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>"

    def turn(self, state):
        print("<b>printed</b>")
        if state == "":
            return eb.Decision(0, "<i>set</i>", [("<u>l</u>", "l"), ("&amp;", "r")])
        return eb.End((1, -1) if state == "l" else (0, 0), "<svg onload=alert(3)>")
"""

ESCAPE = """import js
import efg_builder as eb
import work

js.fetch("{address}stolen")
for name in ("caches", "indexedDB", "Worker", "SharedWorker", "BroadcastChannel"):
    if hasattr(js, name):
        print("has", name)
forged = {{"title": "<b>x</b>", "figures": "", "script": "", "proved": True, "said": "proved: all", "warnings": [],
          "data": '"</script><script>parent.document.title = 1; top.location = 1</script>'}}
work._checked = lambda solution: {{"script": "checker.py", "proved": True, "said": "proved: the value is 1000"}}
work._stopped = lambda error: forged
js.postMessage(None)
raise ValueError
"""


GOOD = (DOCS / "games" / "coin.py").read_text("utf-8")


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The address of the page, the requests to its server, and a way to stop the server."""
    folder, asked = tmp_path_factory.mktemp("try"), []
    runpy.run_path(str(DOCS / "try" / "build.py"))["build"](folder, FOLDER)

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *words):
            asked.append(self.path)

        def end_headers(self):  # what the page needs without a net, it must keep itself
            self.send_header("Cache-Control", "no-store")
            super().end_headers()

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}/", asked, server.shutdown
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def context(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 900}, permissions=["clipboard-write"])
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture
def page(context, served):
    page = context.new_page()
    page.wrong = []
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on("dialog", lambda dialog: page.wrong.append(dialog.message))
    page.goto(served[0])
    yield page
    assert page.wrong == []
    page.close()


def solves(page):
    page.locator("#solve").click()
    expect(page.locator("#solve")).to_be_enabled(timeout=PATIENCE)


def writes(page, program):
    page.get_by_role("tab", name="Write one").click()
    page.locator("#program").fill(program)


def marks(page, program, part):
    """Expect the page to mark the line of *part* in *program*."""
    line = 1 + program[: program.index(part)].count("\n")
    expect(page.locator("#lines .wrong")).to_have_text(f"{line}\n")


def downloads(page, name, folder):
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_three_sides_are_solved_proved_and_taken_home(page, tmp_path):
    solves(page)
    expect(page.locator("#proved")).to_have_text("✓ Proved: the value to Player 1 is -1/9 (exact)")
    expect(page.locator("#script")).to_contain_text("Checked here by tree_checker.py")
    frame = page.frame_locator("#page")
    expect(frame.get_by_role("heading", name="Liar's Dice: one three-sided die each")).to_be_visible()
    frame.get_by_role("button", name="Explore").click()
    expect(frame.locator(".efg-xsay")).to_contain_text("The bounds meet")
    assert eb.verify(downloads(page, "Certificate", tmp_path)).value[0].as_integer_ratio() == (-1, 9)
    assert len(eb.build(downloads(page, "File for Gambit", tmp_path))) == 1144
    assert downloads(page, "Picture", tmp_path).read_text("utf-8").startswith("<svg")
    assert "-1/9" in downloads(page, "Report", tmp_path).read_text("utf-8").replace("−", "-")
    assert downloads(page, "Table", tmp_path).read_text("utf-8").count("\n") > 100
    assert {path.name for path in tmp_path.iterdir()} >= {"liar-s-dice-one-three-sided-die-each-game.efg"}
    page.locator("#name").select_option("kuhn")  # a second answer takes the place of the first
    expect(page.locator("#answer")).to_have_class("old")
    solves(page)
    expect(frame.get_by_role("heading", name="Kuhn poker")).to_be_visible()
    assert page.url.endswith("#game=kuhn&cards=3&seats=2")


def test_an_own_game_an_error_in_it_and_a_stop(page):
    page.get_by_role("tab", name="Write one").click()
    solves(page)
    expect(page.locator("#proved")).to_contain_text("the value to Alice is 1/3")
    program = page.locator("#program").input_value()
    writes(page, program.replace("(1, -1), ", "(1, one), "))
    solves(page)
    expect(page.locator("#error")).to_contain_text("NameError: name 'one' is not defined")
    marks(page, program, "(1, -1), ")
    expect(page.locator("#answer")).to_be_hidden()
    writes(page, "while True:\n    pass\n")
    page.locator("#solve").click()
    expect(page.locator("#progress")).to_have_text("Solving …")
    page.locator("#stop").click()
    expect(page.locator("#error")).to_contain_text("Stopped.")
    writes(page, program)
    solves(page)
    expect(page.locator("#proved")).to_contain_text("the value to Alice is 1/3")


def test_a_program_without_end_of_memory_is_ended(page):
    writes(page, "kept = []\nwhile True:\n    kept.append(bytearray(50_000_000))\n")
    solves(page)
    expect(page.locator("#error")).to_contain_text("memory")
    page.get_by_role("tab", name="Choose a game").click()
    page.locator("#name").select_option("kuhn")
    solves(page)
    expect(page.locator("#proved")).to_contain_text("-1/18")


FLOODS = {
    "prints": "while True:\n    print('x' * 500)\n",
    "sends": "import js\n\nwhile True:\n    js.postMessage(js.Object.fromEntries([['says', 'x' * 1000]]))\n",
}


@pytest.mark.parametrize("name", FLOODS)
def test_a_program_that_says_too_much_does_not_freeze_the_page(page, name):
    writes(page, FLOODS[name])
    page.locator("#solve").click()
    if name == "prints":
        expect(page.locator("#printed")).to_contain_text("…", timeout=PATIENCE)
        assert page.locator("#printed").text_content() == ("x" * 200 + "\n") * 200 + "…\n"
        page.locator("#stop").click()
        expect(page.locator("#error")).to_contain_text("Stopped.")
    else:
        expect(page.locator("#error")).to_have_text("Stopped: the program sends too much.", timeout=PATIENCE)
    writes(page, GOOD)
    solves(page)
    expect(page.locator("#proved")).to_contain_text("the value to Alice is 1/3")


@pytest.mark.parametrize(
    ("program", "error"),
    [
        ("def more():\n    more()\n\n\nmore()\n", "recursion|call stack"),
        ("x = []\nfor _ in range(100_000):\n    x = [x]\nrepr(x)\n", "recursion|call stack"),
        ("import ctypes\n\nctypes.string_at(0xF0000000, 8)\n", "memory access out of bounds"),
        ("import sys\n\nsys.exit()\n", "ended the program"),
    ],
)
def test_a_program_that_breaks_python_leaves_a_page_that_works(page, program, error):
    writes(page, program)
    solves(page)
    expect(page.locator("#error")).to_contain_text(re.compile(error))
    writes(page, GOOD)
    solves(page)
    expect(page.locator("#proved")).to_contain_text("the value to Alice is 1/3")


def test_a_mistake_marks_its_line_though_python_did_not_stop_there(page):
    writes(page, GOOD.replace("(1, -1), ", "(0.5, -0.5), "))
    solves(page)
    expect(page.locator("#error")).to_contain_text("the payoff of Alice is the float 0.5; write Fraction(1, 2)")
    marks(page, GOOD, "(1, -1), ")
    expect(page.locator("#error")).to_be_in_viewport()


def test_what_cannot_be_loaded_is_named(browser, served):
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.route(re.compile("numpy"), lambda route: route.abort())
    page.goto(served[0])
    expect(page.locator("#error")).to_contain_text("numpy cannot be loaded from http", timeout=PATIENCE)
    page.unroute(re.compile("numpy"))
    page.locator("#name").select_option("kuhn")
    solves(page)
    expect(page.locator("#proved")).to_contain_text("-1/18")
    context.close()


def test_names_of_strangers_stay_text(page):
    writes(page, LABELS)
    solves(page)
    expect(page.locator("#title")).to_have_text("Labels")
    expect(page.locator("#printed")).to_contain_text("<b>printed</b>")
    expect(page.frame_locator("#page").get_by_text("<img src=x onerror=alert(1)>").first).to_be_visible()
    assert page.locator("main b, main img, main svg").count() == 0


def test_a_program_can_deceive_only_about_itself(page, served):
    writes(page, ESCAPE.format(address=served[0].replace("localhost", "127.0.0.1")))
    solves(page)
    page.wait_for_timeout(1000)  # what is refused has no effect to wait for
    assert not [path for path in served[1] if "stolen" in path]
    assert page.locator("#printed").text_content() == ""
    assert page.title() == "Try it – efg_builder"
    assert page.url.startswith(served[0])
    assert page.locator("#title b").count() == 0
    assert not page.locator("#proved").text_content().startswith("✓")
    expect(page.locator("#script")).to_contain_text("A program can deceive a check in its own Python")
    assert set(page.wrong) == {"Failed to fetch"}  # what it wanted to send
    page.wrong.clear()
    page.get_by_role("tab", name="Choose a game").click()
    page.locator("#name").select_option("kuhn")
    solves(page)
    expect(page.locator("#proved")).to_have_text("✓ Proved: the value to Player 1 is -1/18 (exact)")
    expect(page.locator("#script")).not_to_contain_text("deceive")


def test_a_stop_while_python_is_loaded_and_a_link_while_a_game_is_solved(page, served):
    page.locator("#solve").click()
    page.locator("#stop").click()
    expect(page.locator("#solve")).to_be_enabled()
    expect(page.locator("#answer")).to_be_hidden()
    writes(page, "while True:\n    pass\n")
    page.locator("#solve").click()
    expect(page.locator("#progress")).to_have_text("Solving …", timeout=PATIENCE)
    page.goto(f"{served[0]}#game=kuhn&cards=4")
    expect(page.locator("#proved")).to_contain_text("-1/24", timeout=PATIENCE)
    expect(page.locator("#stop")).to_be_hidden()
    page.goto(f"{served[0]}#game=kuhn&card=5")
    expect(page.locator("#error")).to_have_text("The link sets card=5, which is no setting of kuhn.")


def test_links_carry_a_game_or_a_program(page, served):
    page.locator("#name").select_option("kuhn")
    page.locator("[name=cards]").fill("4")
    page.locator("#link").click()
    expect(page.locator("#progress")).to_have_text("The link is copied.")
    address = page.url
    assert "game=kuhn&cards=4" in address
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator("#proved")).to_contain_text("-1/24", timeout=PATIENCE)
    writes(page, LABELS)
    page.locator("#link").click()
    page.wait_for_url(re.compile("#class="))
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator("#foreign")).to_be_visible()
    assert page.locator("#program").input_value() == LABELS
    expect(page.locator("#progress")).to_have_text("Python is ready.", timeout=PATIENCE)
    expect(page.locator("#answer")).to_be_hidden()  # until the click
    page.get_by_role("button", name="Run this program").click()
    expect(page.locator("#title")).to_have_text("Labels", timeout=PATIENCE)


def test_a_file_is_dropped_or_pasted(page, tmp_path):
    page.get_by_role("tab", name="Open a file").click()
    page.locator("#open").set_input_files(eb.build("kuhn").write(tmp_path / "kuhn.efg"))
    solves(page)
    expect(page.locator("#proved")).to_contain_text("-1/18")
    page.locator("#text").fill("kuhn")
    solves(page)
    expect(page.locator("#error")).to_contain_text("this is no .efg or .nfg file")
    page.locator("#text").fill("EFG 2 R oops")
    solves(page)
    expect(page.locator("#error")).to_contain_text("line 1")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible_and_fits_a_phone(page, axe, scheme):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 390, "height": 844})
    solves(page)
    for tab in ("Choose a game", "Write one", "Open a file"):
        page.get_by_role("tab", name=tab).click()
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        assert [each for each in axe(page) if "frame" not in each[0]] == []


def test_it_opens_without_a_net_after_the_first_visit(browser, served):
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(served[0])
    solves(page)
    page.goto("about:blank")
    served[2]()  # the server does not answer any more
    page.goto(served[0])
    page.locator("#name").select_option("dice-poker")
    solves(page)
    expect(page.locator("#proved")).to_contain_text("5/54")
    context.close()
