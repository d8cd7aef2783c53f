"""What can be reached by going on from some things."""

from __future__ import annotations

from fsm.model.reachability import reachable_from

LEADS = {"a": "bc", "b": "d", "c": "db", "d": "a", "e": "a"}


def test_everything_that_follows_is_reached_the_nearest_first() -> None:
    assert list(reachable_from("a", LEADS.__getitem__)) == ["a", "b", "c", "d"]


def test_the_start_is_reached_and_nothing_else_where_nothing_follows() -> None:
    assert reachable_from("da", lambda _: "") == {"d", "a"}
    assert not reachable_from("", LEADS.__getitem__)
