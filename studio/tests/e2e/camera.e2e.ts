/** The camera among walls, the plan from above, floors of a building, and who is drawn before what. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "playwright-core";
import { Server, launchBrowser, openPage, until, type Visitor } from "./harness.ts";

/** One person in the corner of two walls, south and west of them, and a house farther east. An arrow lies behind the person, seen from the south-east. */
const YARD = `format = 1
name = "Yard"

[world]
bounds = [[-20, -20], [20, 20]]

[[obstacles]]
box = { center = [0, -1.9], size = [12, 0.2] }
height = 3

[[obstacles]]
box = { center = [-5.9, 4], size = [0.2, 12] }
height = 3

[[obstacles]]
box = { center = [13, 0], size = [10, 12] }
height = 8

[[fields]]
name = "back"
anchors = [{ at = [0, 4], velocity = [0, 4.5] }]

[[groups]]
name = "led"
color = "#ff00ff"
led = { by = ["back"], share = 1, wander = 0 }

[[groups]]
name = "standing"
color = "#3b82c4"
people = [{ position = [-4, -0.9] }, { position = [0, 0.5], heading = -90 }]
`;

/** A hall with an open gallery over it, and people on both who stay where they are. */
const FLOORS = `format = 1
name = "Floors"

[world]
bounds = [[-16, -10], [16, 10]]

[[layers]]
name = "hall"

[[layers]]
name = "gallery"
elevation = 3.5

[[groups]]
name = "visitors"
people = [{ position = [-6, 0] }, { position = [-2, 0] }, { position = [3, 2], layer = "gallery" }, { position = [5, -3], layer = "gallery" }, { position = [8, 1], layer = "gallery" }]
`;

let browser: Browser;
const server = new Server();

async function visit(file: string, text: string, hash = "", sight: "coarse" | "fine" = "coarse"): Promise<Visitor> {
  await server.stop();
  server.write(file, text);
  await server.start(file);
  const visitor = await openPage(browser, server, hash, { sight });
  await visitor.page.keyboard.press(" ");
  await visitor.stands();
  return visitor;
}

beforeAll(async () => {
  browser = await launchBrowser("fine");
});
afterAll(async () => {
  await browser.close();
  await server.dispose();
});

/** Whether a place is in one of the yard's walls, or in the house. */
const isInWall = ([x, y, height]: [number, number, number]): boolean =>
  [[-6, -2, 6, -1.8, 3], [-6, -2, -5.8, 10, 3], [8, -6, 18, 6, 8]].some((box) => x > box[0]! && x < box[2]! && y > box[1]! && y < box[3]! && height < box[4]!);

/** Waits until the camera rests; while somebody is selected, pictures go on. */
async function settled(visitor: Visitor): Promise<void> {
  let before = "";
  await until("the camera rests", async () => {
    await visitor.drawn();
    const now = JSON.stringify(await visitor.read((studio) => [studio.eye, studio.project(0, 0), studio.project(5, 5)]));
    const rests = now === before;
    before = now;
    return rests;
  });
}

describe("the camera", () => {
  let visitor: Visitor;
  beforeAll(async () => {
    // The eye of this view is in the middle of the house.
    visitor = await visit("yard.toml", YARD, "#camera=2,0,1,1.5708,1.4,11");
  });
  afterAll(async () => {
    expect(visitor.errors).toEqual([]);
    await visitor.close();
  });

  it("is not in a wall that an address has it in, nor when it comes to a person or follows them", async () => {
    await settled(visitor);
    expect(isInWall([2 + 11 * Math.sin(1.4), 0, 1 + 11 * Math.cos(1.4)])).toBe(true);
    expect(isInWall(await visitor.read((studio) => studio.eye))).toBe(false);
    // From behind the southern wall.
    await visitor.page.goto(`${server.url}#camera=-4,-0.9,1,0,1.45,1.2&person=0`);
    await visitor.page.reload();
    await visitor.until("the person is selected", (studio) => (studio.selection as { ids: number[] } | null)?.ids[0] === 0 && Object.keys(studio.displayed.people).length === 2);
    for (const key of ["c", "q", "q", "q", "q"]) {
      await visitor.key(key);
      await settled(visitor);
      expect(isInWall(await visitor.read((studio) => studio.eye))).toBe(false);
    }
  });

  it("shows a person as large as a third of the picture with F, from where no wall is before them", async () => {
    await visitor.key("f");
    await settled(visitor);
    const [feet, head] = await visitor.read((studio) => [studio.project(-4, -0.9, 0, 0), studio.project(-4, -0.9, 0, 1.75)]);
    expect((feet!.y - head!.y) / 700).toBeGreaterThan(0.28);
    expect((feet!.y - head!.y) / 700).toBeLessThan(0.38);
    const eye = await visitor.read((studio) => studio.eye);
    // Inside of the corner, or high above the walls.
    expect((eye[0] > -5.8 && eye[1] > -1.8) || eye[2] > 5).toBe(true);
  });

  it("shows everything with Home, whatever was followed, and resets the direction", async () => {
    await visitor.key("c");
    for (let i = 0; i < 6; i++) await visitor.key("e");
    await visitor.key("Home");
    await settled(visitor);
    const { camera, corners } = await visitor.read((studio) => ({
      camera: studio.camera,
      corners: [[-20, -20], [20, 20], [-20, 20], [20, -20]].map(([x, y]) => studio.project(x!, y!)),
    }));
    expect([camera.azimuth, camera.tilt]).toEqual([-0.22, 0.82]);
    for (const { x, y } of corners) {
      expect(x).toBeGreaterThan(55);
      expect(x).toBeLessThan(1045);
      expect(y).toBeGreaterThan(45);
      expect(y).toBeLessThan(650);
    }
  });

  it("looks straight down without perspective with T, where clicks, wheel and addresses work, and back", async () => {
    const before = await visitor.read((studio) => studio.camera);
    await visitor.key("t");
    await settled(visitor);
    const [low, high] = await visitor.read((studio) => [studio.project(13, 5, 0, 0), studio.project(13, 5, 0, 8)]);
    expect(Math.hypot(high!.x - low!.x, high!.y - low!.y)).toBeLessThan(0.5);
    await visitor.key("Escape");
    await visitor.click(0, 0.5);
    await visitor.until("the person is selected", (studio) => (studio.selection as { ids: number[] } | null)?.ids[0] === 1);
    // The roof of the house, and not what is behind it in perspective.
    await visitor.click(8.3, -5.7);
    await visitor.until("the house is selected", (studio) => (studio.selection as { index: number } | null)?.index === 2);
    const at = await visitor.place(3, 4);
    await visitor.page.mouse.move(at.x, at.y);
    await visitor.page.mouse.wheel(0, -400);
    await settled(visitor);
    const after = await visitor.place(3, 4);
    expect(Math.hypot(after.x - at.x, after.y - at.y)).toBeLessThan(1);
    await visitor.choose("Picture", "Copy a link to this view");
    await until("the address says so", async () => visitor.page.url().includes("projection=orthographic"));
    await visitor.page.reload();
    await visitor.until("it is still from above", (studio) => studio.camera.orthographic === true && Object.keys(studio.displayed.people).length === 2);
    const again = await visitor.place(3, 4);
    expect(Math.hypot(after.x - again.x, after.y - again.y)).toBeLessThan(2);
    await visitor.key("t");
    await settled(visitor);
    expect(await visitor.read((studio) => studio.camera)).toMatchObject({ azimuth: before.azimuth, tilt: before.tilt });
  });
});

describe("an arrow behind somebody", () => {
  it("is not drawn over them, and is seen beside them", async () => {
    // The arrow is 9 m long and runs away from the camera, behind the person and their head.
    const visitor = await visit("yard.toml", YARD, "#camera=0,0.5,1.2,0,1.3,6", "fine");
    await visitor.rest();
    const { head, feet, tail } = await visitor.read((studio) => ({ head: studio.project(0, 0.5, 0, 1.62), feet: studio.project(0, 0.5), tail: studio.project(0, 4.05) }));
    expect(tail.y).toBeLessThan(feet.y);
    const magenta = (x: number, y: number, half: number) =>
      visitor.pixels(
        ({ data, width }, [x, y, half]) => {
          let count = 0;
          for (let row = y! - half!; row < y! + half!; row++) {
            for (let i = 4 * (row * width + x! - half!); i < 4 * (row * width + x! + half!); i += 4) if (Math.min(data[i]!, data[i + 2]!) > data[i + 1]! + 60) count++;
          }
          return count;
        },
        [x, y, half].map(Math.round),
      );
    expect(await magenta(head.x, head.y, 8)).toBe(0);
    expect(await magenta(head.x, head.y - 70, 80)).toBeGreaterThan(20);
    expect(visitor.errors).toEqual([]);
    await visitor.close();
  });
});

describe("floors", () => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await visit("floors.toml", FLOORS);
  });
  afterAll(async () => {
    expect(visitor.errors).toEqual([]);
    await visitor.close();
  });
  const drawn = () => visitor.read(({ drawn: { bodies, posed, impostors, figures } }) => bodies + posed + impostors + figures);

  it("are all drawn at first; a chosen one hides those above, and says whom", async () => {
    await visitor.rest();
    expect(await visitor.read((studio) => studio.floor)).toBeNull();
    expect(await drawn()).toBe(5);
    expect(await visitor.page.isVisible(".floor-note")).toBe(false);
    await visitor.page.selectOption("select.floors", { label: "hall" });
    await visitor.until("those above are hidden", (studio) => studio.floor === 0 && studio.hiddenPeople === 3);
    await visitor.rest();
    expect(await drawn()).toBe(2);
    expect(await visitor.page.textContent(".floor-note")).toContain("3 people on hidden floors");
    await visitor.key("PageUp");
    await visitor.until("the gallery is drawn", (studio) => studio.floor === 1 && studio.hiddenPeople === 0);
    await visitor.key("PageDown");
    await visitor.until("the hall is alone", (studio) => studio.hiddenPeople === 3);
    await visitor.page.click(".floor-note button");
    await visitor.until("all are drawn", (studio) => studio.floor === null && studio.hiddenPeople === 0);
  });

  it("are drawn on where the pointer is, or on the chosen one", async () => {
    await visitor.lookDown();
    const layers = () => visitor.read((studio) => studio.scene.obstacles.filter((obstacle) => obstacle.index !== null).map((obstacle) => obstacle.layer));
    await visitor.key("b");
    await visitor.drag([-12, -8], [-10, -6]);
    await until("the box is on the gallery", async () => JSON.stringify(await layers()) === "[1]");
    await visitor.key("PageDown");
    await visitor.key("PageDown");
    await visitor.until("the hall is chosen", (studio) => studio.floor === 0);
    await visitor.drag([10, 6], [12, 8]);
    await until("the box is in the hall", async () => JSON.stringify((await layers()).sort()) === "[0,1]");
  });
});
