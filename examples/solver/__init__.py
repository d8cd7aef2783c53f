"""Can the active player win before the opponent's next turn? Answered by trying, on forks of the
turn.
"""
