/**
 * The pictures of the studio in docs/images, taken from the scenes that ship. `make pictures` writes them; look at them before you commit them.
 *
 * A picture shows a scene at a moment or a few seconds later: as long as the page takes to hear that it has come. The same scene moves alike each time.
 */
import { cpSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, it, vi } from "vitest";
import { ROOT, Server, launchBrowser, openPage, until, type Visitor } from "../e2e/harness.ts";

vi.setConfig({ testTimeout: 600_000 });

let browser: Browser;
let server: Server;
beforeAll(async () => {
  browser = await launchBrowser("fine");
});
afterAll(() => browser.close());
beforeEach(() => {
  server = new Server();
  cpSync(join(ROOT, "scenes"), server.folder, { recursive: true });
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  await server.dispose();
});

/** A window of a size that looks at a file, with a view in its address. */
async function look(file: string, [width, height]: [number, number], hash = ""): Promise<Visitor> {
  await server.start(file);
  const visitor = await openPage(browser, server, hash, { sight: "fine" });
  await visitor.page.setViewportSize({ width, height });
  return visitor;
}

/** Lets time pass up to a moment, s, and stops it there. */
async function pauseAt(visitor: Visitor, moment: number): Promise<void> {
  await visitor.until(`it is ${moment} s`, (studio, time) => studio.state.time >= time, moment);
  await visitor.key(" ");
  await visitor.stands();
  // The overlay of flow never rests.
  if (!(await visitor.read((studio) => studio.overlays.includes("flow")))) await visitor.rest();
}

/** Writes what the window shows, or a part of it. */
async function save(visitor: Visitor, name: string): Promise<void> {
  // Nothing is pointed at.
  await visitor.page.mouse.move(0, 0);
  await visitor.drawn();
  await visitor.page.screenshot({ path: join(ROOT, "docs/images", `${name}.png`) });
}

it("studio", async () => {
  const visitor = await look("plaza.toml", [1100, 680]);
  await visitor.key("Home");
  await pauseAt(visitor, 30);
  await save(visitor, "studio");
});

/** Pictures of a scene at a moment, s, from a camera, after keys. */
const VIEWS = [
  { name: "studio-bodies", scene: "plaza.toml", height: 680, camera: "3,14,0,0.35,1.2,17", keys: ["u"], moment: 31 },
  { name: "studio-clothes", scene: "plaza.toml", height: 680, camera: "0,-3,0.6,0.15,1.3,15", keys: [], moment: 24 },
  { name: "studio-terrace", scene: "terrace.toml", height: 640, camera: "-6.5,-0.5,1,0.75,1.1,14", keys: ["u"], moment: 20 },
  { name: "studio-herd", scene: "herd.toml", height: 640, camera: "0,0,3,0.4,1.25,24", keys: [], moment: 15 },
];

it.each(VIEWS)("$name", async ({ name, scene, height, camera, keys, moment }) => {
  const visitor = await look(scene, [1100, height], `#camera=${camera}`);
  for (const key of keys) await visitor.key(key);
  await pauseAt(visitor, moment);
  await save(visitor, name);
});

it("studio-arrows", async () => {
  const visitor = await look("arrows.toml", [1100, 680], "#camera=-6,-3,0,-0.25,0.85,40&show=flow");
  await visitor.key("l");
  await pauseAt(visitor, 40);
  await visitor.key("a");
  const { at, velocity } = await visitor.read((studio) => studio.anchors[2]!);
  // Arrows are drawn 2 m long for each metre per second: a click in the middle of the shaft selects one.
  await visitor.click(at[0] + velocity[0], at[1] + velocity[1]);
  await visitor.until("the arrow is selected", (studio) => (studio.selection as { kind?: string } | null)?.kind === "arrow");
  await visitor.drawn();
  await save(visitor, "studio-arrows");
});

it("studio-levels", async () => {
  const visitor = await look("square-20k.toml", [900, 440], "#camera=30,20,0,0.3,1.15,26");
  await pauseAt(visitor, 4);
  await visitor.key("o");
  await visitor.rest();
  const left = await visitor.page.screenshot({ style: ".leave-presentation { visibility: hidden }" });
  await visitor.key("Escape");
  await visitor.key("7");
  await visitor.key("o");
  await visitor.rest();
  const right = await visitor.page.screenshot({ style: ".leave-presentation { visibility: hidden }" });
  // The left half of the one beside the right half of the other.
  const both = await visitor.page.evaluate<string>(`(async () => {
    const [left, right] = await Promise.all(${JSON.stringify([left, right].map((png) => png.toString("base64")))}.map(async (data) => {
      const image = new Image();
      image.src = "data:image/png;base64," + data;
      await image.decode();
      return image;
    }));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [left.width, left.height];
    const [context, half] = [canvas.getContext("2d"), left.width / 2];
    context.drawImage(left, 0, 0, half, left.height, 0, 0, half, left.height);
    context.drawImage(right, half, 0, half, left.height, half, 0, half, left.height);
    return canvas.toDataURL("image/png").split(",")[1];
  })()`);
  writeFileSync(join(ROOT, "docs/images/studio-levels.png"), Buffer.from(both, "base64"));
});

it("studio-patterns", async () => {
  server.throng("eval", "--scenarios", "circle-20", "--models", "hidac", "--recordings", "all", "--out", "results");
  const visitor = await look(join("results/recordings", readdirSync(join(server.folder, "results/recordings"))[0]!), [1160, 680], "#at=0&show=patterns");
  await visitor.until("it was searched", (studio) => studio.patterns?.progress === "done");
  const minor = visitor.page.getByLabel("Short waits and queues");
  if (await minor.isVisible()) await minor.check();
  await visitor.page.locator(".pattern:visible").first().click();
  await visitor.until("one is looked at", (studio) => studio.pattern !== null);
  await visitor.stands();
  let before = "";
  await until("the camera rests", async () => {
    const last = before;
    await visitor.drawn();
    before = JSON.stringify(await visitor.read((studio) => studio.eye));
    return before === last;
  });
  await save(visitor, "studio-patterns");
});

it("eval-report", async () => {
  server.throng("eval", "--suite", "quick", "--recordings", "none", "--out", "results");
  await server.start("results");
  const context = await browser.newContext({ viewport: { width: 1480, height: 1400 } });
  const page = await context.newPage();
  await page.goto(server.url);
  await page.screenshot({ path: join(ROOT, "docs/images/eval-report.png") });
});
