"""Random walks of the search for paths."""

from fsm.testing.fuzzing.weights import Weights

__all__ = ["Weights"]
