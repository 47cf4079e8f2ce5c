"""Pictures that are not trees, by matplotlib: what a matrix pays, and what players do as they get surer."""
