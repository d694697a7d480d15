/** Says how many people are on floors that are not drawn, and shows them. */
import "../floors.css";
import { people } from "../model/words.ts";
import type { Studio } from "../studio.ts";
import { h } from "./dom.ts";

export function hiddenPeopleNote(studio: Studio): HTMLElement {
  const words = h("span", {});
  const show = h("button", { class: "link", attributes: { type: "button" } }, "Show all floors");
  show.addEventListener("click", () => studio.floor.set(null));
  const note = h("div", { class: "floor-note panel", hidden: true, attributes: { role: "status" } }, words, show);
  studio.hiddenPeople.watch((count) => {
    note.hidden = count === 0;
    words.textContent = `${people(count)} on hidden floors`;
  });
  return note;
}
