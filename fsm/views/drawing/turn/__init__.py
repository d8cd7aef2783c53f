"""The layout of the turn at a glance, stage by stage: each module decides one thing and stands on
the one before.
"""
