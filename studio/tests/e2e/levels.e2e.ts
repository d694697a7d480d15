/** Levels of detail, with a real server and a real browser. */
import type { Browser } from "playwright-core";
import { expect, it } from "vitest";
import { oklab } from "./colour.ts";
import { PATIENCE, Server, openPage, staying, until, type Visitor } from "./harness.ts";

/** A long square with people all over it, who stand and walk. */
const SQUARE = `format = 1
name = "Square"

[world]
bounds = [[-30, -10], [30, 220]]

[[regions]]
name = "here"
rectangle = [[-25, -5], [25, 215]]

[[groups]]
name = "walkers"
color = "#2f9e44"
goals = [{ seek = { random = "here" }, duration = 60 }, { idle = 3 }]
then = "repeat"
crowds = [{ count = 300, region = "here" }]
`;

let browser: Browser;
let visitor: Visitor;
// Low above the southern end, looking north, with people coloured by their level.
staying({ file: "square.toml", text: SQUARE }, "#camera=0,0,1,0,1.38,14&show=levels", (stay) => ({ browser, visitor } = stay), { sight: "fine" });

it("people are bodies nearby, posed farther away, and pictures in the distance", async () => {
  // At the beginning, whenever the page was ready: later there are fewer people nearby.
  await visitor.key(" ");
  await visitor.stands();
  await visitor.key("Shift+R");
  await visitor.until("it is at its beginning", (studio) => studio.displayed.time === 0);
  let drawn = await visitor.read((studio) => studio.drawn);
  await until("there are people of every level, and nobody is a figure", async () => {
    drawn = await visitor.read((studio) => studio.drawn);
    const { bodies, posed, impostors, figures } = drawn;
    return bodies >= 3 && posed >= 10 && impostors >= 50 && figures === 0;
  });
  expect(drawn.bodies + drawn.posed + drawn.impostors).toBe(300);
  expect(drawn.pictures).toBeGreaterThan(20);
  // The server tells of them a few times per second.
  await visitor.until("levels are told", (studio) => studio.state.levels);
  const levels = await visitor.read((studio) => studio.state.levels!);
  const { full, posed, impostor, unseen } = levels.bodies;
  expect(full + posed + impostor + unseen).toBe(300);
  expect(levels.efforts).toEqual({ path: 0, simple: 0, full: 300 });
  await visitor.key(" ");
  await visitor.until("it goes on", (studio) => studio.state.playing);
});

it("the legend and the panel count them, and tell what the stages of the engine take", async () => {
  const legend = visitor.page.locator(".levels-legend");
  await expect.poll(() => legend.isVisible(), { timeout: PATIENCE }).toBe(true);
  const counted = async () => (await legend.locator("b").allTextContents()).reduce((sum, count) => sum + Number(count), 0);
  await expect.poll(counted, { timeout: PATIENCE }).toBe(300);
  await visitor.key("6");
  const panel = visitor.page.locator(".performance");
  await expect.poll(() => panel.locator(".pipeline span").allTextContents(), { timeout: PATIENCE }).toEqual(["Scaler", "Simulator", "Animator", "Gaze"]);
  for (const words of ["Bodies of their own", "Simulated in full300"]) await expect.poll(() => panel.locator(".levels").textContent(), { timeout: PATIENCE }).toContain(words);
  await visitor.key("6");
});

it("an author can have those simulated simply who are not seen so well", async () => {
  await visitor.key("6");
  const choice = visitor.page.getByLabel("Full effort");
  await choice.selectOption("100");
  await visitor.until("a hundred are simulated in full", (studio) => studio.state.levels!.efforts.full === 100 && studio.state.levels!.efforts.simple === 200);
  expect(await visitor.read((studio) => studio.state.efforts)).toEqual({ full: 100, simple: null, ms: null });
  await expect.poll(() => visitor.page.locator(".performance .levels").textContent(), { timeout: PATIENCE }).toContain("Simulated simply200");
  await choice.selectOption("all");
  await visitor.until("everybody is, again", (studio) => studio.state.levels!.efforts.full === 300 && studio.state.efforts === null);
  await visitor.key("6");
});

/** How many pixels of a picture of the stage are of about this colour, whatever the light. */
function painted(hue: [number, number]): Promise<number> {
  return visitor.pixels(({ data, width, height }, [from, to]) => {
    let count = 0;
    for (let y = 60; y < height - 120; y++) {
      for (let i = 4 * (y * width + 80); i < 4 * (y * width + width - 340); i += 4) {
        const [r, g, b] = [data[i]!, data[i + 1]!, data[i + 2]!];
        const [max, min] = [Math.max(r, g, b), Math.min(r, g, b)];
        if (max - min < 70) continue;
        const sector = max === r ? ((g - b) / (max - min) + 6) % 6 : max === g ? (b - r) / (max - min) + 2 : (r - g) / (max - min) + 4;
        if (60 * sector >= from && 60 * sector < to) count++;
      }
    }
    return count;
  }, hue);
}

it("colours are those of levels, and go with the overlay", async () => {
  const [amber, blue] = [await painted([30, 50]), await painted([200, 225])];
  expect(amber).toBeGreaterThan(300);
  expect(blue).toBeGreaterThan(100);
  await visitor.key("7");
  await visitor.until("it is off", (studio) => !studio.overlays.includes("levels"));
  await expect.poll(() => visitor.page.locator(".levels-legend").isVisible(), { timeout: PATIENCE }).toBe(false);
  // What is left of blue is the outline of the region.
  await expect.poll(() => painted([30, 50]), { timeout: PATIENCE }).toBeLessThan(amber / 4);
  expect(await painted([200, 225])).toBeLessThan(blue - 300);
  // In clothes of their own instead, and in the colour of their group if one asks for it.
  expect(await painted([120, 150])).toBeLessThan(100);
  await visitor.key("u");
  await expect.poll(() => painted([120, 150]), { timeout: PATIENCE }).toBeGreaterThan(100);
});

it("nobody is drawn with a body, a pose or a picture when bodies are off", async () => {
  await visitor.page.selectOption(".bodies", "off");
  await visitor.until("all are figures", (studio) => studio.drawn.figures === 300);
  await visitor.page.selectOption(".bodies", "near");
  await visitor.until("all are back", (studio) => studio.drawn.figures === 0 && studio.drawn.posed > 0);
});

/** Sixteen people who stand in a row, facing where pictures are taken from: what differs then are colours and places, not outlines. */
const ROW = `format = 1
name = "Row"

[world]
bounds = [[-40, -150], [40, 40]]

[[groups]]
name = "idlers"
people = [${Array.from({ length: 16 }, (_, i) => `{ position = [${i - 7.5}, 0], heading = ${(45 * i) % 360} }`).join(", ")}]
`;

it("nobody changes colour, size or place when a picture takes the place of a mesh", async () => {
  // One page at a time is enough for a machine without a graphics card.
  await visitor.key(" ");
  const row = new Server();
  row.write("row.toml", ROW);
  await row.start("row.toml");
  const at = (distance: number) => `#camera=0,0,1,0,1.2,${distance}`;
  const guest = await openPage(browser, row, at(60), { sight: "fine" });
  try {
    const goTo = async (distance: number) => {
      await guest.page.evaluate(`location.hash = "${at(distance)}"`);
      await guest.until("the camera is there", (studio, d) => Math.abs((studio.camera as { distance: number }).distance - d!) < 0.01, distance);
    };
    await guest.until("all are posed", (studio) => studio.drawn.posed === 16);
    await guest.key(" ");
    await guest.until("it is paused", (studio) => !studio.state.playing);
    // Poses are those of the beginning, whenever the key was pressed.
    await guest.key("Shift+R");
    await guest.until("it is at its beginning", (studio) => studio.displayed.time === 0);
    // Levels are not given up at once: at the same place people are posed who were nearer before, and pictures who were farther away.
    const seen: Portrait[][] = [];
    await guest.page.evaluate(`
      window.mostTwice = 0;
      (function look() {
        window.mostTwice = Math.max(window.mostTwice, window.throngStudio.drawn.twice);
        requestAnimationFrame(look);
      })()`);
    for (const [from, kind] of [[60, "posed"], [140, "impostors"]] as const) {
      await goTo(from);
      await guest.until(`all are ${kind}`, (studio, kind) => studio.drawn[kind!] === 16, kind);
      await goTo(95);
      await guest.rest();
      const drawn = await guest.read((studio) => studio.drawn);
      expect([drawn[kind], drawn.twice]).toEqual([16, 0]);
      seen.push(await portraits(guest));
    }
    // On the way from the one to the other they were both, for a moment.
    expect(await guest.page.evaluate("window.mostTwice")).toBeGreaterThan(0);
    const [meshes, pictures] = seen as [Portrait[], Portrait[]];
    const apart: number[] = [];
    meshes.forEach((mesh, i) => {
      const picture = pictures[i]!;
      const [a, b] = [colour(mesh.light, mesh), colour(picture.light, mesh)];
      apart.push(Math.hypot(...a.map((part, k) => part - b[k]!)));
      expect(Math.abs(picture.top - mesh.top)).toBeLessThanOrEqual(1);
      expect(Math.abs(picture.bottom - mesh.bottom)).toBeLessThanOrEqual(1);
    });
    expect(Math.max(...apart), `in OKLab, person by person: ${apart.map((x) => x.toFixed(4)).join(" ")}`).toBeLessThan(0.03);
    expect(apart.reduce((sum, x) => sum + x, 0) / apart.length).toBeLessThan(0.01);
  } finally {
    await guest.close();
    await row.dispose();
  }
});

interface Portrait {
  /** The ground, and by how much all pixels around a person are brighter than it, in linear light. */
  ground: number[];
  light: number[];
  /** How many pixels differ from the ground, and where those begin and end that are clearly of a body, from above. */
  covered: number;
  top: number;
  bottom: number;
}

/** The mean colour of a body in OKLab that changes light so much, on as many pixels as somebody covers. */
function colour(light: number[], { ground, covered }: Portrait): number[] {
  return oklab(ground.map((part, k) => Math.max(0, part + light[k]! / covered)) as [number, number, number]);
}

/** What is seen of each person in the row. */
function portraits(guest: Visitor): Promise<Portrait[]> {
  return guest.pixels(({ data, width }): Portrait[] => {
    const linear = (byte: number) => (byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
    return Array.from({ length: 16 }, (_, i) => {
      const feet = window.throngStudio!.project(i - 7.5, 0);
      const [left, top] = [Math.round(feet.x) - 7, Math.round(feet.y) - 25];
      const at = (x: number, y: number) => [0, 1, 2].map((k) => linear(data[4 * ((top + y) * width + left + x) + k]!));
      const ground = at(0, 0);
      const light = [0, 0, 0];
      let [covered, begin, end] = [0, Infinity, -Infinity];
      for (let y = 0; y < 33; y++)
        for (let x = 0; x < 15; x++) {
          const more = at(x, y).map((part, k) => part - ground[k]!);
          more.forEach((part, k) => (light[k]! += part));
          const differs = Math.max(...more.map(Math.abs));
          if (differs > 0.12) covered++;
          if (differs < 0.35) continue;
          begin = Math.min(begin, y);
          end = Math.max(end, y);
        }
      return { ground, light, covered, top: begin, bottom: end };
    });
  }, null);
}
