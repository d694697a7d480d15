/** What the page asks the server for by itself: the person that is inspected, where arrows lead, the ways there are. */
import { NewestOnly } from "./model/newest.ts";
import type { Studio } from "./studio.ts";
import type { World } from "./view/world.ts";

/** Inspections per second while a card is open. */
const INSPECTIONS = 5;

export function watchPerson(studio: Studio): void {
  let asking = false;
  const ask = async () => {
    const [person, ...others] = studio.selectedPeople;
    if (person === undefined || others.length > 0) return studio.inspection.set(null);
    if (asking || document.hidden || studio.connection.status.value.kind !== "open") return;
    asking = true;
    try {
      const found = await studio.connection.request("inspect", { person });
      const stillSelected = studio.selectedPeople.length === 1 && studio.selectedPeople[0] === person;
      if (stillSelected) studio.inspection.set(found);
      if (stillSelected && !found && !studio.isReplay) {
        studio.showMessage({ level: "info", text: `Person ${person} has left` });
        studio.selection.set(null);
      }
    } catch {
      studio.inspection.set(null);
    } finally {
      asking = false;
    }
  };
  setInterval(() => void ask(), 1000 / INSPECTIONS);
  studio.selection.onChange(() => void ask());
}

export function watchFlow(studio: Studio, world: World): void {
  const sender = new NewestOnly<{ group: string; layer: number } | null>(
    async (query) => {
      if (!query) return world.showStreamlines(null, 0);
      const found = await studio.connection.request("streamlines", { ...query });
      world.showStreamlines(wanted() ? found : null, query.layer);
    },
    () => world.showStreamlines(null, 0),
  );
  const wanted = () => {
    const group = studio.group;
    const shown = studio.tool.value === "arrow" || studio.overlays.value.has("flow") || studio.selection.value?.kind === "arrow";
    return shown && group && group.led.length > 0 ? { group: group.name, layer: studio.floor.value ?? floorOf(studio, group.led) } : null;
  };
  let last = "";
  const update = () => {
    const query = wanted();
    const fields = query && studio.scene.value?.fields.filter((field) => studio.group?.led.includes(field.name));
    const key = JSON.stringify([query, studio.group?.color, fields?.map((field) => field.anchors)]);
    if (key === last) return;
    last = key;
    sender.push(query);
  };
  for (const source of [studio.scene, studio.tool, studio.overlays, studio.groupName, studio.selection, studio.floor]) source.onChange(update);
}

/** The floor of the selected arrow, or that of the first field that leads a group. */
function floorOf(studio: Studio, led: string[]): number {
  const selection = studio.selection.value;
  const fields = studio.scene.value?.fields ?? [];
  const chosen = fields.find((field) => selection?.kind === "arrow" && field.name === selection.field);
  return (chosen ?? fields.find((field) => led.includes(field.name)))?.layer ?? 0;
}

export function watchWays(studio: Studio, world: World): void {
  const sender = new NewestOnly<number[] | null>(
    async (layers) => {
      if (layers === null) return world.showWays(null);
      const found = await Promise.all(layers.map(async (layer) => ({ layer, ways: await studio.connection.request("ways", { layer }) })));
      if (studio.overlays.value.has("ways")) world.showWays(found);
      const where = layers.length > 1 ? "on any floor" : "on this floor";
      if (found.every(({ ways }) => ways.edges.length === 0)) studio.showMessage({ level: "info", text: `Nothing is in the way ${where}: people walk straight` });
    },
    (error) => studio.refused(error),
  );
  let last = "";
  const update = () => {
    const scene = studio.scene.value;
    const floors = studio.floor.value === null ? scene?.layers.map((_, layer) => layer) : [studio.floor.value];
    const layers = studio.overlays.value.has("ways") ? (floors ?? null) : null;
    const key = JSON.stringify([layers, layers === null ? null : scene?.obstacles.map((o) => [o.here, o.solids]), studio.theme.value]);
    if (key === last) return;
    last = key;
    sender.push(layers);
  };
  for (const source of [studio.scene, studio.overlays, studio.floor, studio.theme]) source.onChange(update);
}

/** Times per second that the server is told how the camera looks, while that changes. */
const LOOKS = 6;
/** How many bodies of their own and how many posed ones are asked for, and as how many times as large the picture counts. */
const WANTED = {
  off: { most: 0, posed: 0, detail: 1 },
  near: { most: 100, posed: 500, detail: 2 },
  more: { most: 300, posed: 2000, detail: 4 },
};

/** Tells the server how the camera looks, for it to decide who has which body, and asks for none while nobody looks. */
export function watchBodies(studio: Studio, world: World): void {
  let told = "";
  const tell = () => {
    if (studio.connection.status.value.kind !== "open") {
      told = "";
      return;
    }
    const { most, posed, detail } = document.hidden ? WANTED.off : WANTED[studio.bodyLevel.value];
    const view = world.viewpoint();
    const wanted = { ...view, pixels: detail * view.pixels, most, posed, noticed: studio.noticed.value && most > 0 };
    const key = JSON.stringify(most === 0 ? 0 : wanted);
    if (key === told || (most === 0 && told === "")) return;
    told = key;
    studio.connection.request("bodies", wanted).catch(() => (told = ""));
    if (most === 0) studio.bodies.clear();
    world.stage.invalidate();
  };
  setInterval(tell, 1000 / LOOKS);
  studio.connection.status.onChange(tell);
  studio.bodyLevel.onChange(tell);
  studio.noticed.onChange(tell);
}

/** Asks how far feet slip while the panel that tells so is open. */
export function watchSkating(studio: Studio): void {
  setInterval(() => {
    const asks = studio.performance.value && (studio.state.value?.bodies ?? 0) > 0 && studio.connection.status.value.kind === "open";
    if (!asks || document.hidden) return studio.skating.set(null);
    studio.connection.request("skating").then(
      (found) => studio.skating.set(found),
      () => studio.skating.set(null),
    );
  }, 500);
}
