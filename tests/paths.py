"""Where the tests find what is no code: the repository, its documents, and what stands beside the tests."""

from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent
DOCS = ROOT / "docs"
