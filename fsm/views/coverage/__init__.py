"""Coverage as a page and as pictures."""
