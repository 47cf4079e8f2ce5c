"""The forms of a game that the field knows: extensive form, public tree, sequence form, normal form; and sizes."""
