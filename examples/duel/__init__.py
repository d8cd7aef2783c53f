"""A small card game in the terminal, on a turn of its own."""
