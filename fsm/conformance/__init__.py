"""Conformance: is a recorded game a run of the machine, and what would explain it?"""
