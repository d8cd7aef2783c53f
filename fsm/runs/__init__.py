"""What can be read off a run: its turns, its visits of steps, the transitions it took, its timeline as data."""
