"""The ground floor: errors, files, exact numbers as text, the registry, names, and what the machine has."""
