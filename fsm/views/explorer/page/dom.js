"use strict";
// The data of the page, and helpers to make and change what it shows. No string becomes markup.

const PAGE = JSON.parse(document.getElementById("data").textContent);

/** A model's JSON, whose lists of parts stand in the page as tables. */
function unpacked(model) {
  const table = ([keys, ...rows]) => rows.map((row) => Object.fromEntries(row.map((value, i) => [keys[i], value]).filter(([, value]) => value !== null)));
  const parts = Object.entries(model).map(([name, value]) => [name, Array.isArray(value) ? table(value) : value]);
  return { ...Object.fromEntries(parts), window: model.window && unpacked(model.window) };
}

/** New contents for an element; who had the keyboard's focus keeps it, by data-key. */
function fill(holder, ...children) {
  const active = document.activeElement, inside = holder.contains(active) && active !== holder;
  const key = inside ? active.dataset.key : "";
  holder.replaceChildren(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== ""));
  if (!inside) return;
  const again = [...holder.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key && !one.disabled);
  const target = again || holder.querySelector("button:not(:disabled),a,summary,select,input") || holder;
  target.focus({ preventScroll: true });
}

function option(value, text, chosen = false) {
  return el("option", { value, selected: chosen }, text);
}

/** A citation. */
function citation(rule) {
  return rule ? el("span", { class: "rule" }, plain(rule)) : null;
}

const byId = (id) => document.getElementById(id);

function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}
