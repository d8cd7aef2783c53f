"""The views of one phase or one step: a row for each step, its stages in columns, choices between
them.
"""
