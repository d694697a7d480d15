/** The keyboard's cursor on the ground, and its coordinates, which can be typed. */
import type { KeyboardCursor } from "../tools/cursor.ts";
import type { Studio } from "../studio.ts";
import type { World } from "../view/world.ts";
import { h } from "./dom.ts";

export function cursorPanel(studio: Studio, world: World, cursor: KeyboardCursor, isDrag: () => boolean): HTMLElement {
  const field = (name: string) => h("input", { type: "number", step: "any", required: true, attributes: { "aria-label": `${name}, metres` } });
  const [x, y] = [field("x"), field("y")];
  const next = h("p", { class: "note", attributes: { role: "status" } });
  const set = h("button", { type: "submit", class: "button primary" }, "Set");
  const coordinate = (name: string, input: HTMLElement) => h("label", {}, h("span", {}, name), input, h("em", {}, "m"));
  const form = h("form", { class: "coordinates" }, coordinate("x", x), coordinate("y", y), set);
  const panel = h("aside", { class: "cursor-panel panel", hidden: true, attributes: { "aria-label": "Keyboard cursor" } }, h("h2", {}, "Keyboard cursor"), form, next);
  const mark = h("div", { class: "cursor-mark", hidden: true });
  document.getElementById("labels")!.append(mark);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    cursor.moveTo([Number(x.value), Number(y.value)]);
    cursor.press();
    x.focus();
    x.select();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    (event.target as HTMLElement).blur();
  });
  cursor.onType = () => {
    x.focus();
    x.select();
  };

  const update = () => {
    const at = cursor.at.value;
    panel.hidden = mark.hidden = at === null;
    if (!at) return;
    for (const [input, value] of [[x, at[0]], [y, at[1]]] as const) if (document.activeElement !== input) input.value = String(value);
    next.textContent = cursor.isPressed.value
      ? "Arrow keys draw, Enter ends it here"
      : isDrag()
        ? "Arrow keys move, Enter begins here"
        : "Arrow keys move, Enter sets a point here; a wall or polygon ends where Enter is pressed twice";
  };
  for (const source of [cursor.at, cursor.isPressed, studio.tool, studio.options]) source.watch(update);
  world.stage.onRendered(() => {
    if (!cursor.at.value) return;
    const { x: left, y: top, visible } = world.project(...cursor.at.value, cursor.layer, 0);
    mark.hidden = !visible;
    mark.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
  });
  return panel;
}
