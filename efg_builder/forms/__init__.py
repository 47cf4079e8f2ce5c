"""The forms of a game: extensive form, public tree, sequence form and normal form."""
