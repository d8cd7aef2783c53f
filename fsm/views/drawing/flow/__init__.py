"""Pictures of small flat models: the longest way straight down, what branches off at the left, ways
back in lanes.
"""
