"""Driving a game with asyncio: hosts whose methods may be coroutines."""

from fsm.embedding.aio import AutoPass, BaseHost, StackHost, TimeLimit, ask, drive

__all__ = ["AutoPass", "BaseHost", "StackHost", "TimeLimit", "ask", "drive"]
