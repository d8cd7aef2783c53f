"""Driving a game with asyncio: hosts whose methods may be coroutines."""

from fsm.hosts.aio import BaseHost, StackHost, TimeLimit, drive

__all__ = ["BaseHost", "StackHost", "TimeLimit", "drive"]
