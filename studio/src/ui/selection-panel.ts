/** What is selected: a person, people, an arrow, an obstacle, a region, something to look at; or what the tool is about to make. */
import { leaveAt } from "../edits/groups.ts";
import { renameRegion, setObstacleHeight } from "../edits/places.ts";
import { indexOf } from "../frame.ts";
import { companionsInWords, gazeInWords, groundInWords, metresPerSecond, millimetres, people, stanceInWords, statusInWords, traitsInWords } from "../model/words.ts";
import type { BodyState, Inspection, SceneEvent } from "../protocol.ts";
import type { Selection, Studio, ToolOptions } from "../studio.ts";
import { button, choice, fill, h, nameInput, numberField } from "./dom.ts";
import { hoursContent } from "./hours-panel.ts";
import { interestContent } from "./interest-panel.ts";
import { measurementsContent } from "./measure-panel.ts";
import { reachContent } from "./reach-panel.ts";

export function selectionPanel(studio: Studio, remove: () => void): HTMLElement {
  const section = h("section", { class: "panel-section selection", attributes: { "aria-label": "Selection" } });
  let shown = "";
  const render = () => {
    const selection = studio.selection.value;
    const scene = studio.scene.value;
    if (!scene) return;
    const key = JSON.stringify([
      selection && { ...selection, ids: selection.kind === "people" ? [...selection.ids] : undefined },
      selection?.kind === "people" ? [...scene.groups.map((group) => group.name), title(studio, scene, [...selection.ids])] : selection ? scene.revision : studio.tool.value,
      selection ? null : [studio.options.value.regionShape, studio.options.value.wallPart],
      selection || studio.tool.value !== "measure" ? null : scene.document["measurements"],
      studio.sending.value,
      studio.following.value,
      studio.groupName.value,
    ]);
    if (key === shown || (section.contains(document.activeElement) && document.activeElement?.matches("input[type=text]"))) return;
    shown = key;
    const content = selection ? selectionContent(studio, scene, selection, remove) : toolContent(studio);
    section.hidden = content.length === 0;
    fill(section, ...content);
  };
  for (const source of [studio.selection, studio.scene, studio.tool, studio.options, studio.sending, studio.following, studio.groupName]) {
    source.onChange(render);
  }
  render();
  return section;
}

function selectionContent(studio: Studio, scene: SceneEvent, selection: NonNullable<Selection>, remove: () => void): Node[] {
  const deletion = (what: string) => button({ icon: "trash", text: "Remove", title: `Remove ${what}`, key: "Delete", press: remove });
  const header = (title: string) =>
    h("header", {}, h("h2", {}, title), button({ icon: "close", title: "Select nothing", key: "Esc", class: "small", press: () => studio.selection.set(null) }));
  switch (selection.kind) {
    case "people":
      return peopleContent(studio, scene, [...selection.ids], header, deletion);
    case "arrow": {
      const anchor = scene.fields.find((field) => field.name === selection.field)?.anchors.find((other) => other.index === selection.index);
      if (!anchor) return [];
      const heading = ((Math.atan2(anchor.velocity[1], anchor.velocity[0]) * 180) / Math.PI + 360) % 360;
      return [
        header(anchor.name ? `Arrow “${anchor.name}”` : "Arrow"),
        facts([
          ["Field", selection.field],
          ["Leads at", metresPerSecond(Math.hypot(...anchor.velocity))],
          ["Direction", `${heading.toFixed(0)}°`],
          ["At", `${anchor.at[0].toFixed(2)}, ${anchor.at[1].toFixed(2)}`],
        ]),
        anchor.residual > 0.05
          ? h("p", { class: "note warning" }, `The field misses this arrow by ${anchor.residual.toFixed(2)} m/s: it contradicts its neighbours.`)
          : h("p", { class: "note" }, "Drag its tail, its head or the circle of its reach, or use the arrow keys."),
        ...reachContent(studio, scene, selection.field, anchor),
        h("div", { class: "actions" }, deletion("this arrow")),
      ];
    }
    case "obstacle": {
      const obstacle = scene.obstacles.find((other) => other.index === selection.index);
      if (!obstacle) return [];
      const height = numberField({
        label: "Height",
        unit: "m",
        min: 0.1,
        max: 500,
        step: 0.1,
        value: obstacle.height,
        commit: (value, field) => void studio.edit(setObstacleHeight(selection.index, value), field),
      });
      return [header(obstacle.name || "Obstacle"), height.element, ...hoursContent(studio, scene, selection.index), h("div", { class: "actions" }, deletion("this obstacle"))];
    }
    case "region":
      return regionContent(studio, scene, selection.name, header, deletion);
    case "interest":
      return interestContent(studio, scene, selection.name, header, deletion);
  }
}

function peopleContent(
  studio: Studio,
  scene: SceneEvent,
  ids: number[],
  header: (title: string) => HTMLElement,
  deletion: (what: string) => HTMLElement,
): Node[] {
  const single = ids.length === 1;
  const actions: Node[] = [];
  if (single) {
    const following = studio.following.value === ids[0];
    const follow = button({
      icon: "follow",
      text: following ? "Let go" : "Follow",
      title: "Keep the camera on this person",
      key: "C",
      press: () => studio.following.set(following ? null : ids[0]!),
    });
    follow.classList.toggle("chosen", following);
    actions.push(follow);
  }
  if (scene.kind === "live") {
    const sending = studio.sending.value;
    const send = button({
      icon: "send",
      text: sending ? "Click a place …" : "Send to …",
      title: "Click where they should go",
      press: () => {
        studio.tool.set("select");
        studio.sending.set(!sending);
      },
    });
    send.classList.toggle("chosen", sending);
    actions.push(send, deletion(single ? "this person" : "these people"));
  }
  const content: Node[] = [header(title(studio, scene, ids))];
  if (single) content.push(personCard(studio, ids[0]!));
  if (scene.kind === "live") {
    const regroup = choice({
      label: "Group",
      choices: [{ value: "", text: "move to …" }, ...scene.groups.map((group) => ({ value: group.name, text: group.name }))],
      value: "",
      commit: (group, field) => {
        if (group) void studio.ask("regroup", { people: ids, group }, field).then(() => regroup.set(""));
      },
    });
    content.push(regroup.element);
  }
  content.push(h("div", { class: "actions" }, ...actions));
  return content;
}

/** What the selected are called: one of them with their species. */
function title(studio: Studio, scene: SceneEvent, ids: number[]): string {
  const [id, ...others] = ids;
  if (id === undefined || others.length > 0) return people(ids.length);
  const frame = studio.timeline.newest;
  const index = frame ? indexOf(frame.ids, frame.count, id) : -1;
  const species = scene.groups[frame?.groups[index] ?? -1]?.species ?? "person";
  return `${species[0]!.toUpperCase()}${species.slice(1)} ${id}`;
}

/** What `inspect` tells, kept up to date in place: the card must not flicker five times per second. */
function personCard(studio: Studio, id: number): HTMLElement {
  const words = h("p", { class: "words" }, "…");
  const table = h("div", { class: "facts" });
  const card = h("div", { class: "person" }, words, table);
  let seen = false;
  const stop = studio.inspection.watch((person) => {
    if (seen && !card.isConnected) return stop?.();
    seen = card.isConnected;
    if (!person || person.id !== id) return;
    words.textContent = person.words;
    words.hidden = person.words === "";
    fill(table, ...facts(factsOf(person, studio.isReplay)).childNodes as unknown as Node[]);
  });
  return card;
}

/** What is known of a person, row by row. A recording has where people are and their status, but no goals, wishes, neighbours or models. */
export function factsOf(person: Inspection, isRecorded: boolean): [string, string][] {
  const speed = metresPerSecond(person.speed);
  const rows: [string, string][] = [
    ["Group", person.group],
    ["Goal", isRecorded ? "" : person.goal ? `${person.goal.words} (${person.goal.index + 1} of ${person.goal.of})` : "none"],
    ["Status", statusInWords(person.status, person.speed)],
    ["Speed", person.preferred ? `${speed}, wants ${metresPerSecond(Math.hypot(...person.preferred))}` : speed],
    ["Heeds", isRecorded ? "" : person.neighbours.length === 1 ? "1 neighbour" : `${person.neighbours.length} neighbours`],
    ["Led", person.field ? `${Math.round(person.field.share * 100)} % at ${metresPerSecond(Math.hypot(...person.field.velocity))}` : ""],
    ["With", companionsInWords(person)],
    ["Model", person.model?.replace("_", " ") ?? ""],
    ["Traits", traitsInWords(person.traits)],
    ...(person.body ? bodyFacts(person.body) : []),
  ];
  return rows.filter(([, value]) => value !== "");
}

/** What the body does: the clip and where in it, which feet stand on what, and how far it is from where it should be. */
function bodyFacts(body: BodyState): [string, string][] {
  const isPerson = body.species === "person";
  const stance = stanceInWords(body.stance, isPerson ? 2 : 4);
  return [
    ["Clip", body.clip ?? ""],
    ["Phase", `${Math.round(body.phase * 100)} % at ×${body.pace.toFixed(2)}`],
    ["Stands on", body.planted ? stance : "not planted"],
    ["Ground", body.ground ? groundInWords(body.ground, body.height) : ""],
    ["Deviation", millimetres(body.deviation)],
    ["Last slip", body.slip ? `${millimetres(body.slip.slip)}, ${body.slip.foot} foot` : ""],
    ["Looks at", isPerson ? gazeInWords(body.looks_at) : ""],
    ["Spine twist", isPerson ? `${((body.twist * 180) / Math.PI).toFixed(0)}°` : ""],
  ];
}

function regionContent(
  studio: Studio,
  scene: SceneEvent,
  name: string,
  header: (title: string) => HTMLElement,
  deletion: (what: string) => HTMLElement,
): Node[] {
  const title = nameInput("region", name, (to, field) => studio.edit(renameRegion(scene.document, name, to), field), (to) => studio.selection.set({ kind: "region", name: to }));
  const group = studio.group;
  const actions: Node[] = [];
  if (group) {
    actions.push(
      button({
        icon: "goal",
        text: `“${group.name}” leaves here`,
        title: "The group walks to this region and leaves the simulation there",
        press: (b) => void studio.edit(leaveAt(scene, group.name, name), b),
      }),
    );
  }
  const tags = scene.regions.find((region) => region.name === name)?.tags ?? [];
  return [
    header("Region"),
    h("label", { class: "field" }, h("span", {}, "Name"), title),
    ...(tags.length > 0 ? [facts([["Tags", tags.join(", ")]])] : []),
    h("div", { class: "actions" }, ...actions, deletion("this region")),
  ];
}

type NumberOption = "thickness" | "height" | "spacing" | "rate" | "doorWidth";

/** Why options of tools have limits. */
const WHY: Partial<Record<NumberOption, { min?: string; max?: string }>> = {
  spacing: { min: "nearer to each other bodies would overlap" },
  doorWidth: { min: "nobody fits through narrower doors" },
};

function toolContent(studio: Studio): Node[] {
  const options = studio.options.value;
  const set = (change: Partial<ToolOptions>) => studio.options.set({ ...studio.options.value, ...change });
  const number = (label: string, unit: string, key: NumberOption, min: number, max: number, step: number) =>
    numberField({ label, unit, min, max, step, why: WHY[key] ?? {}, value: options[key], commit: (value) => set({ [key]: value }) }).element;
  const titled = (title: string, ...content: Node[]) => [h("header", {}, h("h2", {}, title)), ...content];
  switch (studio.tool.value) {
    case "wall":
      return wallContent(studio, titled, number, set);
    case "measure":
      return studio.scene.value?.kind === "live" ? measurementsContent(studio) : [];
    case "box":
      return titled("New box", number("Height", "m", "height", 0.1, 100, 0.1));
    case "brush":
      return titled("Brush", number("Spacing", "m", "spacing", 0.55, 10, 0.05));
    case "source":
      return titled("New source", number("People", "/s", "rate", 0.01, 100, 0.1));
    case "region":
      return titled(
        "New region",
        choice({
          label: "Shape",
          choices: [
            { value: "rectangle", text: "rectangle" },
            { value: "polygon", text: "polygon" },
          ],
          value: options.regionShape,
          commit: (regionShape) => set({ regionShape }),
        }).element,
      );
    default:
      return [];
  }
}

function wallContent(
  studio: Studio,
  titled: (title: string, ...content: Node[]) => Node[],
  number: (label: string, unit: string, key: NumberOption, min: number, max: number, step: number) => HTMLElement,
  set: (change: Partial<ToolOptions>) => void,
): Node[] {
  const options = studio.options.value;
  const part = choice({
    label: "Make",
    choices: [
      { value: "wall", text: "walls" },
      { value: "door", text: "doors in walls" },
    ],
    value: options.wallPart,
    commit: (wallPart) => set({ wallPart }),
  }).element;
  if (options.wallPart === "wall") return titled("New wall", part, number("Thickness", "m", "thickness", 0.02, 10, 0.05), number("Height", "m", "height", 0.1, 100, 0.1));
  const leaf = choice({
    label: "The door",
    choices: [
      { value: "open", text: "stays open" },
      { value: "closes", text: "closes at times" },
    ],
    value: options.doorLeaf,
    commit: (doorLeaf) => set({ doorLeaf }),
  }).element;
  return titled("New door", part, number("Width", "m", "doorWidth", 0.4, 50, 0.1), leaf);
}

function facts(rows: [string, string][]): HTMLElement {
  return h("div", { class: "facts" }, ...rows.flatMap(([key, value]) => [h("span", {}, key), h("b", { title: value }, value)]));
}
