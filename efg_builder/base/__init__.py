"""Shared utilities: errors, files, child processes, exact numbers, settings, registries, wording, memory and cores."""
