"""Zero intelligence: a rule of thumb that counts its own dice, and the mathematics around it.

After mu-zhao, "Zero Intelligence" (wiki of the repository Liars_dice), whose slips are corrected here; the docstrings
name them, and docs/zero-intelligence.md has the derivations.

- ``zero_intelligence.beliefs``: how many unseen dice count: z-score and chances, exact or by normals.
- ``zero_intelligence.table``: the same for a seat of a game of Liar's Dice, and the payoff of a raise there.
- ``zero_intelligence.level``: at which level to call: the indifference equation, and the readings of its solution.
- ``zero_intelligence.worst_case``: the race against players who know the level and pool their dice.
- ``zero_intelligence.robust``: the level that does best there.

The last three speak of normal variables in place of dice, as the text does, and need scipy.
"""
