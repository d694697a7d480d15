/** Settings, legends, the keyboard and pictures, with a real server and a real browser. */
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { PATIENCE, STREAM, Server, launchBrowser, openPage, type Visitor } from "./harness.ts";

let browser: Browser;
let server: Server;
let visitor: Visitor | null;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
});
beforeEach(() => {
  server = new Server();
  visitor = null;
  server.write("street.toml", STREAM);
});
afterEach(async () => {
  const errors = visitor?.errors ?? [];
  await visitor?.close();
  await server.dispose();
  expect(errors).toEqual([]);
});

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
