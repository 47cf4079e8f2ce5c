"""``python -m efg_builder`` is ``efg-builder``."""

from .cli import main

if __name__ == "__main__":
    main()
