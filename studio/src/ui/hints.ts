/** The first minute: three things to try, or how to begin an empty scene. Gone for good once dismissed or done. */
import { isDeserted } from "../edits/groups.ts";
import { recall, remember } from "../model/remembered.ts";
import type { Studio } from "../studio.ts";
import { button, fill, h } from "./dom.ts";
import { addGroup } from "./groups-panel.ts";

const THINGS = [
  { name: "arrow", text: "Draw an arrow", how: "press A, then drag over the ground" },
  { name: "person", text: "Click a person", how: "see where they go, and why" },
  { name: "wall", text: "Add a wall", how: "press W, click twice, then Enter" },
];

export function hints(studio: Studio): HTMLElement {
  const card = h("aside", { class: "hints panel", hidden: true, attributes: { "aria-label": "Things to try" } });
  let dismissed = recall("hints") === "done";
  const dismiss = () => {
    dismissed = true;
    remember("hints", "done");
    render();
  };
  const close = () => button({ icon: "close", title: "Do not show again", class: "small", press: dismiss });
  const render = () => {
    const scene = studio.scene.value;
    const empty = scene?.kind === "live" && scene.groups.every((group) => isDeserted(scene.document, group.name));
    card.hidden = !scene || scene.kind === "replay" || (!empty && dismissed);
    if (card.hidden || !scene) return;
    if (empty) {
      const add = button({ icon: "plus", text: "Add a group", title: "Add a group", class: "primary", press: (b) => void addGroup(studio, b) });
      const begun = scene.groups.length > 0;
      fill(
        card,
        h("h2", {}, "An empty square"),
        h(
          "ol",
          {},
          h("li", { class: begun ? "done" : "" }, "Add a group"),
          h("li", {}, "Paint people: drag over the ground"),
          h("li", {}, "Draw where they go: arrows (A) or a goal (G)"),
        ),
        begun ? "" : add,
      );
      return;
    }
    const done = studio.done.value;
    fill(
      card,
      h("header", {}, h("h2", {}, "Three things to try"), close()),
      h(
        "ul",
        {},
        ...THINGS.map((thing) =>
          h("li", { class: done.has(thing.name) ? "done" : "" }, h("b", {}, thing.text), h("span", {}, thing.how)),
        ),
      ),
    );
    if (THINGS.every((thing) => done.has(thing.name))) setTimeout(dismiss, 1500);
  };
  studio.scene.watch(render);
  studio.done.onChange(render);
  return card;
}
