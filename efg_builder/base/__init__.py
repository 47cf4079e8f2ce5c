"""Shared utilities: errors, files, exact numbers as text, the registry, wording, and the machine's memory and cores."""
