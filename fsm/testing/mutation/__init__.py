"""Mutation runs for machines of the `transitions` library: would your tests notice a change?

Every small change of a machine is tried against the user's own tests: see
`fsm.testing.mutation.mutants`.
"""
