"""How a program of yours drives the controller: hosts, asyncio, stops, history, saving, the wire format."""
