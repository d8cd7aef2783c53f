"""The modules that other programs load by name: the console scripts, and whatever must work beside
another `fsm`.

The name `fsm` is short, and other distributions and projects use it, too. This one is ours alone.
"""
