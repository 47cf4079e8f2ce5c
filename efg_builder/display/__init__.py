"""Visual output: trees, plots, pages, reports and notebook displays."""
