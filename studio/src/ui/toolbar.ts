/** The tools, at the left. */
import type { Studio, ToolName } from "../studio.ts";
import { button, h } from "./dom.ts";
import type { IconName } from "./icons.ts";

export interface ToolEntry {
  name: ToolName;
  title: string;
  key: string;
  /** Begins a new block of the bar. */
  block?: boolean;
  /** Also for recordings, which cannot be edited. */
  always?: boolean;
}

export const TOOLS: ToolEntry[] = [
  { name: "select", title: "Select", key: "V", always: true },
  { name: "hand", title: "Look around", key: "H", always: true },
  { name: "arrow", title: "Arrow: lead the group", key: "A", block: true },
  { name: "goal", title: "Goal: send the group", key: "G" },
  { name: "brush", title: "Paint people", key: "P", block: true },
  { name: "source", title: "Source: people appear", key: "S" },
  { name: "wall", title: "Wall, or a door in one", key: "W", block: true },
  { name: "box", title: "Box", key: "B" },
  { name: "region", title: "Region: a place with a name", key: "R" },
  { name: "interest", title: "Interest: what people look at", key: "I" },
  { name: "measure", title: "Measure: count who crosses a line", key: "Z" },
];

export function toolbar(studio: Studio): HTMLElement {
  const buttons = new Map<ToolName, HTMLButtonElement>();
  const bar = h("nav", { class: "toolbar panel", attributes: { "aria-label": "Tools", role: "toolbar" } });
  for (const tool of TOOLS) {
    if (tool.block) bar.append(h("hr"));
    const element = button({ icon: tool.name as IconName, title: tool.title, key: tool.key, press: () => studio.tool.set(tool.name) });
    element.dataset["tool"] = tool.name;
    buttons.set(tool.name, element);
    bar.append(element);
  }
  studio.tool.watch((chosen) => {
    for (const [name, element] of buttons) {
      element.classList.toggle("chosen", name === chosen);
      element.setAttribute("aria-pressed", String(name === chosen));
    }
  });
  studio.scene.watch((scene) => {
    const replay = scene?.kind === "replay";
    for (const tool of TOOLS) buttons.get(tool.name)!.disabled = replay && !tool.always;
    if (replay && !TOOLS.find((tool) => tool.name === studio.tool.value)?.always) studio.tool.set("select");
  });
  return bar;
}
