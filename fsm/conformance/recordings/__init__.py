"""Recorded games: read from files of this package or of other programs, with names translated to a
Model's.
"""
