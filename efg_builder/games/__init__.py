"""The games: the rules of each, and the catalogue that finds them."""
