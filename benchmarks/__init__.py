"""What this package costs, against hand-written code and against other state machine libraries.

`benchmarks.bars` lists the bars and runs them; each bar's own module says what it measures and how.
"""
