/** A real server with copies of scenes in a folder of its own, and a real browser that looks at it. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import type { TestHook } from "../../src/test-hook.ts";
import type { SceneEvent, StateEvent } from "../../src/protocol.ts";

export const ROOT = resolve(import.meta.dirname, "../../..");
const PAGE = resolve(import.meta.dirname, "../../dist");
const THRONG = process.env["THRONG"] ?? join(ROOT, "target/debug/throng");
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
/** A scene that tests of other languages use as well. */
export const sharedScene = (file: string): string => readFileSync(join(ROOT, "tests/scenes", file), "utf8");
/** Software rendering on a busy machine takes its time. */
export const PATIENCE = 60_000;
// A test waits for many things, one after the other.
vi.setConfig({ testTimeout: 5 * PATIENCE, hookTimeout: 3 * PATIENCE });

export class Server {
  readonly folder = mkdtempSync(join(tmpdir(), "throng-e2e-"));
  port = 0;
  private process: ChildProcess | null = null;
  private output = "";

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), "utf8");
  }

  /** Runs a command of the program in the folder, to its end, and gives what it says. */
  throng(...words: string[]): string {
    return execFileSync(THRONG, words, { cwd: this.folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], timeout: PATIENCE });
  }

  async start(file: string): Promise<void> {
    if (this.port === 0) this.port = await freePort();
    const server = spawn(THRONG, ["studio", join(this.folder, file), "--port", String(this.port), "--page", PAGE], { stdio: ["ignore", "pipe", "pipe"] });
    this.process = server;
    for (const stream of [server.stdout, server.stderr]) stream?.on("data", (data) => (this.output += String(data)));
    await until(`the server answers; it said: ${this.output}`, async () => {
      if (server.exitCode !== null) throw new Error(`the server ended: ${this.output}`);
      return fetch(`http://127.0.0.1:${this.port}/`).then(
        (reply) => reply.ok,
        () => false,
      );
    });
  }

  async stop(): Promise<void> {
    const server = this.process;
    this.process = null;
    if (!server || server.exitCode !== null) return;
    const ended = new Promise((done) => server.once("exit", done));
    server.kill("SIGKILL");
    await ended;
  }

  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/`;
  }
}

/**
 * How well the browser draws. A machine without a graphics card draws with its processor, and that is what tests wait for. Coarse pictures have a sixteenth of
 * the pixels, smooth no edges, blur nothing behind panels, and come twelve times a second at most, which leaves room for everything else. What is where, in
 * pixels of the window, stays the same. Tests that look at colours and outlines take fine ones.
 */
export type Sight = "coarse" | "fine";

export function launchBrowser(sight: Sight = "coarse"): Promise<Browser> {
  // What a graphics card would draw is drawn by SwiftShader. Panels and texts are put over it by other means, as SwiftShader takes longer for them than for the scene.
  const args = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing"];
  if (sight === "coarse") args.push("--webgl-antialiasing-mode=none");
  return chromium.launch({ executablePath: CHROMIUM, args, timeout: PATIENCE });
}

/** Opens the page small, for a machine without a graphics card, and waits for people to show. */
export async function openPage(browser: Browser, server: Server, hash = "", { hints = false, sight = "coarse" as Sight } = {}): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: { width: 1100, height: 700 },
    deviceScaleFactor: sight === "coarse" ? 0.25 : 1,
    acceptDownloads: true,
    hasTouch: true,
  });
  context.setDefaultTimeout(PATIENCE);
  // The card of hints would lie over what tests click on.
  if (!hints) await context.addInitScript(() => localStorage.setItem("throng.hints", "done"));
  if (sight === "coarse") await context.addInitScript(drawLess);
  const page = await context.newPage();
  const visitor = new Visitor(page);
  await page.goto(server.url + hash);
  try {
    // A recording that stands is told once.
    await visitor.until("frames come", (studio) => studio.connection === "open" && (studio.frames > 2 || (studio.frames > 0 && !studio.state.playing)));
  } catch (error) {
    await context.close();
    throw error;
  }
  return visitor;
}

/** Runs in the page, before its own scripts. */
function drawLess(): void {
  const plain = new CSSStyleSheet();
  plain.replaceSync("* { backdrop-filter: none !important }");
  document.adoptedStyleSheets.push(plain);
  const next = window.requestAnimationFrame.bind(window);
  let drawn = -Infinity;
  window.requestAnimationFrame = (draw) =>
    window.setTimeout(
      () =>
        next((now) => {
          drawn = now;
          draw(now);
        }),
      drawn + 80 - performance.now(),
    );
}

/** What tests look at. */
export interface Stay {
  browser: Browser;
  server: Server;
  visitor: Visitor;
}

/** All visitors since the last look at their errors. */
const visitors: Visitor[] = [];

/** Closes all pages, also those that a test that failed has left: they would go on drawing. The pages must have made no errors. */
async function leave(browser: Browser | undefined, server: Server | undefined): Promise<void> {
  const errors = visitors.splice(0).flatMap((visitor) => visitor.errors);
  for (const context of browser?.contexts() ?? []) await context.close();
  await server?.dispose();
  expect(errors).toEqual([]);
}

/** A server with one scene, and somebody who looks at it from a place until all tests of the file are done. */
export function staying(scene: { file: string; text: string }, hash: string, settled: (stay: Stay) => void, { sight = "coarse" as Sight, hints = false } = {}): void {
  let browser: Browser | undefined;
  const server = new Server();
  beforeAll(async () => {
    browser = await launchBrowser(sight);
    server.write(scene.file, scene.text);
    await server.start(scene.file);
    settled({ browser, server, visitor: await openPage(browser, server, hash, { sight, hints }) });
  });
  afterAll(async () => {
    await leave(browser, server).finally(() => browser?.close());
  });
}

/** One browser for all tests of a file, and for each of them a server of its own with one scene in its folder. */
export function visiting(scene: { file: string; text: string }, begun: (visit: Omit<Stay, "visitor">) => unknown): void {
  let browser: Browser;
  let server: Server | undefined;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => browser?.close());
  beforeEach(async () => {
    server = new Server();
    server.write(scene.file, scene.text);
    await begun({ browser, server });
  });
  afterEach(() => leave(browser, server));
}

/** Somebody who uses the page. */
export class Visitor {
  readonly errors: string[] = [];
  constructor(readonly page: Page) {
    page.on("pageerror", (error) => this.errors.push(error.message));
    visitors.push(this);
  }

  /**
   * Waits until something is so in the page's own words. `argument` is passed along, as functions take nothing else with them.
   * Whatever cannot be asked yet, as the page is still being opened or has not heard of a scene, is not so yet.
   */
  async until<A>(what: string, condition: (studio: TestHook & Told, argument: A) => unknown, argument?: A): Promise<void> {
    // The page's policy forbids it to evaluate words by itself, so the asking is done from here.
    const source = `Boolean(window.throngStudio && (${condition.toString()})(window.throngStudio, ${JSON.stringify(argument ?? null)}))`;
    let refusal = "";
    const asked = async () => {
      try {
        refusal = "";
        return await this.page.evaluate<boolean>(source);
      } catch (error) {
        refusal = `; ${String(error)}`;
        return false;
      }
    };
    try {
      await until(what, asked, 100);
    } catch (error) {
      throw new Error(`${String(error)}${refusal}; ${String(await this.page.evaluate("JSON.stringify(window.throngStudio?.state)"))}`);
    }
  }

  read<T>(look: (studio: TestHook & Told) => T): Promise<T> {
    return this.page.evaluate(`(${look.toString()})(window.throngStudio)`);
  }

  async place(x: number, y: number): Promise<Spot> {
    const { x: left, y: top } = await this.page.evaluate<Spot>(`window.throngStudio.project(${x}, ${y})`);
    return { x: left, y: top };
  }

  async click(x: number, y: number): Promise<void> {
    const at = await this.place(x, y);
    await this.page.mouse.click(at.x, at.y);
  }

  async drag(from: [number, number], to: [number, number]): Promise<void> {
    const [a, b] = [await this.place(...from), await this.place(...to)];
    await this.page.mouse.move(a.x, a.y);
    await this.page.mouse.down();
    for (let i = 1; i <= 4; i++) await this.page.mouse.move(a.x + ((b.x - a.x) * i) / 4, a.y + ((b.y - a.y) * i) / 4);
    await this.page.mouse.up();
  }

  /** Fingers that touch the window at the first of their places, move on through the others together, and are lifted. */
  async touch(...fingers: Spot[][]): Promise<void> {
    const session = await this.page.context().newCDPSession(this.page);
    const send = (type: "touchStart" | "touchMove" | "touchEnd", places: Spot[]) =>
      session.send("Input.dispatchTouchEvent", { type, touchPoints: places.map((place, id) => ({ ...place, id })) });
    // One after the other, as fingers come.
    for (let i = 1; i <= fingers.length; i++) await send("touchStart", fingers.slice(0, i).map((finger) => finger[0]!));
    for (let k = 1; k < fingers[0]!.length; k++) await send("touchMove", fingers.map((finger) => finger[k]!));
    await send("touchEnd", []);
    await session.detach();
    // The browser need not wait for the page: it has heard of all fingers before it draws.
    await this.drawn();
  }

  async tap(x: number, y: number): Promise<void> {
    await this.touch([await this.place(x, y)]);
  }

  key(key: string): Promise<void> {
    return this.page.keyboard.press(key);
  }

  /** Chooses something from a menu. */
  async choose(menu: string, item: string): Promise<void> {
    await this.page.click(`button[aria-label='${menu}']`);
    await this.page.click(`[role=menuitem][aria-label='${item}']`);
  }

  /** Lets the page draw what it was about to draw. It takes two turns: the one that is asked for here may come before its own. */
  async drawn(): Promise<void> {
    await this.page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
  }

  /** Examines the pixels of a picture, or of what the window shows without its panels. As `look` runs in the page, it takes `argument` along and nothing else. */
  async pixels<T, A>(look: (pixels: ImageData, argument: A) => T, argument: A, png?: Buffer): Promise<T> {
    const picture = png ?? (await this.page.screenshot({ style: "#interface, #labels { visibility: hidden }" }));
    return this.page.evaluate<T>(`(async () => {
      const image = new Image();
      image.src = "data:image/png;base64,${picture.toString("base64")}";
      await image.decode();
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
      context.drawImage(image, 0, 0);
      return (${look.toString()})(context.getImageData(0, 0, image.width, image.height), ${JSON.stringify(argument ?? null)});
    })()`);
  }

  /** From above, where clicks hit what they aim at. */
  async lookDown(): Promise<void> {
    await this.key("t");
    await this.key("Home");
    await until("the camera rests above the scene, with north up", async () => {
      const before = await this.place(3, 4);
      // It moves with each picture, and those may be far apart.
      await this.drawn();
      const [here, north] = [await this.place(3, 4), await this.place(3, 9)];
      return here.x === before.x && here.y === before.y && Math.abs(here.x - north.x) < 0.5;
    });
  }

  /** While time stands: waits until the screen shows the very moment. The last frame comes after the word that time stands. */
  async stands(): Promise<void> {
    await this.until(
      "it stands, and the screen has caught up",
      (studio) => !studio.state.playing && studio.newest!.step === studio.state.step && Math.abs(studio.displayed.time - studio.newest!.time) < 1e-6,
    );
  }

  /** While time stands: waits until the camera rests, all are drawn as they should be, and nothing is drawn any more. */
  async rest(): Promise<void> {
    let before = -1;
    await until(
      "nothing is drawn any more",
      async () => {
        await this.drawn();
        const now = await this.read((studio) => studio.pictures);
        const rests = now === before;
        before = now;
        return rests;
      },
      1500,
    );
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

export type Spot = { x: number; y: number };

/** Places from one to another, for a finger. */
export function way(from: Spot, to: Spot, steps = 8): Spot[] {
  return Array.from({ length: steps + 1 }, (_, i) => ({ x: from.x + ((to.x - from.x) * i) / steps, y: from.y + ((to.y - from.y) * i) / steps }));
}

/** What the hook tells, with types. */
export interface Told {
  scene: SceneEvent;
  state: StateEvent;
}

export async function until(what: string, condition: () => Promise<boolean>, pause = 150): Promise<void> {
  const end = Date.now() + PATIENCE;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once("error", fail);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => done(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** Two people on both sides of a ridge from south to north, eight metres high and twelve wide. */
export const RIDGE = `format = 1
name = "Ridge"

[world]
bounds = [[-20, -12], [20, 12]]
terrain = { mesh = "ridge.obj" }

[[groups]]
name = "climbers"
people = [{ position = [-3, -2] }, { position = [3, 2] }]
`;

/** Its mesh: y is up, and z leads to the south. */
export const RIDGE_MESH = [
  ...[-20, -6, 0, 6, 20].flatMap((x) => [12, -12].map((z) => `v ${x} ${x === 0 ? 8 : 0} ${z}`)),
  ...[1, 3, 5, 7].map((v) => `f ${v} ${v + 2} ${v + 3} ${v + 1}`),
].join("\n");

/** A stream of people from west to east, led by two arrows, with comments that must survive. */
export const STREAM = `# A street, for tests.
format = 1
name = "Street"

[simulation]
duration = 600
seed = 3

[world]
bounds = [[-20, -12], [20, 12]] # not large

[[regions]]
name = "start"
rectangle = [[-19, -4], [-15, 4]]

[[fields]]
name = "stream" # from west to east
anchors = [
    { at = [-16, 0], velocity = [1.2, 0] }, # the first
    { at = [10, 0], velocity = [1.2, 0] },
]

[[groups]]
name = "walkers"
color = "#3b82c4"
speed = 1.2
led = { by = ["stream"], share = 0.9, wander = 0 }
crowds = [{ count = 12, region = "start" }]
sources = [{ region = "start", rate = 1 }]

[[groups]]
name = "bystanders"
people = [{ position = [0, 10] }, { position = [2, 10] }]
`;
