"""Driving a game with asyncio: hosts whose methods may be coroutines."""

from fsm.hosts.aio import AutoPass, BaseHost, StackHost, TimeLimit, ask, drive

__all__ = ["AutoPass", "BaseHost", "StackHost", "TimeLimit", "ask", "drive"]
