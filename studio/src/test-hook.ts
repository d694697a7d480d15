/** What end-to-end tests may look at: `window.throngStudio`. It reads the state of the page and changes nothing. */
import type { Camera } from "./model/view-url.ts";
import type { FoundPattern, PatternsEvent } from "./protocol.ts";
import type { Studio } from "./studio.ts";
import { fromWorld } from "./view/axes.ts";
import type { Portrait, Sitting } from "./view/portrait.ts";
import type { World } from "./view/world.ts";

export interface TestHook {
  readonly connection: string;
  readonly revision: number | null;
  readonly scene: unknown;
  readonly state: unknown;
  readonly tool: string;
  readonly selection: unknown;
  readonly group: string | null;
  /** Whether people are to notice the camera. */
  readonly noticed: boolean;
  readonly inspection: unknown;
  readonly frames: number;
  /** Pictures drawn. */
  readonly pictures: number;
  /** The newest frame: when, and where everybody is, by id. */
  readonly newest: { time: number; step: number; epoch: number; people: Record<number, [number, number]> } | null;
  /** What is on the screen. */
  readonly displayed: { time: number; people: Record<number, [number, number]> };
  /** People drawn with bodies, and where those are, by id. */
  readonly bodies: { count: number; time: number | null; places: Record<number, [number, number, number]> };
  /** How many people are drawn in which way, how many pictures of people there are, and how many people are drawn in two ways at once. */
  readonly drawn: { bodies: number; posed: number; impostors: number; figures: number; pictures: number; twice: number };
  readonly overlays: string[];
  /** Patterns that were found, which one is looked at, and how many have a ring on the ground. */
  readonly patterns: PatternsEvent | null;
  readonly pattern: FoundPattern | null;
  readonly rings: number;
  /** Anchors of the selected group's fields. */
  readonly anchors: { field: string; at: [number, number]; velocity: [number, number]; reach: number | null }[];
  readonly camera: Camera;
  /** Where the camera is, x, y and height, which solids may keep from where its view has it. */
  readonly eye: [number, number, number];
  /** The chosen floor, and how many people are on floors that are not drawn. */
  readonly floor: number | null;
  readonly hiddenPeople: number;
  /** Who looks how, by id. */
  readonly roles: Record<number, { look: number; scale: number; palette: number[] }>;
  /** Somebody alone, as a mesh or as a picture; `null` while nothing is known of bodies. */
  portrait(sitting: Sitting): Portrait | null;
  /** Pixels of the window for a place on the ground of a floor, or some metres above it. */
  project(x: number, y: number, layer?: number, above?: number): { x: number; y: number; visible: boolean };
}

declare global {
  interface Window {
    throngStudio?: TestHook;
  }
}

export function installTestHook(studio: Studio, world: World): void {
  const places = (people: { count: number; ids: Uint32Array; x: Float32Array; y: Float32Array }) => {
    const result: Record<number, [number, number]> = {};
    for (let i = 0; i < people.count; i++) result[people.ids[i]!] = [people.x[i]!, people.y[i]!];
    return result;
  };
  window.throngStudio = live<TestHook>({
    connection: () => studio.connection.status.value.kind,
    revision: () => studio.scene.value?.revision ?? null,
    scene: () => studio.scene.value,
    state: () => studio.state.value,
    tool: () => studio.tool.value,
    selection: () => {
      const selection = studio.selection.value;
      return selection?.kind === "people" ? { kind: "people", ids: [...selection.ids] } : selection;
    },
    group: () => studio.groupName.value,
    noticed: () => studio.noticed.value,
    inspection: () => studio.inspection.value,
    pictures: () => world.stage.pictures,
    frames: () => studio.received.frames,
    newest: () => {
      const frame = studio.timeline.newest;
      return frame && { time: frame.time, step: frame.step, epoch: frame.epoch, people: places(frame) };
    },
    displayed: () => ({ time: world.shown.time, people: places(world.shown) }),
    bodies: () => {
      const result: Record<number, [number, number, number]> = {};
      for (let i = 0; i < world.shown.count; i++) {
        const place = studio.bodies.placeOf(world.shown.ids[i]!);
        if (place) result[world.shown.ids[i]!] = place;
      }
      return { count: world.bodyCount, time: studio.bodies.newest?.time ?? null, places: result };
    },
    drawn: () => world.drawn,
    patterns: () => studio.patterns.value,
    pattern: () => studio.pattern.value,
    rings: () => world.rings,
    overlays: () => [...studio.overlays.value],
    anchors: () => {
      const led = studio.group?.led ?? [];
      const fields = studio.scene.value?.fields.filter((field) => led.includes(field.name)) ?? [];
      return fields.flatMap((field) => field.anchors.map(({ at, velocity, reach }) => ({ field: field.name, at, velocity, reach })));
    },
    camera: () => world.stage.rig.view,
    eye: () => fromWorld(world.stage.rig.camera.position),
    floor: () => studio.floor.value,
    hiddenPeople: () => studio.hiddenPeople.value,
    roles: () => {
      const result: TestHook["roles"] = {};
      for (const id of world.shown.ids.slice(0, world.shown.count)) {
        const slot = studio.roles.slotOf(id);
        if (slot < 0) continue;
        const { look, scale, palette } = studio.roles.at(slot);
        result[id] = { look, scale, palette: [...palette] };
      }
      return result;
    },
    portrait: () => (sitting) => world.portrait(sitting),
    project: () => (x, y, layer = 0, above = 0) => world.project(x, y, layer, above),
  });
}

/** An object whose properties are worked out whenever they are read. */
function live<T extends object>(getters: { [K in keyof T]: () => T[K] }): T {
  return Object.defineProperties({}, Object.fromEntries(Object.entries<() => unknown>(getters).map(([key, get]) => [key, { get, enumerable: true }]))) as T;
}
