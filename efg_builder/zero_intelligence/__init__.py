"""Zero intelligence: a rule of thumb that counts its own dice, and the mathematics around it.

After mu-zhao, "Zero Intelligence" (wiki of the repository Liars_dice), whose slips are corrected here; the docstrings
name them, and docs/zero-intelligence.md has the derivations.

- :mod:`.beliefs`: how many unseen dice count: mean, standard deviation, z-score, chances, exact or by normals.
- :mod:`.payoff`: the next player in a parsimonious model, and the payoff of a raise.
- :mod:`.table`: both for a seat of a game of Liar's Dice.
- :mod:`.level`: at which level to call: the indifference equation, and the readings of its solution.
- :mod:`.worst_case`: the race against players who know the level and pool their dice.
- :mod:`.robust`: the level that does best there, in three ways.

The last three speak of normal variables in place of dice, as the text does, and need scipy.
"""
