/** Patterns and moments, with a real server and a real browser: in recordings, in crowds that walk, and from the links of a report. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { expect, it } from "vitest";
import type { Camera } from "../../src/model/view-url.ts";
import { PATIENCE, Visitor, openPage, sharedScene, visiting, type Server } from "./harness.ts";

/** One who sways from the second second to the fourth, and one who spins round in the sixth. */
function tracks(): string {
  const rows = ["id,time,x,y,heading,status"];
  for (let frame = 0; frame <= 160; frame++) {
    const time = frame / 20;
    const sways = time >= 2 && time < 4;
    rows.push(`1,${time.toFixed(2)},${(0.9 * (Math.min(time, 2) + Math.max(0, time - 4))).toFixed(3)},${sways && frame % 2 ? 0.08 : 0},0,walking`);
    const turns = time >= 6 && time < 6.4 ? (frame - 120) * 1.2 : 0;
    rows.push(`2,${time.toFixed(2)},${(time * 0.8).toFixed(3)},4,${Math.atan2(Math.sin(turns), Math.cos(turns)).toFixed(4)},walking`);
  }
  return rows.join("\n");
}

let browser: Browser;
let server: Server;
let visitor: Visitor | null;

visiting({ file: "stuck.toml", text: sharedScene("stuck.toml") }, (visit) => ({ browser, server } = visit));

/** Whether the camera looks at a place. */
async function looksAt(at: [number, number]): Promise<void> {
  await visitor!.until("the camera looks there", (studio, [x, y]) => {
    const { target } = studio.camera as Camera;
    return Math.hypot(target[0] - x, target[1] - y) < 0.6;
  }, at);
}

it("deadlocks of a recording are listed, marked on the timeline and ringed on the ground", async () => {
  server.throng("run", "stuck.toml", "--out", "stuck.parquet");
  await server.start("stuck.parquet");
  visitor = await openPage(browser, server);
  const { page } = visitor;
  await visitor.until("all was searched", (studio) => studio.patterns?.progress === "done");
  const list = (await visitor.read((studio) => studio.patterns!)).list;
  expect(list.map((found) => [found.pattern, found.person])).toEqual([["deadlock", 0], ["deadlock", 1]]);
  await expect.poll(() => page.locator("[data-overlay=patterns]").getAttribute("data-count"), { timeout: PATIENCE }).toBe("2");
  await expect.poll(() => page.locator(".mark.deadlock").count(), { timeout: PATIENCE }).toBe(1);
  expect(await page.locator(".mark.deadlock").getAttribute("title")).toMatch(/^2 deadlocks, 0:00.0 to/);

  // It may have come to its end by now: it plays from the beginning, and for longer than what follows takes.
  await page.locator(".scrubber").fill("0");
  await visitor.until("it is at its beginning", (studio) => studio.state.time < 5);
  if (!(await visitor.read((studio) => studio.state.playing))) await page.locator(".timebar .play").click();

  // The list is worked by keys alone.
  await visitor.key("8");
  await expect.poll(() => page.locator(".pattern:visible").count(), { timeout: PATIENCE }).toBe(2);
  await page.locator(".pattern").first().focus();
  await visitor.key("ArrowDown");
  await visitor.key(" ");
  await visitor.until("the second is looked at", (studio) => studio.pattern?.person === 1);
  const chosen = list[1]!;
  await visitor.until("it is the moment at which that begins, or shortly after", (studio, from) => studio.state.time >= from - 0.06 && studio.state.time < from + 15, chosen.from);
  await visitor.until("who it is about is selected", (studio) => JSON.stringify(studio.selection) === '{"kind":"people","ids":[1]}');
  await looksAt(chosen.place);
  expect(await page.locator(".pattern.chosen").getAttribute("aria-label")).toContain("Deadlock, severe, person 1, (");

  await visitor.until("it plays", (studio) => studio.state.playing);
  // In the list, the space bar would choose.
  await page.locator("#stage").focus();
  await visitor.key("Space");
  await visitor.until("it stands", (studio) => !studio.state.playing);
  await page.locator(".scrubber").fill("15");
  await visitor.until("both last", (studio) => studio.rings === 2);
  await expect.poll(() => page.locator(".label-pattern").allTextContents(), { timeout: PATIENCE }).toEqual(["■ 0", "■ 1"]);
  await page.locator(".chip.deadlock").click();
  expect(await page.locator(".pattern:visible").count()).toBe(0);
  await page.locator(".chip.deadlock").click();
  expect(await page.locator(".pattern:visible").count()).toBe(2);

  // A click on the timeline goes to the first of a mark, and N on to the next.
  await page.locator(".mark.deadlock").click();
  await visitor.until("the first is looked at", (studio) => studio.pattern?.person === 0 && studio.state.time < 0.06);
  await page.locator("#stage").focus();
  await visitor.key("n");
  await visitor.until("the second is", (studio) => studio.pattern?.person === 1);
  await visitor.key("Shift+N");
  await visitor.until("the first is again", (studio) => studio.pattern?.person === 0);
  await visitor.key("8");
  await visitor.until("rings go with the panel", (studio) => studio.rings === 0);
  expect(await page.locator(".patterns").isVisible()).toBe(false);
});

it("oscillations and spins of tracks from elsewhere are found, too", async () => {
  server.write("tracks.csv", tracks());
  server.throng("import", "tracks.csv", "-o", "tracks.parquet");
  await server.start("tracks.parquet");
  visitor = await openPage(browser, server, "#at=6.1&person=2&show=patterns");
  await visitor.until("all was searched", (studio) => studio.patterns?.progress === "done");
  const { list, counts } = await visitor.read((studio) => studio.patterns!);
  expect(counts).toEqual({ oscillation: 1, deadlock: expect.any(Number), spin: 1 });
  const sways = list.find((found) => found.pattern === "oscillation")!;
  expect([sways.person, Math.round(sways.from)]).toEqual([1, 0]);
  const spins = list.find((found) => found.pattern === "spin")!;
  expect(spins.person).toBe(2);
  expect(spins.from).toBeGreaterThan(5.9);
  expect(spins.to).toBeLessThan(6.6);
  // Somebody sways for a short while: that is shown if one asks for it.
  expect(await visitor.page.locator(".mark.oscillation").count()).toBe(0);
  await visitor.page.getByLabel("Short waits and queues").click();
  for (const kind of ["oscillation", "spin"]) await expect.poll(() => visitor!.page.locator(`.mark.${kind}`).count(), { timeout: PATIENCE }).toBe(1);
  // The address says when and who.
  await visitor.until("it stands at the moment", (studio) => Math.abs(studio.state.time - 6.1) < 0.03 && !studio.state.playing);
  await visitor.until("there is a ring", (studio) => studio.rings > 0);
  await looksAt([6.1 * 0.8, 4]);
  await visitor.page.evaluate("location.hash = '#at=3&person=1&show=patterns'");
  await visitor.until("another address leads to another moment", (studio) => Math.abs(studio.state.time - 3) < 0.03 && JSON.stringify(studio.selection).includes("[1]"));
  await visitor.page.evaluate("location.hash = '#at=3&person=77'");
  await expect.poll(() => visitor!.page.locator(".message").allTextContents(), { timeout: PATIENCE }).toContainEqual(expect.stringContaining("Person 77 is not there at 0:03.0"));
});

it("a crowd that walks is watched, and the watch can be switched off", async () => {
  await server.start("stuck.toml");
  visitor = await openPage(browser, server, "#show=patterns");
  const { page } = visitor;
  await visitor.until("somebody is stuck", (studio) => (studio.patterns?.counts.deadlock ?? 0) >= 1);
  await visitor.until("a ring is there while it lasts", (studio) => studio.rings >= 1);
  await expect.poll(() => page.locator(".pattern:visible").first().getAttribute("aria-label"), { timeout: PATIENCE }).toContain("person");
  expect(await page.locator(".marks").isVisible()).toBe(false);
  // Clicked, not checked: news of patterns set it back until the server has heard of it.
  await page.getByLabel("Watch while it runs").click();
  await visitor.until("nobody watches", (studio) => studio.patterns?.progress === "off");
  await page.getByLabel("Watch while it runs").click();
  await visitor.until("it goes on", (studio) => studio.patterns?.progress === "watching");
  await page.locator("#stage").focus();
  // While time stands, nobody gets stuck anew.
  await visitor.key(" ");
  await visitor.stands();
  await visitor.key("Shift+R");
  await visitor.until("a new beginning has no patterns", (studio) => studio.patterns?.list.length === 0);
});

it("views that a scene suggests are taken in turn", async () => {
  await server.start("stuck.toml");
  visitor = await openPage(browser, server);
  const camera = () => visitor!.read((studio) => studio.camera as Camera);
  await visitor.key("9");
  expect((await camera()).target).toEqual([0, 0, 0]);
  expect((await camera()).azimuth).toBeCloseTo(0);
  expect((await camera()).tilt).toBeCloseTo(Math.atan2(20, 15));
  await visitor.page.locator("#views").click();
  expect((await camera()).target).toEqual([5, 0, 0]);
  expect((await camera()).tilt).toBeLessThan(0.01);
  await visitor.key("9");
  expect((await camera()).target).toEqual([0, 0, 0]);
});

it("links of a report open recordings at the moments it tells of", async () => {
  server.throng("eval", "--scenarios", "stuck.toml", "--models", "orca,none", "--recordings", "all", "--out", "results");
  await server.start("results");
  const context = await browser.newContext({ viewport: { width: 1100, height: 700 } });
  context.setDefaultTimeout(PATIENCE);
  visitor = new Visitor(await context.newPage());
  const { page } = visitor;
  await page.goto(server.url);
  expect(await page.locator("#start").count()).toBe(0);
  const open = page.locator("figure:has-text('orca') >> a.open").first();
  const address = (await open.getAttribute("href"))!;
  expect(address).toMatch(/^studio\?recording=stuck\.[-.\w]+#at=0\.00&person=0&show=patterns$/);
  await open.click();
  await visitor.until("the recording is there", (studio) => studio.connection === "open" && studio.scene.kind === "replay" && studio.scene.name === "Stuck");
  await visitor.until("it stands at its moment", (studio) => !studio.state.playing && studio.state.time < 0.06);
  await visitor.until("who it is about is selected", (studio) => JSON.stringify(studio.selection) === '{"kind":"people","ids":[0]}');
  await looksAt([-5, 0]);
  await visitor.until("the same patterns are found", (studio) => studio.patterns?.progress === "done" && studio.patterns.counts.deadlock === 2);
  expect(await page.locator(".pattern:visible").count()).toBe(2);

  await page.locator(".report-link").click();
  await page.waitForURL(server.url);
  const file = address.match(/recording=([^#]+)/)![1]!;
  rmSync(join(server.folder, "results", "recordings", `${decodeURIComponent(file)}.parquet`));
  // The stage that plays it is still there for a while; another server knows it no more.
  await server.stop();
  await server.start("results");
  await page.reload();
  await page.locator("figure:has-text('orca') >> a.open").first().click();
  await expect.poll(() => page.locator("h1").textContent(), { timeout: PATIENCE }).toContain("There is no recording");
  await page.getByText("Back to the report").click();
  await expect.poll(() => page.locator("h1").textContent(), { timeout: PATIENCE }).toBe("Steering evaluation");

  // As a file it leads to where the studio is by default, and says how to start it.
  await page.goto(pathToFileURL(join(server.folder, "results", "report.html")).href);
  expect(await page.locator("#start").textContent()).toContain("throng studio .");
  expect(await page.locator("a.open").first().getAttribute("href")).toMatch(/^http:\/\/127\.0\.0\.1:8730\/studio\?recording=stuck\./);
});
