/** What a user does, with a real server and a real browser. */
import type { Browser } from "playwright-core";
import { describe, expect, it } from "vitest";
import { PATIENCE, RIDGE, RIDGE_MESH, STREAM, openPage, until, visiting, way, type Server, type Spot, type Visitor } from "./harness.ts";

let browser: Browser;
let server: Server;
let visitor: Visitor;

visiting({ file: "street.toml", text: STREAM }, async (visit) => {
  ({ browser, server } = visit);
  await server.start("street.toml");
  visitor = await openPage(browser, server);
});

describe("watching", () => {
  it("people walk, and are where the server says", async () => {
    await visitor.until("people are shown", (studio) => Object.keys(studio.displayed.people).length >= 12);
    const before = await visitor.read((studio) => studio.newest!);
    await visitor.until("time passes on the screen, too", (studio, time) => studio.displayed.time > time + 2, before.time);
    const { newest, displayed } = await visitor.read((studio) => ({ newest: studio.newest!, displayed: studio.displayed }));
    const both = Object.keys(displayed.people).filter((id) => id in newest.people && id in before.people);
    expect(both.length).toBeGreaterThan(5);
    expect(displayed.time).toBeLessThanOrEqual(newest.time + 1e-6);
    const walked = both.map((id) => displayed.people[Number(id)]![0] - before.people[Number(id)]![0]);
    expect(Math.max(...walked)).toBeGreaterThan(0.8);
    // What is shown lies a moment behind the newest frame: nobody is farther from it than they walk in that time.
    const late = newest.time - displayed.time;
    for (const id of both) {
      const [a, b] = [displayed.people[Number(id)]!, newest.people[Number(id)]!];
      expect(Math.hypot(a[0] - b[0], a[1] - b[1])).toBeLessThan(2 * late + 0.3);
    }
  });

  it("a pause stops all, a step makes one step, and the screen shows the very moment", async () => {
    await visitor.key(" ");
    await visitor.stands();
    const step = await visitor.read((studio) => studio.newest!.step);
    await visitor.page.waitForTimeout(700);
    expect(await visitor.read((studio) => studio.newest!.step)).toBe(step);
    await visitor.key(".");
    await visitor.until("one step was made", (studio, next) => studio.newest!.step === next, step + 1);
    await visitor.stands();
    const { newest, displayed } = await visitor.read((studio) => ({ newest: studio.newest!, displayed: studio.displayed }));
    expect(Object.keys(displayed.people)).toEqual(Object.keys(newest.people));
    // Those who cross an axis lose the last bit of a number.
    for (const [id, [x, y]] of Object.entries(displayed.people)) expect(Math.hypot(x - newest.people[Number(id)]![0], y - newest.people[Number(id)]![1])).toBeLessThan(1e-6);
    await visitor.key(" ");
    await visitor.until("it goes on", (studio, then) => studio.newest!.step > then + 3, step);
  });

  it("who is new is told what to try, once", async () => {
    const newcomer = await openPage(browser, server, "", { hints: true });
    const card = newcomer.page.locator(".hints");
    expect(await card.isVisible()).toBe(true);
    await newcomer.page.click(".hints [aria-label='Do not show again']");
    expect(await card.isVisible()).toBe(false);
    await newcomer.page.reload();
    await newcomer.until("the scene is back", (studio) => studio.frames > 2);
    expect(await card.isVisible()).toBe(false);
    await newcomer.close();
  });

  it("nothing is drawn while nothing moves", async () => {
    await visitor.lookDown();
    await visitor.key(" ");
    await visitor.stands();
    await until("no more pictures are drawn", async () => {
      const before = await visitor.read((studio) => studio.pictures);
      await visitor.page.waitForTimeout(1000);
      return (await visitor.read((studio) => studio.pictures)) === before;
    });
  });

  it("a person can be inspected", async () => {
    await visitor.lookDown();
    const at = await visitor.read((studio) => studio.project(0, 10));
    await visitor.page.mouse.click(at.x, at.y);
    await visitor.until("the bystander is selected", (studio) => (studio.selection as { ids?: number[] } | null)?.ids?.length === 1);
    await visitor.until("the card tells of them", (studio) => (studio.inspection as { group?: string } | null)?.group === "bystanders");
    await expect.poll(() => visitor.page.locator(".person .facts").textContent(), { timeout: PATIENCE }).toContain("bystanders");
  });

  it("the picture is not blank", async () => {
    const onlooker = await openPage(browser, server, "", { sight: "fine" });
    await onlooker.until("people are drawn", (studio) => studio.pictures > 2 && Object.keys(studio.displayed.people).length >= 12);
    const different = await onlooker.pixels(({ data }) => {
      const colors = new Set<number>();
      for (let i = 0; i < data.length; i += 4 * 7) colors.add((data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!);
      return colors.size;
    }, null);
    expect(different).toBeGreaterThan(60);
    await onlooker.close();
  });

  it("a picture can be saved", async () => {
    const onlooker = await openPage(browser, server, "", { sight: "fine" });
    await onlooker.until("people are drawn", (studio) => studio.pictures > 2 && Object.keys(studio.displayed.people).length >= 12);
    const download = onlooker.page.waitForEvent("download");
    await onlooker.key("k");
    const file = await download;
    expect(file.suggestedFilename()).toBe("street.png");
    const chunks: Buffer[] = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    expect([...bytes.subarray(1, 4)].map((code) => String.fromCharCode(code)).join("")).toBe("PNG");
    expect(bytes.length).toBeGreaterThan(20_000);
    await onlooker.close();
  });
});

describe("directing", () => {
  /** How fast the walkers between two places go north, on average over a few steps. */
  const northward = (a: { people: Record<number, [number, number]>; time: number }, b: typeof a) => {
    const speeds = Object.keys(a.people)
      .filter((id) => id in b.people && Math.abs(a.people[Number(id)]![1]) < 9.5)
      .map((id) => (b.people[Number(id)]![1] - a.people[Number(id)]![1]) / (b.time - a.time));
    return speeds.reduce((sum, speed) => sum + speed, 0) / speeds.length;
  };
  const measure = async () => {
    const before = await visitor.read((studio) => studio.newest!);
    await visitor.until("a while passes", (studio, time) => studio.newest!.time > time + 1.5, before.time);
    return northward(before, await visitor.read((studio) => studio.newest!));
  };

  it("an arrow turns the flow; without it, or undone, it flows as before", async () => {
    await visitor.lookDown();
    await visitor.until("people walk", (studio) => studio.newest!.time > 3);
    expect(Math.abs(await measure())).toBeLessThan(0.25);
    await visitor.key("a");
    await visitor.drag([-9, 1], [-9, 5]);
    await visitor.until("there are three arrows", (studio) => studio.anchors.length === 3);
    const arrow = (await visitor.read((studio) => studio.anchors))[2]!;
    expect(arrow.at[0]).toBeCloseTo(-9, 0);
    expect(arrow.velocity[1]).toBeCloseTo(2, 0);
    await until("the flow turns north", async () => (await measure()) > 0.35);

    await visitor.click(-9, 1);
    await visitor.until("the arrow is selected", (studio) => (studio.selection as { kind?: string } | null)?.kind === "arrow");
    await visitor.key("Delete");
    await visitor.until("there are two arrows", (studio) => studio.anchors.length === 2);
    await visitor.key("Control+z");
    await visitor.until("the arrow is back", (studio) => studio.anchors.length === 3);
    await visitor.key("Control+z");
    await visitor.until("it was never there", (studio) => studio.anchors.length === 2);
    await visitor.key("Control+Shift+z");
    await visitor.until("and is there again", (studio) => studio.anchors.length === 3);
  });

  it("an arrow can be moved and turned by its ends, and one undo takes a drag back", async () => {
    await visitor.lookDown();
    await visitor.key("a");
    await visitor.drag([10, 0], [10, 6]);
    await visitor.until("its tail is elsewhere", (studio) => Math.abs(studio.anchors[1]!.at[1] - 6) < 0.3);
    const moved = (await visitor.read((studio) => studio.anchors))[1]!;
    const head: [number, number] = [moved.at[0] + moved.velocity[0] * 2, moved.at[1] + moved.velocity[1] * 2];
    await visitor.drag(head, [moved.at[0], moved.at[1] - 3]);
    await visitor.until("it points south", (studio) => studio.anchors[1]!.velocity[1] < -1.2);
    await visitor.key("Control+z");
    await visitor.until("it points east again", (studio) => Math.abs(studio.anchors[1]!.velocity[1]) < 0.05);
    await visitor.key("Control+z");
    await visitor.until("it is where it was", (studio) => Math.abs(studio.anchors[1]!.at[1]) < 0.05);
  });

  it("the first arrow of a group makes its field, and removing it takes the field along", async () => {
    await visitor.lookDown();
    await visitor.page.click("[data-group=bystanders]");
    await visitor.key("a");
    await visitor.drag([4, 7], [8, 7]);
    await visitor.until("they are led", (studio) => studio.anchors.length === 1 && studio.scene.fields.length === 2);
    await visitor.until("they walk east", (studio) => Object.values(studio.newest!.people).some(([x, y]) => y > 8 && x > 2.6));
    await visitor.click(4, 7);
    await visitor.key("Delete");
    await visitor.until("the field is gone", (studio) => studio.scene.fields.length === 1 && studio.anchors.length === 0);
  });

  it("a group is added and taken away, with the arrows that lead nobody else", async () => {
    await visitor.lookDown();
    await visitor.page.click("#add-group");
    await visitor.until("it is there, though empty", (studio) => studio.scene.groups.length === 3 && studio.group === "group");
    await visitor.key("Control+z");
    await visitor.until("it is gone, and another is chosen", (studio) => studio.scene.groups.length === 2 && studio.group === "walkers");
    await visitor.page.click("[aria-label='Remove group “walkers”']");
    await visitor.until("the walkers are gone, and what led them", (studio) => studio.scene.groups.length === 1 && studio.scene.fields.length === 0);
    await visitor.key("Control+z");
    await visitor.until("one undo brings both back", (studio) => studio.scene.groups.length === 2 && studio.scene.fields[0]?.anchors.length === 2);
  });

  it("how far a group is led can be slid", async () => {
    const slider = visitor.page.locator("#share");
    await slider.focus();
    for (let i = 0; i < 5; i++) {
      await visitor.key("PageDown");
      const shown = Number(await slider.inputValue());
      // One key after the other: what the server says of the last one sets the slider.
      await visitor.until("the server has what is shown", (studio, value) => Math.abs(studio.scene.groups[0]!.share! - value) < 0.011, shown);
    }
    expect(await visitor.read((studio) => studio.scene.groups[0]!.share)).toBeLessThan(0.7);
  });

  it("nobody is in a new wall", async () => {
    await visitor.lookDown();
    await visitor.key("w");
    await visitor.click(-8, -9);
    await visitor.click(-8, 9);
    await visitor.key("Enter");
    await visitor.until("the wall is there", (studio) => studio.scene.obstacles.length === 1);
    const since = await visitor.read((studio) => studio.newest!.time);
    await visitor.until("a while passes", (studio, time) => studio.newest!.time > time + 6, since);
    const inside = await visitor.read((studio) => Object.values(studio.newest!.people).filter(([x, y]) => Math.abs(x + 8) < 0.1 && Math.abs(y) < 9));
    expect(inside).toEqual([]);
    const before = await visitor.read((studio) => studio.scene.obstacles[0]!.solids[0]!);
    await visitor.key("v");
    // Where nobody stands at the wall, or they would be taken.
    const y = await visitor.read((studio) => [7, -7, 5, -5, 3, -3].find((y) => Object.values(studio.displayed.people).every(([px, py]) => Math.hypot(px + 8, py - y) > 1.5)));
    await visitor.drag([-8, y!], [-5, y!]);
    await visitor.until("it was moved", (studio, x) => Math.abs(studio.scene.obstacles[0]!.solids[0]![0]![0] - x - 3) < 0.3, before[0]![0]);
    await visitor.key("Delete");
    await visitor.until("it is gone", (studio) => studio.scene.obstacles.length === 0);
  });

  it("people are painted, selected by a rectangle, moved to another group and removed", async () => {
    await visitor.lookDown();
    await visitor.page.click("#add-group");
    await visitor.until("the new group is chosen, and the brush", (studio) => studio.group === "group" && studio.tool === "brush");
    await visitor.drag([4, -10], [12, -10]);
    await visitor.until("there are people in it", (studio) => (studio.scene.document["groups"] as { people?: unknown[] }[])[2]?.people);
    const painted = await visitor.read((studio) => (studio.scene.document["groups"] as { people?: unknown[] }[])[2]!.people!.length);
    expect(painted).toBeGreaterThan(5);
    await visitor.until("they are shown", (studio, n) => Object.values(studio.displayed.people).filter(([x, y]) => y < -9 && x > 3.5).length >= n, painted);
    await visitor.key("v");
    await visitor.drag([2, -8.7], [14, -11.5]);
    await visitor.until("they are selected", (studio, n) => (studio.selection as { ids: number[] } | null)?.ids?.length === n, painted);
    await visitor.page.selectOption(".selection select", "bystanders");
    await visitor.until("they belong to others", (studio) => studio.scene.undo === "Change group");
    const crowd = await visitor.read((studio) => Object.keys(studio.newest!.people).length);
    await visitor.key("Delete");
    await visitor.until("they are gone", (studio) => Object.values(studio.newest!.people).filter(([x, y]) => y < -9 && x > 3.5).length === 0);
    expect(crowd).toBeGreaterThan(painted);
  });
});

describe("places and goals", () => {
  it("a region is drawn, renamed, and people leave there", async () => {
    await visitor.lookDown();
    await visitor.key("r");
    await visitor.drag([12, -4], [16, 4]);
    await visitor.until("it is there and selected", (studio) => (studio.selection as { name?: string } | null)?.name === "place");
    await visitor.page.fill(".selection input[type=text]", "exit");
    await visitor.key("Enter");
    await visitor.until("it has its name", (studio) => studio.scene.regions.some((region) => region.name === "exit"));
    await visitor.page.click(".selection button:has-text('leaves here')");
    await visitor.until("the group has a goal", (studio) => {
      const group = (studio.scene.document["groups"] as { goals?: unknown; then?: string }[])[0]!;
      return group.then === "leave" && JSON.stringify(group.goals) === '[{"seek":"exit"}]';
    });
  });

  it("a goal sends a group, and a person is sent elsewhere", async () => {
    await visitor.lookDown();
    await visitor.page.click("[data-group=bystanders]");
    await visitor.key("g");
    await visitor.click(10, 10);
    await visitor.until("they walk there", (studio) => Object.values(studio.newest!.people).some(([x, y]) => y > 9 && x > 4));
    await visitor.key(" ");
    await visitor.stands();
    const [x, y] = (await visitor.read((studio) => Object.values(studio.displayed.people).find(([, there]) => there > 9)))!;
    await visitor.key("v");
    await visitor.click(x, y);
    await visitor.until("one is selected", (studio) => (studio.selection as { ids?: number[] } | null)?.ids?.length === 1);
    // Both may have arrived, and stand so near to each other that the click met the other.
    const [id] = await visitor.read((studio) => (studio.selection as { ids: number[] }).ids);
    await visitor.page.click(".selection button:has-text('Send to')");
    await visitor.click(x, y - 6);
    await visitor.key(" ");
    await visitor.until("they go south", (studio, who) => studio.newest!.people[who.id]![1] < who.y - 2, { id: id!, y });
  });

  it("what the server refuses is said in words", async () => {
    await visitor.lookDown();
    await visitor.key("v");
    // Somebody may stand there just now.
    await until("the region of the source is selected", async () => {
      await visitor.click(-18.7, -3.7);
      return visitor.read((studio) => (studio.selection as { name?: string } | null)?.name === "start");
    });
    await visitor.key("Delete");
    await expect.poll(() => visitor.page.locator(".message.error").allTextContents(), { timeout: PATIENCE }).toEqual([expect.stringContaining("start")]);
    expect(await visitor.read((studio) => studio.scene.regions.length)).toBe(1);
  });

  it("an empty scene guides to a crowd", async () => {
    await visitor.choose("File", "New scene …");
    await visitor.page.fill("dialog input", "fresh.toml");
    await visitor.key("Enter");
    await visitor.until("it is empty", (studio) => studio.scene.groups.length === 0);
    // The scene may come before the word that closes the dialog, which keys belong to until then.
    await visitor.until("the dialog is closed", () => !document.querySelector("dialog"));
    await visitor.lookDown();
    await visitor.page.click(".hints .button");
    await visitor.until("the brush is at hand", (studio) => studio.tool === "brush" && studio.group === "visitors");
    expect(await visitor.page.locator(".hints li.done").count()).toBe(1);
    const middle = await visitor.read((studio) => studio.scene.bounds);
    const [cx, cy] = [(middle[0][0] + middle[1][0]) / 2, (middle[0][1] + middle[1][1]) / 2];
    await visitor.drag([cx - 4, cy], [cx + 4, cy]);
    await visitor.until("there are people", (studio) => Object.keys(studio.newest!.people).length > 4);
    await visitor.key("Control+s");
    await expect.poll(() => server.read("fresh.toml"), { timeout: PATIENCE }).toContain("position");
  });
});

describe("hills", () => {
  const selected = () => visitor.read((studio) => (studio.selection as { ids?: number[]; kind?: string } | null)?.ids ?? []);
  const look = (hash: string) => visitor.page.evaluate((to) => void (location.hash = to), hash);

  it("people and walls stand on them, are taken there, and are hidden behind them", async () => {
    server.write("ridge.toml", RIDGE);
    server.write("ridge.obj", RIDGE_MESH);
    await visitor.key("Control+o");
    await visitor.page.click("dialog .files button:has-text('ridge.toml')");
    await visitor.until("the ridge is there", (studio) => studio.scene.name === "Ridge" && Object.keys(studio.displayed.people).length === 2);
    await visitor.lookDown();
    await visitor.click(3, 2);
    await visitor.until("who is on the slope is taken", (studio) => (studio.selection as { ids?: number[] } | null)?.ids?.[0] === 1);

    await visitor.key("w");
    await visitor.click(-8, 6);
    await visitor.click(8, 6);
    await visitor.key("Enter");
    await visitor.until("there is a wall over the ridge", (studio) => studio.scene.obstacles.length === 1);
    await visitor.key("v");
    await visitor.key("Escape");

    // From the west, one sees the one and not the other.
    await look("#camera=0,0,4,-1.5708,1.3,50");
    await visitor.until("one looks from the west", (studio) => Math.abs((studio.camera as { tilt: number }).tilt - 1.3) < 0.01);
    await visitor.click(3, 2);
    expect(await selected()).toEqual([]);
    await visitor.click(-3, -2);
    await expect.poll(selected, { timeout: PATIENCE }).toEqual([0]);

    // From the south, the wall is met where it crosses the ridge.
    await visitor.key("Escape");
    await look("#camera=0,2,6,0,1,40");
    await visitor.until("one looks from the south", (studio) => Math.abs((studio.camera as { azimuth: number }).azimuth) < 0.01);
    await visitor.click(0, 6);
    await visitor.until("the wall is selected", (studio) => (studio.selection as { kind?: string } | null)?.kind === "obstacle");

    // What is looked at lies on the ground, wherever one goes.
    await visitor.key("Escape");
    for (let i = 0; i < 3; i++) await visitor.key("ArrowRight");
    const [x, , height] = await visitor.read((studio) => (studio.camera as { target: [number, number, number] }).target);
    expect(x).toBeGreaterThan(1);
    expect(height).toBeCloseTo(Math.max(0, 8 - (8 / 6) * x), 0);
  });
});

describe("fingers", () => {
  type Camera = { azimuth: number; tilt: number; distance: number };
  const camera = () => visitor.read((studio) => studio.camera as Camera);
  const beside = (spot: Spot, dx: number, dy: number): Spot => ({ x: spot.x + dx, y: spot.y + dy });

  it("one draws, two zoom, turn and move what is between them, and draw nothing", async () => {
    await visitor.lookDown();
    await visitor.key("a");
    await visitor.touch(way(await visitor.place(-9, 1), await visitor.place(-9, 5)));
    await visitor.until("there are three arrows", (studio) => studio.anchors.length === 3);

    const middle = await visitor.place(3, 2);
    const before = await camera();
    await visitor.touch(way(beside(middle, -50, 0), beside(middle, -100, 0)), way(beside(middle, 50, 0), beside(middle, 100, 0)));
    const nearer = await camera();
    expect(nearer.distance / before.distance).toBeCloseTo(0.5, 1);
    expect(nearer.azimuth).toBeCloseTo(before.azimuth, 2);
    let here = await visitor.place(3, 2);
    expect(Math.hypot(here.x - middle.x, here.y - middle.y)).toBeLessThan(4);

    // A quarter of a turn, clockwise as one sees it: what was in the east is in the south.
    const quarter = (begin: number) =>
      Array.from({ length: 13 }, (_, i) => {
        const angle = begin + (i / 12) * (Math.PI / 2);
        return beside(middle, 100 * Math.cos(angle), 100 * Math.sin(angle));
      });
    await visitor.touch(quarter(0), quarter(Math.PI));
    const turned = await camera();
    expect(turned.azimuth - nearer.azimuth).toBeCloseTo(Math.PI / 2, 1);
    expect(turned.distance / nearer.distance).toBeCloseTo(1, 1);
    here = await visitor.place(3, 2);
    expect(Math.hypot(here.x - middle.x, here.y - middle.y)).toBeLessThan(6);
    expect((await visitor.place(5, 2)).y).toBeGreaterThan(here.y + 20);

    await visitor.touch(way(beside(here, -60, 0), beside(here, 20, 40)), way(beside(here, 60, 0), beside(here, 140, 40)));
    const moved = await visitor.place(3, 2);
    expect(Math.hypot(moved.x - here.x - 80, moved.y - here.y - 40)).toBeLessThan(6);
    expect(await visitor.read((studio) => [studio.anchors.length, studio.selection])).toEqual([3, null]);
  });

  it("look around and select, and build a wall with looking around in between", async () => {
    await visitor.lookDown();
    await visitor.key("h");
    const before = await visitor.place(0, 10);
    await visitor.touch(way(before, beside(before, -70, 50)));
    const after = await visitor.place(0, 10);
    expect(Math.hypot(after.x - before.x + 70, after.y - before.y - 50)).toBeLessThan(4);
    await visitor.key("v");
    await visitor.tap(0, 10);
    await visitor.until("the bystander is selected", (studio) => (studio.selection as { ids?: number[] } | null)?.ids?.length === 1);

    await visitor.key("w");
    await visitor.tap(4, -6);
    await visitor.tap(8, -6);
    const middle = await visitor.place(8, -4);
    await visitor.touch(way(beside(middle, -80, 0), beside(middle, -60, 0)), way(beside(middle, 80, 0), beside(middle, 60, 0)));
    await visitor.tap(8, -3);
    await visitor.tap(8, -3);
    await visitor.until("the wall is there, with all of its points", (studio) => {
      const walls = studio.scene.document["obstacles"] as { wall: { points: unknown[] } }[] | undefined;
      return walls?.[0]?.wall.points.length === 3;
    });
  });
});

describe("keeping", () => {
  it("pictures are saved one by one, as a ZIP file", async () => {
    await visitor.choose("Picture", "Save pictures one by one …");
    await visitor.page.fill("dialog [aria-label=Seconds]", "0.3");
    await visitor.page.fill("dialog [aria-label='Pictures per second']", "10");
    await visitor.page.fill("dialog [aria-label=Width]", "320");
    await visitor.page.fill("dialog [aria-label=Height]", "200");
    const download = visitor.page.waitForEvent("download", { timeout: 90_000 });
    await visitor.page.click("dialog button:has-text('Export')");
    const file = await download;
    expect(file.suggestedFilename()).toBe("street.zip");
    const chunks: Buffer[] = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("latin1");
    expect(text.slice(0, 2)).toBe("PK");
    // Each in the size that was asked for, whatever size the window has.
    const sizes = [...text.matchAll(/IHDR(.{8})/gs)].map(([, size]) => [Buffer.from(size!, "latin1").readUInt32BE(0), Buffer.from(size!, "latin1").readUInt32BE(4)]);
    expect(sizes).toEqual([[320, 200], [320, 200], [320, 200]]);
    expect(new Set(text.match(/street-\d{5}\.png/g))).toEqual(new Set(["street-00000.png", "street-00001.png", "street-00002.png"]));
  });

  it("a scene is saved with its comments, and read again", async () => {
    await visitor.lookDown();
    await visitor.key("a");
    await visitor.drag([0, -6], [3, -6]);
    await visitor.until("the arrow is there", (studio) => studio.anchors.length === 3 && !studio.scene.saved);
    await visitor.key("Control+s");
    await visitor.until("it is saved", (studio) => studio.scene.saved);
    const text = server.read("street.toml");
    for (const comment of ["# A street, for tests.", "# not large", "# from west to east", "# the first"]) expect(text).toContain(comment);
    expect(text.match(/velocity/g)).toHaveLength(3);
    await visitor.page.reload();
    await visitor.until("it is as it was saved", (studio) => studio?.connection === "open" && studio.scene?.fields[0]?.anchors.length === 3);
  });

  it("a recording is made, opened and scrubbed both ways", async () => {
    await visitor.page.click(".record");
    await visitor.until("it records", (studio) => (studio.state.recording?.frames ?? 0) > 30);
    await visitor.page.click(".record");
    await visitor.until("it has ended", (studio) => studio.state.recording === null);
    await visitor.key("Control+o");
    await visitor.page.click("dialog .files button:has-text('.parquet')");
    await visitor.until("it is a recording", (studio) => studio.scene.kind === "replay" && studio.state.end !== null);
    const end = await visitor.read((studio) => studio.state.end!);
    expect(end).toBeGreaterThan(2);
    // It stands then, also if it has come to its end by itself: the space bar would begin it anew.
    await visitor.key(".");
    const seek = (time: number) =>
      visitor.page.evaluate((moment) => {
        const slider = document.querySelector<HTMLInputElement>(".scrubber")!;
        slider.value = String(moment);
        slider.dispatchEvent(new Event("input"));
      }, time);
    await visitor.until("it is paused", (studio) => !studio.state.playing);
    await seek(end);
    await visitor.until("it is at the end", (studio, time) => Math.abs(studio.newest!.time - time) < 0.2, end);
    const late = await visitor.read((studio) => studio.newest!);
    await seek(end - 2);
    await visitor.until("it is earlier", (studio, time) => Math.abs(studio.newest!.time - time) < 0.2, end - 2);
    const early = await visitor.read((studio) => studio.newest!);
    expect(early.people).not.toEqual(late.people);
    await visitor.page.selectOption(".timebar select", "-1");
    await visitor.until("time is to run backwards", (studio) => studio.state.speed === -1);
    await seek(end);
    await visitor.until("it is at the end again", (studio, time) => Math.abs(studio.newest!.time - time) < 0.2, end);
    await visitor.page.locator(".timebar .play").click();
    await visitor.until("it runs backwards", (studio, time) => studio.newest!.time < time && studio.displayed.time < time, end - 1);
  });

  it("a view is shared by its address", async () => {
    await visitor.lookDown();
    await visitor.key("1");
    await visitor.choose("Picture", "Copy a link to this view");
    await expect.poll(() => visitor.page.url(), { timeout: PATIENCE }).toContain("show=density");
    const url = visitor.page.url();
    const camera = await visitor.read((studio) => studio.camera as { tilt: number; distance: number });
    const other = await openPage(browser, server, url.slice(url.indexOf("#")));
    const restored = await other.read((studio) => studio.camera as { tilt: number; distance: number });
    expect(restored.distance).toBeCloseTo(camera.distance, 1);
    expect(restored.tilt).toBeCloseTo(camera.tilt, 2);
    await other.close();
  });
});

describe("the connection", () => {
  it("is taken up again when the server comes back, with tool, camera and picture as they were, and edits that were not saved", async () => {
    await visitor.lookDown();
    await visitor.key("b");
    await visitor.drag([4, 4], [8, 7]);
    await visitor.until("the box is there", (studio) => studio.scene.obstacles.length === 1);
    const kept = () => visitor.page.evaluate<string>("sessionStorage.getItem('throng.unsaved')");
    await expect.poll(kept, { timeout: PATIENCE }).toContain("box");
    await visitor.key("w");
    await visitor.key("t");
    const camera = await visitor.read((studio) => studio.camera);
    await server.stop();
    await visitor.until("it is lost", (studio) => studio.connection === "lost");
    expect(await visitor.page.locator(".banner").isVisible()).toBe(true);
    // The last picture stays.
    expect(await visitor.read((studio) => Object.keys(studio.displayed.people).length)).toBeGreaterThan(5);
    await server.start("street.toml");
    await visitor.until("the box is gone with the server", (studio) => studio.connection === "open" && studio.scene.obstacles.length === 0);
    await visitor.page.click(".banner button:has-text('Send them again')");
    await visitor.until("the box is back", (studio) => studio.scene.obstacles.length === 1);
    await visitor.page.locator(".banner").waitFor({ state: "hidden" });
    await visitor.key("Control+z");
    await visitor.until("it was an edit like any other", (studio) => studio.scene.obstacles.length === 0);
    const frames = await visitor.read((studio) => studio.frames);
    await visitor.until("it is back", (studio, before) => studio.connection === "open" && studio.frames > before + 3, frames);
    expect(await visitor.page.locator(".banner").isVisible()).toBe(false);
    expect(await visitor.read((studio) => studio.tool)).toBe("wall");
    expect(await visitor.read((studio) => studio.camera)).toEqual(camera);
    await visitor.until("people are shown", (studio) => Object.keys(studio.displayed.people).length > 5);
  });

  it("is open to two, who see each other's edits", async () => {
    const other = await openPage(browser, server);
    await visitor.until("there are two", (studio) => studio.state.clients === 2);
    await other.lookDown();
    await other.key("b");
    await other.drag([4, 4], [8, 7]);
    for (const one of [visitor, other]) await one.until("the box of the other is here", (studio) => studio.scene.obstacles.length === 1);
    await visitor.key("Control+z");
    await other.until("it is undone for both", (studio) => studio.scene.obstacles.length === 0);
    await other.close();
  });
});
