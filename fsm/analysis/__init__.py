"""Analysis of a Model before it is played: checks, feasibility, and model checking."""
