"""A server of games over TCP: reconnects, undo by consent, time limits, spectators, recovery."""
