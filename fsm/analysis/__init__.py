"""What can be known of a Model before it is played: checks, what is feasible, model checking."""
