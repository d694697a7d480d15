/** Pictures: one as it is, or many, one for each moment, in a ZIP file. */
import { zip, type ZipFile } from "./model/zip.ts";
import type { Studio } from "./studio.ts";
import type { World } from "./view/world.ts";

/** How often people are drawn anew until all that they are drawn with is made. */
const MOST_TRIES = 60;

export async function screenshot(studio: Studio, world: World): Promise<void> {
  world.stage.renderNow();
  const image = await picture(world);
  download(image, `${baseName(studio)}.png`);
}

export interface PictureSize {
  width: number;
  height: number;
}

/** Sizes that are often asked for, pixels. */
export const PICTURE_SIZES: readonly PictureSize[] = [
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
  { width: 2160, height: 2160 },
  { width: 2160, height: 3840 },
];

/** The longest side that the browser can draw, pixels. */
export function longestSide({ stage: { renderer } }: World): number {
  return Math.min(renderer.capabilities.maxTextureSize, 16_384);
}

/**
 * Saves a picture of this view in a size of its own, whatever size the window has. It shows as much from top to bottom as the window does, and
 * more or less to the sides; a `plain` one has no grid, regions, arrows or selection.
 */
export async function saveSized(studio: Studio, world: World, { width, height }: PictureSize, plain: boolean): Promise<void> {
  const { stage } = world;
  const [ratio, presenting] = [stage.renderer.getPixelRatio(), studio.presenting.value];
  let image: Promise<Blob>;
  try {
    studio.presenting.set(plain || presenting);
    stage.renderer.setPixelRatio(1);
    stage.resize(width, height, { left: 0, right: 0, top: 0, bottom: 0 });
    world.showPeople();
    for (let k = 0; k < MOST_TRIES && world.isPreparing; k++) world.showPeople();
    stage.renderNow();
    // The canvas is copied at once, and written while it has its own size again.
    image = picture(world);
  } finally {
    studio.presenting.set(presenting);
    stage.renderer.setPixelRatio(ratio);
    dispatchEvent(new Event("resize"));
  }
  try {
    download(await image, `${baseName(studio)}-${width}x${height}.png`);
  } catch (error) {
    studio.refused(error);
  }
}

/**
 * Goes through time moment by moment: a live crowd is stepped, a recording is sought. Between two states of the
 * server, pictures show what lies between them.
 */
export async function exportImages(
  studio: Studio,
  world: World,
  options: { seconds: number; rate: number },
  progress: (fraction: number) => void,
  stop: AbortSignal,
): Promise<void> {
  const { connection, timeline, scene } = studio;
  const live = scene.value?.kind === "live";
  const files: ZipFile[] = [];
  try {
    await connection.request("pause");
    await newerFrame(studio, -1, 300);
    world.holdTime = true;
    const start = timeline.newest?.time ?? 0;
    const end = studio.state.value?.end ?? Infinity;
    const total = Math.max(1, Math.round(options.seconds * options.rate));
    for (let i = 0; i < total && !stop.aborted; i++) {
      const moment = start + i / options.rate;
      if (moment > end) break;
      if (live) {
        while ((timeline.newest?.time ?? 0) < moment - 1e-9 && !stop.aborted) {
          const before = timeline.newest!.step;
          await connection.request("step", { count: 1 });
          await newerFrame(studio, before, 5000);
        }
      } else {
        const before = timeline.newest?.time;
        await connection.request("seek", { time: moment });
        await until(() => timeline.newest?.time !== before, 400);
      }
      await bodiesArrive(studio);
      timeline.showTime(moment);
      world.shown = timeline.shown();
      world.now += 1 / options.rate;
      world.showPeople();
      for (let k = 0; k < MOST_TRIES && world.isPreparing; k++) world.showPeople();
      world.stage.renderNow();
      const bytes = new Uint8Array(await (await picture(world)).arrayBuffer());
      files.push({ name: `${baseName(studio)}-${String(i).padStart(5, "0")}.png`, data: bytes });
      progress((i + 1) / total);
    }
    if (!stop.aborted && files.length > 0) download(new Blob([zip(files)], { type: "application/zip" }), `${baseName(studio)}.zip`);
  } catch (error) {
    studio.refused(error);
  } finally {
    world.holdTime = false;
    world.stage.invalidate();
  }
}

function newerFrame(studio: Studio, step: number, patience: number): Promise<void> {
  return until(() => (studio.timeline.newest?.step ?? -1) > step && step >= 0, patience);
}

/** Bodies come a little after their frame. */
function bodiesArrive({ bodies, timeline }: Studio): Promise<void> {
  return until(() => !bodies.newest || !timeline.newest || bodies.newest.time >= timeline.newest.time, 500);
}

/** Waits for something to be so, but not for ever. */
async function until(condition: () => boolean, patience: number): Promise<void> {
  const end = performance.now() + patience;
  while (!condition() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 10));
}

function picture(world: World): Promise<Blob> {
  return new Promise((resolve, reject) => {
    world.stage.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture could not be made"))), "image/png");
  });
}

function baseName(studio: Studio): string {
  return (studio.scene.value?.file ?? "scene").replace(/\.[a-z]+$/i, "");
}

function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
