"""Driving a controller with asyncio: hosts whose methods may be coroutines."""

from fsm.embedding.aio import AutoPass, Host, TimeLimit, ask, drive

__all__ = ["AutoPass", "Host", "TimeLimit", "ask", "drive"]
