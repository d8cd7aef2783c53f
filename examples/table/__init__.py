"""A table for two in the browser: asyncio and WebSocket; the server may die at any moment."""
