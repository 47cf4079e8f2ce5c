"""A data set of games with proved values: what each row says of its game, and the proof of all rows.

``instance`` rebuilds the game that a row names, ``index`` writes the row and the files that describe all rows, and
``proving`` holds a folder against both. ``benchmarks/library.py`` makes the folder.
"""
