"""Shortest ways, against the same question asked of networkx."""

from __future__ import annotations

from itertools import pairwise

import networkx
from hypothesis import given
from hypothesis import strategies as st

from fsm.coverage.shortest import shortest_ways

STATES = st.sampled_from("abcdef")


@given(st.lists(st.tuples(STATES, STATES), max_size=14))
def test_ways_are_as_long_as_those_of_networkx_and_go_along_edges(
    edges: list[tuple[str, str]],
) -> None:
    net = networkx.DiGraph(edges)
    net.add_node("a")
    found = shortest_ways(edges, "a")
    lengths = networkx.single_source_shortest_path_length(net, "a")
    assert {state: len(way) - 1 for state, way in found.items()} == lengths
    for state, way in found.items():
        assert (way[0], way[-1]) == ("a", state)
        assert set(pairwise(way)) <= set(edges)


def test_the_edge_that_comes_first_decides_between_equal_ways() -> None:
    edges = [("a", "b"), ("a", "c"), ("c", "d"), ("b", "d")]
    assert shortest_ways(edges, "a")["d"] == ["a", "b", "d"]
