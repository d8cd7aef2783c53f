"""Recorded games of other programs, whoever wrote them: read, named in a Model's words, and followed."""
