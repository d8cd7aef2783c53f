"""A table for two in the browser: asyncio, WebSocket, SQLite; the server may die at any moment."""
