/** Pictures: one as it is, or many, one for each moment, in a ZIP file. */
import { captionOf } from "./model/caption.ts";
import { zip, type ZipFile } from "./model/zip.ts";
import type { Studio } from "./studio.ts";
import { annotated } from "./view/annotations.ts";
import type { World } from "./view/world.ts";

/** How often people are drawn anew until all that they are drawn with is made. */
const MOST_TRIES = 60;

/** Saves a picture as large as the window. */
export async function screenshot(studio: Studio, world: World): Promise<void> {
  world.stage.renderNow();
  download(await picture(studio, world, !studio.presenting.value), `${baseName(studio)}.png`);
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

/** What a picture shows besides the world and its people. */
export interface PictureLook {
  /** No grid, regions, arrows or selection. */
  plain: boolean;
  /** Names of places, the moment, and what colours mean. */
  captioned: boolean;
}

/**
 * Calls `draw` with a stage of another size than that of the window. It shows as much from top to bottom, and more or less to the sides. The canvas has
 * its own size again when this returns: pictures of it are copied at once, and written afterwards.
 */
function inSize<T>(studio: Studio, world: World, { width, height }: PictureSize, plain: boolean, draw: () => T): T {
  const { stage } = world;
  const [ratio, presenting] = [stage.renderer.getPixelRatio(), studio.presenting.value];
  try {
    studio.presenting.set(plain || presenting);
    stage.renderer.setPixelRatio(1);
    stage.resize(width, height, { left: 0, right: 0, top: 0, bottom: 0 });
    return draw();
  } finally {
    studio.presenting.set(presenting);
    stage.renderer.setPixelRatio(ratio);
    dispatchEvent(new Event("resize"));
  }
}

/** Draws people, again and again until all that they are drawn with is made. */
function drawComplete(world: World): void {
  world.showPeople();
  for (let k = 0; k < MOST_TRIES && world.isPreparing; k++) world.showPeople();
  world.stage.renderNow();
}

/** Saves a picture of this view in a size of its own, whatever size the window has. */
export async function saveSized(studio: Studio, world: World, size: PictureSize, { plain, captioned }: PictureLook): Promise<void> {
  try {
    const image = await inSize(studio, world, size, plain, () => {
      drawComplete(world);
      return picture(studio, world, captioned);
    });
    download(image, `${baseName(studio)}-${size.width}x${size.height}.png`);
  } catch (error) {
    studio.refused(error);
  }
}

export interface FilmOptions extends PictureLook {
  /** Simulated seconds, and pictures of each. */
  seconds: number;
  rate: number;
  size: PictureSize;
}

/**
 * Goes through time moment by moment: a live crowd is stepped, a recording is sought. Between two states of the
 * server, pictures show what lies between them.
 */
export async function exportImages(
  studio: Studio,
  world: World,
  options: FilmOptions,
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
      const image = await inSize(studio, world, options.size, options.plain, () => {
        drawComplete(world);
        return picture(studio, world, options.captioned);
      });
      const bytes = new Uint8Array(await image.arrayBuffer());
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

/** The stage as it was drawn last, as a PNG file. */
function picture(studio: Studio, world: World, captioned: boolean): Promise<Blob> {
  const { canvas, renderer } = world.stage;
  const scene = studio.scene.value;
  const ratio = renderer.getPixelRatio();
  const names = world.names.map(({ text, x, y }) => ({ text, x: x * ratio, y: y * ratio }));
  const image = captioned && scene ? annotated(canvas, names, captionOf(scene, world.shown, studio.overlays.value, world.hasGroupColors), studio.theme.value) : canvas;
  return new Promise((resolve, reject) => {
    image.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture could not be made"))), "image/png");
  });
}

function baseName(studio: Studio): string {
  return (studio.scene.value?.file ?? "scene").replace(/\.[a-z]+$/i, "");
}

/** Saves a text among the downloads of the browser. */
export function saveText(text: string, name: string): void {
  download(new Blob([text], { type: "text/plain" }), name);
}

function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
