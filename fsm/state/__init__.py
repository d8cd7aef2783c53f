"""What a run remembers: the agenda, the calendar, orders and how they are scheduled, the set-up of
a game.
"""
