"""Where on the side of a card each line leaves or arrives: lines up above lines down."""

from __future__ import annotations

from fsm.views.drawing.lanes import Side
from fsm.views.drawing.turn.down import Down
from fsm.views.drawing.turn.sheet import Item, Route


class Ports(Down):
    """Where on the side of a card each line leaves or arrives: lines up above lines down."""

    def _ports(self) -> None:
        ports: dict[tuple[str, Side], list[tuple[Route, int]]] = {}
        for route in self.routes.values():
            for end, node, side in (
                (1, route.line.source, self._leaves(route)),
                (2, route.line.target, self._arrives(route)),
            ):
                if side and node in self.items:
                    ports.setdefault((node, side), []).append((route, end))
        for (node, _), ends in ports.items():
            self._spread_ports(self.items[node], ends)
        for route in self.routes.values():
            self._gutter_y(route, {key for key, ends in ports.items() if len(ends) == 1})

    def _leaves(self, route: Route) -> Side | None:
        if route.kind in ("lane", "margin", "into gutter", "beside gutter"):
            return "left" if route.channel[0] == "L" else "right"
        return "right" if route.kind == "connector" and self.items[route.line.source].node.kind == "card" else None

    def _arrives(self, route: Route) -> Side | None:
        if route.kind in ("lane", "out of gutter", "border"):
            return "left" if route.side2 == "right" else "right"
        return "right" if route.kind == "word" else None

    def _spread_ports(self, item: Item, ends: list[tuple[Route, int]]) -> None:
        if item.node.kind != "card":
            leaves = any(end == 1 for _, end in ends)
            for route, end in ends:
                self._set_y(route, end, self._above(item) if leaves and end == 2 else item.y)
            return
        ends.sort(key=lambda pair: self._port_key(item, *pair))
        pitch = min(15.0, (item.height - 14) / max(1, len(ends) - 1)) if len(ends) > 1 else 0.0
        for i, (route, end) in enumerate(ends):
            self._set_y(route, end, item.y + (i - (len(ends) - 1) / 2) * pitch)

    def _above(self, item: Item) -> float:
        """Where a line joins the one that comes down to a diamond, so as not to run along one that leaves it."""
        down = any(r.kind == "straight" and r.line.target == item.node.id for r in self.routes.values())
        return item.y - item.height / 2 - 7 if down else item.y

    def _port_key(self, item: Item, route: Route, end: int) -> tuple[float, float]:
        if route.line.source == route.line.target:
            return (1.5, float(end))
        if route.kind == "margin":  # the plain way out lies lowest, as its disc does
            return (1.2, float(route.line.words in ((), ("else",))))
        if route.kind == "word":
            return (2.5, 0.0)
        other = self._other_y(route, end)
        return (1.0 if other < item.y else 2.0, -other)

    def _other_y(self, route: Route, end: int) -> float:
        other = route.line.target if end == 1 else route.line.source
        if other in self.gutter_node.values():
            out = next((o for o in self.diagram.lines if o.source == other and o.target in self.items), None)
            into = next((o for o in self.diagram.lines if o.target == other and o.source in self.items), None)
            back = (into.source if into else "") if end == 2 else (out.target if out else "")
            return self.items[back].y if back in self.items else 0.0
        if other in self.items:
            return self.items[other].y
        if other in self.box_span:
            return sum(self.box_span[other]) / 2
        return 1e4

    def _within(self, card: str, y: float) -> bool:
        item = self.items[card]
        return item.node.kind == "card" and abs(y - item.y) < item.height / 2 - 8

    def _set_y(self, route: Route, end: int, y: float) -> None:
        if end == 1:
            route.y1 = y
        else:
            route.y2 = y

    def _gutter_y(self, route: Route, alone: set[tuple[str, Side]]) -> None:
        """A diamond in a gutter stands half way between where its line comes from and goes to.

        A line that is alone on its side of a card starts or ends at the height of the other end, if it can.
        """
        if route.kind not in ("into gutter", "out of gutter", "gutter to margin"):
            return
        node = route.line.target if route.kind == "into gutter" else route.line.source
        into = next((r for r in self.routes.values() if r.kind == "into gutter" and r.line.target == node), None)
        out = next((r for r in self.routes.values() if r.kind == "out of gutter" and r.line.source == node), None)
        if into and out and (into.line.source, "right") in alone and self._within(into.line.source, out.y2):
            into.y1 = out.y2
        elif into and out and (out.line.target, "left") in alone and self._within(out.line.target, into.y1):
            out.y2 = into.y1
        ys = [r_y for r_y in (into.y1 if into else None, out.y2 if out else None) if r_y is not None]
        above = self.order[self.items[node].column]
        self.items[node].y = sum(ys) / len(ys) if ys else (above[-1].y if above else 20.0)
