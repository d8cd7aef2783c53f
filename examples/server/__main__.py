"""python -m server PORT FOLDER: serves games. With port 0, it takes any that is free."""

import asyncio
import sys
from pathlib import Path

from .server import Server

if __name__ == "__main__":
    asyncio.run(Server(Path(sys.argv[2])).serve(int(sys.argv[1])))
