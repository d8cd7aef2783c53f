"""How far right everything stands: lanes get their places, and columns the width they need."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.views.drawing.lanes import Lane, spread
from fsm.views.drawing.placed import text_size
from fsm.views.drawing.texts import (
    label_words,
    title_text,
)
from fsm.views.drawing.turn.ports import Ports
from fsm.views.drawing.turn.sheet import SIDE, Route


class Across(Ports):
    """How far right everything stands: lanes get their places, and columns the width they need."""

    def _lanes(self, kind: str, c: int, depth: int = 0) -> list[Lane]:
        found = []
        for route in self.routes.values():
            if route.channel != (kind, c) or (kind != "G" and self._lane_depth(route) != depth):
                continue
            if route.kind in ("out of gutter", "gutter to margin"):
                continue
            if route.kind == "border" and route.line.target in self.gutter_node.values():
                continue
            if route.kind == "margin":
                continue
            route.lane = self._lane(route)
            found.append(route.lane)
        if kind == "G":
            found += self._lone_gutter_lane(c)
        return found

    def _lane_depth(self, route: Route) -> int:
        """How deep in boxes a lane runs: in the innermost one around both its ends."""
        source, target = self.items.get(route.line.source), self.items.get(route.line.target)
        start = source.node.box if source else self.boxes[route.line.source].inside
        return self._common_depth(start, target.node.box if target else "")

    def _lane(self, route: Route) -> Lane:
        room = self.slack.room.get(route.line.id, 0.0)
        if route.kind == "into gutter":
            out = next(
                (r for r in self.routes.values() if r.kind == "out of gutter" and r.line.source == route.line.target),
                None,
            )
            return Lane(route.y1, out.y2 if out else route.y1, "left", "right", room=room)
        if route.kind == "beside gutter":
            return Lane(route.y1, self.items[route.line.target].y, "left", "right", keep_left=True, room=room)
        if route.kind == "border":
            route.y1 = self._border_y(route)
        if route.kind == "word":
            return Lane(route.y2, route.y2 + 40, "left", "right", room=room)
        if route.line.source == route.line.target:
            item = self.items[route.line.source]
            route.y1, route.y2 = item.y + item.height / 2 - 7, item.y - item.height / 2 + 7
        return Lane(route.y1, route.y2, route.side1, route.side2, room=room)

    def _lone_gutter_lane(self, c: int) -> list[Lane]:
        """A diamond in a gutter whose way in is missing still needs its place."""
        node = self.gutter_node.get(c - 1)
        if node is None or any(r.kind == "into gutter" and r.line.target == node for r in self.routes.values()):
            return []
        out = next((r for r in self.routes.values() if r.kind == "out of gutter" and r.line.source == node), None)
        y = self.items[node].y
        lane = Lane(y, out.y2 if out else y, "right", "right")
        self.lone[node] = lane
        return [lane]

    def _border_y(self, route: Route) -> float:
        top, bottom = self.box_span[route.line.source]
        taken = [y for r in self.routes.values() for y in (r.y1, r.y2) if r is not route]
        ideal = (top + bottom) / 2 + 20
        tries = sorted(
            (top + 16 + i * 6 for i in range(int(max(1, (bottom - top - 32) / 6)))), key=lambda y: abs(y - ideal)
        )
        return next((y for y in tries if all(abs(y - t) > 9 for t in taken)), ideal)

    def _across(self) -> None:
        x = 0.0
        for c in range(len(self.columns)):
            x = self._gutter_across(c, x)
            x = self._column_across(c, x)
        self.edge = self._gutter_across(self.last + 1, x)
        for item in self.items.values():
            if item.node.id not in self.gutter_node.values():
                item.x = self.cross[item.column] if item.cross else self.spine[item.column]

    def _gutter_across(self, c: int, x: float) -> float:
        lanes = self._lanes("G", c)
        pad = 13.0
        end = spread(lanes, x + pad + self.slack.gutter.get(c, 0.0)) if lanes else x
        node = self.gutter_node.get(c - 1)
        if node is not None:
            route = next((r for r in self.routes.values() if r.kind == "into gutter" and r.line.target == node), None)
            lane = route.lane if route else self.lone.get(node)
            self.items[node].x = lane.x if lane else x + pad
        if c == 0:
            return end + (pad if lanes else 0.0)
        if c > self.last:
            return end + (8 if lanes else 0.0)
        return max(end + 15, x + 40 + self.slack.gutter.get(c, 0.0))

    def _column_across(self, c: int, x: float) -> float:
        boxes = [box for u in self.columns[c] for box in (u.box, *u.inner) if box]
        reach = self._reach(c, [self._depth(box.id) for box in boxes])
        card_left = x + reach[0][0]
        card_right = card_left + self.widths[c]
        for depth, (left, right) in enumerate(reach):
            self.sides[c, depth] = card_left - left, card_right + right
            for lane in self._placed_lanes["L", c, depth]:
                lane.x = card_left - lane.x
            for lane in self._placed_lanes["R", c, depth]:
                lane.x += card_right
        ends = [self.sides[c, self._depth(b.id)][0] + 14 + text_size(title_text(b))[0] for b in boxes]
        self.left.append(x)
        self.right.append(max([self.sides[c, 0][1], *(end + 10 for end in ends)]))
        self.spine.append((card_left + card_right) / 2)
        free = max((end + 9 for end in ends), default=0.0)
        self.cross.append(min(max(self.spine[c] + 30, free), card_right - 12) if boxes else self.spine[c])
        return self.right[c]

    def _reach(self, c: int, depths: Sequence[int]) -> list[tuple[float, float]]:
        """How far the borders at each depth stand left and right of the cards, with lanes in between."""
        margin = SIDE if depths else 0.0
        left = right = 0.0
        found: list[tuple[float, float]] = []
        for depth in range(max(depths, default=0), -1, -1):
            lefts, rights = self._lanes("L", c, depth), self._lanes("R", c, depth)
            self._placed_lanes["L", c, depth], self._placed_lanes["R", c, depth] = lefts, rights
            clear = self._clear_of_labels(c, rights, self.widths[c])
            left = max(left + margin, spread(lefts, left + 10) + 12 if lefts else 0.0)
            right = max(right + margin, spread(rights, max(right + 12, clear)) + SIDE if rights else 0.0)
            found.insert(0, (left, right))
        return found

    def _clear_of_labels(self, c: int, lanes: Sequence[Lane], width: float) -> float:
        """How far right of the cards the first lane runs, to miss the labels between the cards."""
        needed = 14.0
        for route in self.routes.values():
            if route.kind != "straight" or not route.line.words:
                continue
            a, b = self.items[route.line.source], self.items[route.line.target]
            if a.column == c and any(lane.top < b.y and lane.bottom > a.y for lane in lanes):
                needed = max(needed, 7 + text_size(label_words(route.line))[0] + 8 - width / 2)
        return needed
