"""What records one kind of machine."""

from __future__ import annotations


class Instrument:
    """Records one kind of machine in this process."""

    def watch(self) -> None:
        """Begin to record."""

    def stop(self) -> None:
        """Stop recording, and restore everything."""

    def settle(self) -> None:
        """Pass on what is pending."""

    def after_fork(self) -> None:
        """Begin anew in a forked child. The parent passes on what is pending."""
