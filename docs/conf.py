"""Settings of the site: ``sphinx-build -W -b html docs build/site``, with the extra ``docs`` and without a network."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE / "_ext")]

from efg_builder.base.version import __version__  # noqa: E402 - found by the line above

project = "efg_builder"
author = "The efg_builder authors"
release = version = __version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
    "atlas_of_the_site",
    "cards",
    "dark_pictures",
    "live_pages",
    "made_pages",
    "moved_pages",
    "repository_links",
    "site_head",
]
exclude_patterns = [
    *("_ext", "_templates", "certificates", "matches", "players", "games", "neural", "try"),
    "zero-intelligence",
]

# The build writes pages with the ending .myst; tests read all .md as pages of the repository.
source_suffix = {".rst": "restructuredtext", ".md": "myst-nb", ".ipynb": "myst-nb", ".myst": "myst-nb"}

# Headings have the anchors that code hosts give them.
myst_heading_anchors = 4
# Notebooks have their output; tests run them.
nb_execution_mode = "off"

napoleon_google_docstring = False
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
add_module_names = False
python_maximum_signature_line_length = 70
toc_object_entries_show_parents = "hide"

html_theme = "furo"
# The sidebar shows it on every page, below the logo.
html_title = f"efg_builder {release}"
html_favicon = "_static/favicon.svg"
html_static_path = ["_static"]
templates_path = ["_templates"]
html_js_files = ["site.js"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
# Smart quotes would make a dash of "--".
smartquotes = False

# Blocks to type or save have a copy button; outputs have none. Prompts and shell comments are not copied: zsh takes
# the words of a comment for arguments.
copybutton_selector = (
    ", ".join(
        f"div.highlight-{language} pre"
        for language in ("sh", "bash", "python", "default", "csv", "json", "toml", "bibtex")
    )
    + ", .cell_input pre"
)
copybutton_exclude = ".linenos, .gp, .go, .c1-Shell"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

# The address of the repository, such as https://HOST/OWNER/NAME. With it, pages have edit links, and links to folders
# and to the repository.
repository = os.environ.get("DOCS_REPOSITORY", "").rstrip("/")
branch = os.environ.get("DOCS_BRANCH", "main")
# ``_templates/page.html`` has the words of the announcement, the line in the head of each page.
html_theme_options = {"light_logo": "logo.svg", "dark_logo": "logo-dark.svg", "announcement": "try"}
if repository:
    html_theme_options |= {
        "source_edit_link": f"{repository}/edit/{branch}/docs/{{filename}}",
        "source_view_link": f"{repository}/blob/{branch}/docs/{{filename}}",
    }
