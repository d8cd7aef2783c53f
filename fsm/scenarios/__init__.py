"""The parts of the scenario format: its vocabulary, its schema, how a file is read and checked.

`fsm.scenario` is the front door; nothing outside this package needs to import from here.
"""
