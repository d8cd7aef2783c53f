"""Driving a game with asyncio: hosts whose methods may be coroutines."""

from fsm.hosts.aio import TimeLimit, drive

__all__ = ["TimeLimit", "drive"]
