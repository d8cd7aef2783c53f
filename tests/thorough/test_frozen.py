"""Texts that users see or keep are as they were; see `support.frozen` for how to change one on purpose."""

from __future__ import annotations

import pytest

from support.folders import ROOT
from support.frozen import digests, kept


def test_nothing_that_users_see_or_keep_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    now, before = digests(), kept()
    changed = sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
    assert changed == [], "if this is meant: cd tests; python -m support.frozen"
