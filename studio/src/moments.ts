/** Going to moments, places and people: those of patterns, those that the address of the page names, and one person after the other. */
import { isFloorShown } from "./model/floors.ts";
import { indexOf } from "./frame.ts";
import { inWords, neighbour } from "./model/patterns.ts";
import { clock } from "./model/words.ts";
import { viewFromHash, type View } from "./model/view-url.ts";
import type { FoundPattern, Point, SceneEvent } from "./protocol.ts";
import type { Studio } from "./studio.ts";
import type { World } from "./view/world.ts";

/** Longer than this, a frame that was asked for will not come, ms. */
const PATIENCE = 5000;

/** Goes to where a pattern begins, and, in a recording, to when; and selects who it is about. */
export async function showPattern(studio: Studio, world: World, found: FoundPattern): Promise<void> {
  studio.pattern.set(found);
  if (studio.isReplay && !(await seek(studio, found.from))) return;
  showFloor(studio, found.layer);
  if (studio.isReplay || placeOf(studio, found.person)) studio.selection.set({ kind: "people", ids: new Set([found.person]) });
  else {
    studio.selection.set(null);
    studio.showMessage({ level: "info", text: `Person ${found.person} has left`, help: `This is where it was: ${inWords(found)}.` });
  }
  world.framePlace(found.place, found.layer);
}

/** Where one floor is chosen, chooses another. */
function showFloor(studio: Studio, layer: number): void {
  if (studio.floor.value !== null) studio.floor.set(layer);
}

/** Goes to the next pattern, or to the one before. */
export function stepPattern(studio: Studio, world: World, direction: 1 | -1): void {
  const list = studio.shownFindings.map((finding) => finding.worst).sort((a, b) => a.from - b.from);
  // What was seen of a crowd that is simulated is all in the past.
  const found = neighbour(list, studio.pattern.value, studio.isReplay ? (studio.state.value?.time ?? 0) : null, direction);
  if (found) void showPattern(studio, world, found);
  else studio.showMessage({ level: "info", text: list.length === 0 ? "No pattern that matters was found" : direction > 0 ? "This is the last pattern" : "This is the first pattern" });
}

/** Selects the next person of those there are, or the one before, and brings them into view. */
export function stepPerson(studio: Studio, world: World, direction: 1 | -1): void {
  const { shown } = world;
  const [selected] = studio.selectedPeople;
  const person = neighbouringId(shown.ids.subarray(0, shown.count), selected ?? null, direction);
  if (person === null) return studio.showMessage({ level: "info", text: "Nobody is there to select" });
  studio.selection.set({ kind: "people", ids: new Set([person]) });
  studio.markDone("person");
  const i = indexOf(shown.ids, shown.count, person);
  const layer = shown.layers[i] ?? 0;
  if (studio.scene.value && !isFloorShown(studio.scene.value, layer, studio.floor.value)) studio.floor.set(layer);
  if (studio.following.value !== null) return studio.following.set(person);
  const { x, y, visible } = world.project(shown.x[i]!, shown.y[i]!, layer, 0);
  if (!visible || x < 0 || y < 0 || x > innerWidth || y > innerHeight) world.framePlace([shown.x[i]!, shown.y[i]!], layer);
}

/** The next larger or smaller of ids in rising order, around the ends; the first or the last after none. */
export function neighbouringId(ids: ArrayLike<number>, selected: number | null, direction: 1 | -1): number | null {
  const all = Array.from(ids);
  if (selected === null) return (direction > 0 ? all[0] : all.at(-1)) ?? null;
  const next = direction > 0 ? all.find((id) => id > selected) : all.filter((id) => id < selected).at(-1);
  return next ?? (direction > 0 ? all[0] : all.at(-1)) ?? null;
}

/** Shows what the address of the page says, now and whenever that changes. */
export function followAddress(studio: Studio, world: World): void {
  const apply = () => {
    const view = viewFromHash(location.hash);
    if (view.camera) world.restoreView(view.camera);
    const floors = studio.scene.value?.layers.length ?? Infinity;
    studio.floor.set(view.floor !== null && view.floor < floors ? view.floor : null);
    if (view.overlays.length > 0) studio.overlays.set(new Set(view.overlays));
    if (view.person !== null) studio.selection.set({ kind: "people", ids: new Set([view.person]) });
    if (view.at !== null || view.person !== null) void goTo(studio, world, view);
  };
  if (location.hash) apply();
  addEventListener("hashchange", apply);
}

async function goTo(studio: Studio, world: World, { at, person, camera }: View): Promise<void> {
  const scene = await firstScene(studio);
  if (at !== null) {
    if (scene.kind !== "replay") {
      studio.showMessage({ level: "info", text: "A scene that runs has no moments to go to", help: "Record it, and open the recording." });
    } else {
      // It stands there, until somebody lets it go on.
      await studio.ask("pause");
      if (!(await seek(studio, at))) return;
    }
  }
  if (person === null) return;
  const found = await until(() => placeOf(studio, person), at === null ? PATIENCE : 500);
  if (found) {
    showFloor(studio, found.layer);
    if (!camera) world.framePlace(found.at, found.layer);
  } else {
    const when = at === null ? "now" : `at ${clock(at)}`;
    studio.showMessage({ level: "info", text: `Person ${person} is not there ${when}` });
  }
}

/** Goes to a moment of a recording and waits for its frame; tells whether it is there. */
async function seek(studio: Studio, time: number): Promise<boolean> {
  const before = studio.received.frames;
  const reply = await studio.ask("seek", { time });
  if (!reply) return false;
  const arrived = () => studio.timeline.newest?.step === reply.step || (studio.state.value?.playing && studio.received.frames > before + 1);
  return Boolean(await until(() => arrived() || null, PATIENCE));
}

/** Where somebody is in the newest frame. */
function placeOf(studio: Studio, person: number): { at: Point; layer: number } | null {
  const frame = studio.timeline.newest;
  const i = frame ? indexOf(frame.ids, frame.count, person) : -1;
  return frame && i >= 0 ? { at: [frame.x[i]!, frame.y[i]!], layer: frame.layers?.[i] ?? 0 } : null;
}

function firstScene(studio: Studio): Promise<SceneEvent> {
  return new Promise((resolve) => {
    let stop = () => {};
    const look = (scene: SceneEvent | null) => {
      if (!scene) return;
      stop();
      // Everybody else is told of it first: the first view of a scene is theirs.
      setTimeout(() => resolve(scene), 0);
    };
    if (studio.scene.value) look(studio.scene.value);
    else stop = studio.scene.onChange(look);
  });
}

/** Waits until something is there, but not for ever. */
async function until<T>(look: () => T | null, patience: number): Promise<T | null> {
  const end = Date.now() + patience;
  for (;;) {
    const found = look();
    if (found !== null || Date.now() > end) return found;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
