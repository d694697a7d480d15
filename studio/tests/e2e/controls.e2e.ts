/** Settings, legends, the keyboard and pictures, with a real server and a real browser. */
import type { Browser } from "playwright-core";
import { expect, it } from "vitest";
import { PATIENCE, STREAM, openPage, visiting, type Server, type Visitor } from "./harness.ts";

let browser: Browser;
let server: Server;
let visitor: Visitor | null;
visiting({ file: "street.toml", text: STREAM }, (visit) => ({ browser, server } = visit));

async function openScene(hash = ""): Promise<Visitor> {
  await server.start("street.toml");
  return (visitor = await openPage(browser, server, hash));
}

async function openRecording(): Promise<Visitor> {
  server.throng("run", "street.toml", "--duration", "20", "--out", "street.parquet");
  await server.start("street.parquet");
  return (visitor = await openPage(browser, server));
}

it("overlays with colours have a legend", async () => {
  const { page } = await openScene("#show=density");
  const shown = () => page.locator("[data-legend]:visible").allTextContents();
  await expect.poll(shown, { timeout: PATIENCE }).toEqual(["Crowdingpeople/m²0123≥ 4"]);
  await page.keyboard.press("2");
  await expect.poll(shown, { timeout: PATIENCE }).toEqual(["Crowdingpeople/m²0123≥ 4", "Speedm/s00.511.5≥ 2"]);
  await page.keyboard.press("1");
  await page.keyboard.press("2");
  expect(await page.locator(".legends").isVisible()).toBe(false);
});

it("colours of groups and being noticed are remembered", async () => {
  const { page } = await openScene();
  const isOn = (id: string) => page.locator(id).getAttribute("aria-pressed");
  expect([await isOn("#group-colors"), await isOn("#noticed")]).toEqual(["false", "false"]);
  await page.keyboard.press("u");
  await page.keyboard.press("m");
  await page.reload();
  await visitor!.until("the scene is back", (studio) => studio.frames > 2 && studio.noticed);
  expect([await isOn("#group-colors"), await isOn("#noticed")]).toEqual(["true", "true"]);
});

it("a recording's performance panel says what there is", async () => {
  const { page } = await openRecording();
  await page.keyboard.press("6");
  await expect.poll(() => page.locator(".performance").textContent(), { timeout: PATIENCE }).toContain("Frames from server");
  const words = await page.locator(".performance").textContent();
  expect(words).toContain("Playback");
  expect(words).toContain("A frame takes");
  for (const missing of ["undefined", "NaN", "A step", "Simulated"]) expect(words).not.toContain(missing);
});

it("the slider gives the keyboard back after a drag, and is worked by keys", async () => {
  const { page } = await openRecording();
  const slider = page.locator(".scrubber");
  await visitor!.key(" ");
  await visitor!.stands();
  const box = (await slider.boundingBox())!;
  await page.mouse.move(box.x + 0.2 * box.width, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.5 * box.width, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await visitor!.until("it is in the middle", (studio) => Math.abs(studio.state.time - 10) < 1.5);
  expect(await page.evaluate("document.activeElement.tagName")).toBe("BODY");
  // Arrow keys move the camera again, and not the time.
  const before = await visitor!.read((studio) => ({ time: studio.state.time, camera: JSON.stringify(studio.camera) }));
  await visitor!.key("ArrowLeft");
  await visitor!.until("the camera moves", (studio, camera) => JSON.stringify(studio.camera) !== camera, before.camera);
  expect(await visitor!.read((studio) => studio.state.time)).toBe(before.time);

  await slider.focus();
  await visitor!.key("ArrowRight");
  await visitor!.until("the key moves the time", (studio, time) => studio.state.time > time, before.time);
  expect(await slider.evaluate((element) => element === document.activeElement)).toBe(true);
  await visitor!.key("Home");
  await visitor!.until("it is at its beginning", (studio) => studio.state.time === 0);
});

it("the space bar plays and pauses, whatever was clicked, and presses what the keyboard has gone to", async () => {
  const { page } = await openScene();
  await visitor!.key(" ");
  await visitor!.stands();
  await page.click(".record");
  await visitor!.until("it is recorded", (studio) => studio.state.recording !== null);
  await visitor!.key(" ");
  await visitor!.until("time passes", (studio) => studio.state.playing);
  expect(await visitor!.read((studio) => studio.state.recording)).not.toBe(null);
  await visitor!.key(" ");
  await visitor!.stands();
  await page.locator(".clock").hover();
  await page.evaluate("document.querySelector('.timebar select').focus()");
  await visitor!.key("Tab");
  await visitor!.key("Tab");
  expect(await page.evaluate("document.activeElement.className")).toContain("record");
  await visitor!.key(" ");
  await visitor!.until("it is not recorded any more", (studio) => studio.state.recording === null);
  expect(await visitor!.read((studio) => studio.state.playing)).toBe(false);
});

it("a dialog begins at what it asks for", async () => {
  const { page } = await openScene();
  await visitor!.key("Control+o");
  await expect.poll(() => page.evaluate("document.activeElement.closest('dialog .files') !== null"), { timeout: PATIENCE }).toBe(true);
  await visitor!.key("Escape");
});

it("one person after the other is selected by keys", async () => {
  await openScene();
  await visitor!.key(" ");
  await visitor!.stands();
  const ids = await visitor!.read((studio) => Object.keys(studio.displayed.people).map(Number).sort((a, b) => a - b));
  const selects = (id: number) => visitor!.until(`person ${id} is selected`, (studio, one) => JSON.stringify(studio.selection) === JSON.stringify({ kind: "people", ids: [one] }), id);
  await visitor!.key("j");
  await selects(ids[0]!);
  await visitor!.key("j");
  await selects(ids[1]!);
  await visitor!.key("Shift+J");
  await visitor!.key("Shift+J");
  await selects(ids.at(-1)!);
});

it("every tool draws with the keyboard alone", async () => {
  const { page } = await openScene();
  const key = (...keys: string[]) => keys.reduce((before, one) => before.then(() => visitor!.key(one)), Promise.resolve());
  /** Types a place into the fields of the cursor, and sets it. */
  const set = async (x: number, y: number) => {
    await page.keyboard.type(String(x));
    await key("Tab");
    await page.keyboard.type(String(y));
    await key("Enter");
  };
  const revisions = () => visitor!.read((studio) => studio.revision!);
  const edited = async (before: number) => visitor!.until("the server has taken it", (studio, revision) => studio.revision! > revision, before);

  await key("v", "d");
  expect(await page.locator(".cursor-panel").isVisible()).toBe(true);
  expect(await page.locator(".cursor-mark").isVisible()).toBe(true);
  await key("d", "Escape", "a", "d");
  let before = await revisions();
  await set(-5, 6);
  await set(-2, 6);
  await edited(before);
  await visitor!.until("there is an arrow", (studio) => studio.anchors.some(({ at, velocity }) => at[0] === -5 && at[1] === 6 && Math.abs(velocity[0] - 1.5) < 1e-6 && velocity[1] === 0));

  await key("Escape", "w", "d");
  before = await revisions();
  await set(4, 5);
  await set(8, 5);
  await set(8, 8);
  // The same place once more ends it.
  await set(8, 8);
  await edited(before);
  await visitor!.until("there is a wall with three points", (studio) => JSON.stringify(studio.scene.document["obstacles"]).includes("[[4,5],[8,5],[8,8]]"));

  // A box by arrow keys: from (8, 8) on, 3 m to the right and 2.25 m down.
  await key("Escape", "b");
  before = await revisions();
  await key("Enter", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowDown", "Shift+ArrowDown", "ArrowDown", "Enter");
  await edited(before);
  await visitor!.until("there is a box", (studio) => JSON.stringify(studio.scene.document["obstacles"]).includes('"size":[3,2.25]'));

  await key("r", "d");
  before = await revisions();
  await set(-12, -10);
  await set(-8, -8);
  await edited(before);
  await visitor!.until("there is a region", (studio) => studio.scene.regions.some(({ polygon }) => polygon.some(([x, y]) => x === -8 && y === -8)));

  await key("Escape", "p", "d");
  before = await revisions();
  const people = await visitor!.read((studio) => studio.state.people);
  await set(0, -9);
  await set(4, -9);
  await edited(before);
  await visitor!.until("there are more people", (studio, then) => studio.state.people >= then + 4, people);

  await key("Escape", "s", "d");
  before = await revisions();
  await set(10, -10);
  await set(12, -8);
  await edited(before);
  await visitor!.until("there is a source", (studio) => JSON.stringify(studio.scene.document["groups"]).match(/"rate"/g)?.length === 2);

  await key("Escape", "i", "d");
  before = await revisions();
  await set(6, -4);
  await edited(before);
  await visitor!.until("there is something to look at", (studio) => studio.scene.interests.some(({ position }) => position[0] === 6 && position[1] === -4));

  await key("Escape", "g", "d");
  before = await revisions();
  await set(15, 2);
  await edited(before);
  await visitor!.until("the group has a goal", (studio) => JSON.stringify(studio.scene.document["groups"]).includes("[15,2]"));

  await key("Escape", "Escape");
  expect(await page.locator(".cursor-panel").isVisible()).toBe(false);
});

it("presentation hides all but the crowd and its world, until Esc", async () => {
  const { page } = await openScene();
  await visitor!.key("o");
  for (const hidden of [".topbar", ".toolbar", ".timebar", ".label-region, .label-source"]) expect(await page.locator(hidden).first().isVisible()).toBe(false);
  await page.locator(".leave-presentation").click();
  expect(await page.locator(".toolbar").isVisible()).toBe(true);
  await visitor!.key("o");
  await visitor!.key("Escape");
  expect(await page.locator(".toolbar").isVisible()).toBe(true);
});

it("a picture is saved in a size of its own, with and without the grid and regions", async () => {
  const { page } = await openScene();
  await visitor!.key(" ");
  await visitor!.stands();
  await visitor!.rest();
  const canvas = () => page.evaluate<[number, number]>("[document.querySelector('canvas').width, document.querySelector('canvas').height]");
  const before = await canvas();
  const save = async (size: string, plain: boolean) => {
    await visitor!.choose("Picture", "Save a picture in a size …");
    await page.click(`dialog button:has-text('${size}')`);
    await page.getByLabel("Without grid").setChecked(plain);
    // Names and captions have colours, too.
    await page.getByLabel("With the moment").setChecked(!plain);
    const download = page.waitForEvent("download");
    await page.click("dialog [type=submit]");
    const chunks: Buffer[] = [];
    const file = await download;
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    await expect.poll(() => page.locator("dialog").count(), { timeout: PATIENCE }).toBe(0);
    return { name: file.suggestedFilename(), size: [bytes.readUInt32BE(16), bytes.readUInt32BE(20)], colors: await colorsOf(bytes) };
  };
  /** Which share of the pixels of a picture is tinted, as regions are. */
  const colorsOf = (bytes: Buffer) =>
    visitor!.pixels(
      ({ data, width, height }) => {
        let tinted = 0;
        for (let i = 0; i < data.length; i += 4) if (data[i + 2]! - data[i]! > 14) tinted++;
        return tinted / (width * height);
      },
      null,
      bytes,
    );
  const large = await save("3840 × 2160", false);
  expect([large.name, large.size]).toEqual(["street-3840x2160.png", [3840, 2160]]);
  expect(await canvas()).toEqual(before);
  const plain = await save("1920 × 1080", true);
  expect(plain.size).toEqual([1920, 1080]);
  expect(plain.colors).toBeLessThan(0.5 * large.colors);
  // What was shown is shown again.
  expect(await page.locator(".toolbar").isVisible()).toBe(true);
});

it("a broken scene file is told with every mistake and its place", async () => {
  const { page } = await openScene();
  server.write("broken.toml", 'format = 1\n\n[world]\nbounds = [[0, 0], [9, 9]]\n\n[[groups]]\nname = "a"\nspeed = -1\nsped = 2\n');
  await visitor!.choose("File", "Open …");
  await page.click("dialog .files button:has-text('broken.toml')");
  await expect.poll(() => page.locator("dialog h2").textContent(), { timeout: PATIENCE }).toBe("broken.toml cannot be read");
  const places = await page.locator(".mistakes code").allTextContents();
  expect(places.map((place) => place.replace(/:\d+$/, ""))).toEqual(["broken.toml:8", "broken.toml:9"]);
  const words = await page.locator(".mistakes").textContent();
  for (const word of ["speed", "sped"]) expect(words).toContain(word);
  await visitor!.key("Escape");
  expect(await visitor!.read((studio) => studio.scene.name)).toBe("Street");
});

it("edits are saved before another scene takes their place, unless the box is cleared", async () => {
  const { page } = await openScene();
  await visitor!.lookDown();
  const build = async () => {
    await page.keyboard.press("a");
    await visitor!.drag([-3, 4], [3, 4]);
    await visitor!.until("it is not saved", (studio) => !studio.scene.saved);
  };
  const leaveFor = async (name: string, keep: boolean) => {
    await visitor!.key("Control+o");
    await page.setChecked("dialog input[type=checkbox]", keep);
    await page.click(`dialog .files button:has-text('${name}')`);
    await visitor!.until("it is another scene", (studio, file) => studio.scene.file === file, name);
  };
  server.write("other.toml", STREAM);
  await build();
  await leaveFor("other.toml", true);
  expect(server.read("street.toml")).not.toBe(STREAM);
  await visitor!.lookDown();
  await build();
  await leaveFor("street.toml", false);
  expect(server.read("other.toml")).toBe(STREAM);
});
