"""A library of games with proved values, for people who write solvers.

``instances`` is the list of games, ``making`` makes one of them or all, ``index`` describes what is there, and
``checking`` proves all certificates with the stand-alone checkers.
"""
