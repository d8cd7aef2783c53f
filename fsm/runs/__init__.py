"""Information about a run: its turns, the steps it visited, the transitions it took, and its
timeline as data.
"""
