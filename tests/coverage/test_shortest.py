"""Shortest ways, against the lengths that relaxing every edge again and again finds."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from fsm.coverage.shortest import shortest_ways

STATES = st.sampled_from("abcdef")


@given(st.lists(st.tuples(STATES, STATES), max_size=14))
def test_ways_are_as_short_as_can_be_and_go_along_edges(
    edges: list[tuple[str, str]],
) -> None:
    found, lengths = shortest_ways(edges, "a"), {"a": 0}
    for _ in range(6):
        for at, to in edges:
            if at in lengths:
                lengths[to] = min(lengths.get(to, 99), lengths[at] + 1)
    assert {state: len(way) - 1 for state, way in found.items()} == lengths
    for state, way in found.items():
        assert (way[0], way[-1]) == ("a", state)
        assert set(pairwise(way)) <= set(edges)


def test_the_edge_that_comes_first_decides_between_equal_ways() -> None:
    edges = [("a", "b"), ("a", "c"), ("c", "d"), ("b", "d")]
    assert shortest_ways(edges, "a")["d"] == ["a", "b", "d"]
