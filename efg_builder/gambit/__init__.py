"""Gambit at arm's length: ``.efg`` text goes in, plain lists come out.

:mod:`.adapter` alone imports pygambit; :mod:`.worker` runs it in a process of its own, because its
routines hold the interpreter for as long as they compute, know no time limit, ignore Ctrl-C, and may
crash; :mod:`.child` starts, watches and ends that process. What the lists mean on a tree of this package
is the business of those who ask.
"""
