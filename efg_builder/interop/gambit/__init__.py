"""Gambit at arm's length: ``.efg`` text goes in, plain lists come out.

``gambit.adapter`` alone imports pygambit; ``gambit.worker`` runs it in a process of its own, because its
routines hold the interpreter for as long as they compute, know no time limit, ignore Ctrl-C, and may
crash; ``gambit.child`` starts, watches and ends that process. What the lists mean on a tree of this package
is the business of those who ask.
"""
