"""Many games in PostgreSQL, answered by any number of worker processes, of which each may die at
any moment.
"""
