"""What happened in a run: its turns, the steps that it visited, and its timeline as text."""
