"""Everything that is seen: trees, plots, pages, reports and notebooks."""
