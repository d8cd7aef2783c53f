"use strict";
// Icons, drawn as lines on a grid of 20: no font is needed for them.

const ICONS = {
  undo: "M7 4 3 8l4 4M3 8h8a5 5 0 0 1 0 10H8", redo: "m13 4 4 4-4 4M17 8H9a5 5 0 0 0 0 10h3",
  next: "m8 5 5 5-5 5", back: "m12 5-5 5 5 5", down: "m5 8 5 5 5-5", close: "m5 5 10 10M15 5 5 15", plus: "M10 3v14M3 10h14", minus: "M3 10h14",
  frame: "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4", here: "M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12M10 9v2M9 10h2",
  menu: "M3 5h14M3 10h14M3 15h14", table: "M3 5h2M8 5h9M3 10h2M8 10h9M3 15h2M8 15h9",
  print: "M6 8V3h8v5M6 15H3V8h14v7h-3M6 12h8v5H6z", lock: "M4 9h12v8H4zM7 9V6a3 3 0 0 1 6 0v3",
  play: "M6 4l10 6-10 6z", pause: "M7 4v12M13 4v12", done: "m4 10 4 4 8-9", help: "M7 7a3 3 0 1 1 4 3c-1 .5-1 1-1 2M10 15.5v.5", legend: "M3 5h5v4H3zM11 7h6M3 14h5M11 14h6",
};

function icon(name, size = 17) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"), path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  const look = { viewBox: "0 0 20 20", width: size, height: size, class: "icon", "aria-hidden": "true", focusable: "false" };
  for (const [key, value] of Object.entries(look)) svg.setAttribute(key, value);
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** Give every element of the page that names an icon its icon. */
function drawIcons() {
  for (const one of document.querySelectorAll("[data-icon]")) one.prepend(icon(one.dataset.icon));
}
