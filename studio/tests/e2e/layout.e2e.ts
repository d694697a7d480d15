/** Bars and panels at every size of the window: nothing lies over anything, and every button can be pressed. */
import { expect, it } from "vitest";
import { PATIENCE, STREAM, staying, type Visitor } from "./harness.ts";

const SIZES: [number, number][] = [[360, 740], [390, 844], [768, 1024], [1020, 700], [1100, 700], [1240, 800], [1600, 900], [844, 390]];

let visitor: Visitor;
staying({ file: "street.toml", text: STREAM }, "", (stay) => ({ visitor } = stay), { hints: true });

/** Which bars and panels lie over one another or outside of the window, and which buttons are covered by something. */
function faults(): string[] {
  const visible = (element: Element) => element.checkVisibility() && element.getBoundingClientRect().width > 0;
  const name = (element: Element) => element.getAttribute("aria-label") ?? element.className;
  const panels = [...document.querySelectorAll("#interface .panel:not(.message)")].filter(visible);
  const found: string[] = [];
  panels.forEach((panel, i) => {
    const a = panel.getBoundingClientRect();
    if (a.left < 0 || a.top < 0 || a.right > innerWidth || a.bottom > innerHeight) found.push(`${name(panel)} leaves the window`);
    for (const other of panels.slice(i + 1)) {
      const b = other.getBoundingClientRect();
      if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) found.push(`${name(panel)} lies over ${name(other)}`);
    }
  });
  for (const button of [...document.querySelectorAll("#interface button, #interface select, #interface input")].filter(visible)) {
    // Panels scroll; bars do so in the lowest windows alone.
    if (button.closest(innerHeight < 500 ? ".side, .stack, .toolbar" : ".side, .stack")) button.scrollIntoView({ block: "nearest" });
    const { left, top, width, height } = button.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!hit || !(button.contains(hit) || hit.closest("label")?.contains(button))) found.push(`${name(button)} is covered by ${hit ? name(hit) : "nothing"}`);
  }
  return found;
}

/** Shows everything there is to show. */
async function unfold(): Promise<void> {
  const folded = visitor.page.locator(".collapsed > .collapse");
  while ((await folded.count()) > 0) await folded.first().click();
}

it.each(SIZES)("nothing lies over anything in a window of %i × %i pixels", async (width, height) => {
  const { page } = visitor;
  await page.setViewportSize({ width, height });
  // A choice that was made counts at any size; without one, small windows begin with panels folded.
  await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("throng.panel.")).forEach((key) => localStorage.removeItem(key)));
  await page.reload();
  await visitor.until("the scene is back", (studio) => studio.frames > 2);
  expect(await page.locator(".hints").isVisible()).toBe(true);
  expect(await page.evaluate(faults)).toEqual([]);

  await unfold();
  expect(await page.evaluate(faults)).toEqual([]);
  // Somebody is selected, and the lists and legends are open.
  await page.locator("[data-overlay=patterns]").click();
  await page.locator("[data-overlay=levels]").click();
  expect(await page.evaluate(faults)).toEqual([]);
  await page.keyboard.press("6");
  await expect.poll(() => page.locator(".performance .facts b").count(), { timeout: PATIENCE }).toBeGreaterThan(5);
  expect(await page.evaluate(faults)).toEqual([]);
});

it("what was folded away stays so", async () => {
  const { page } = visitor;
  await page.setViewportSize({ width: 1240, height: 800 });
  await page.evaluate(() => localStorage.removeItem("throng.panel.side"));
  await page.reload();
  await visitor.until("the scene is back", (studio) => studio.frames > 2);
  expect(await page.locator("[data-group=walkers]").isVisible()).toBe(true);
  await page.locator(".side > .collapse").click();
  expect(await page.locator("[data-group=walkers]").isVisible()).toBe(false);
  await page.reload();
  await visitor.until("the scene is back", (studio) => studio.frames > 2);
  expect(await page.locator("[data-group=walkers]").isVisible()).toBe(false);
  await page.locator(".side > .collapse").click();
  expect(await page.locator("[data-group=walkers]").isVisible()).toBe(true);
});

it("icons say what they are at once, to the pointer and to the keyboard", async () => {
  const { page } = visitor;
  const tip = page.locator("#tooltip");
  const wall = page.locator("[data-tool=wall]");
  await wall.hover();
  expect(await tip.textContent()).toBe("Wall, or a door in one (W)");
  expect(await tip.isVisible()).toBe(true);
  // The browser has nothing left to show a second later.
  expect(await wall.getAttribute("title")).toBe(null);
  await page.mouse.move(600, 400);
  await expect.poll(() => tip.isVisible(), { timeout: PATIENCE }).toBe(false);
  await wall.focus();
  await page.keyboard.press("Tab");
  await expect.poll(() => tip.textContent(), { timeout: PATIENCE }).toBe("Box (B)");
  expect(await tip.isVisible()).toBe(true);
});

it("the file menu names its actions, and is worked by keys", async () => {
  const { page } = visitor;
  await page.locator("button[aria-label=File]").focus();
  await page.keyboard.press("Enter");
  const items = page.locator("[role=menu][aria-label=File] [role=menuitem]");
  expect(await items.locator("span").allTextContents()).toEqual(["New scene …", "Open …", "Save as …", "The scene as text", "Scene settings …"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator("dialog h2").textContent(), { timeout: PATIENCE }).toBe("Save as");
  await page.keyboard.press("Escape");
});
