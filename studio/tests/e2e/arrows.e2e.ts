/** How far arrows lead and how fast, with a real server and a real browser. */
import { expect, it } from "vitest";
import { PATIENCE, staying, type Server, type Visitor } from "./harness.ts";

/** People who walk from west to east and back; some whom an arrow without a reach leads out of the world; a field with a trap and a saddle. */
const SQUARE = `# A square, for tests.
format = 1

[simulation]
duration = 6000

[world]
bounds = [[-20, -14], [20, 14]]

[[fields]]
name = "away"
anchors = [{ at = [0, -12], velocity = [1.3, 0] }]

[[fields]]
name = "knot"
anchors = [
    { at = [-8, 4], velocity = [0.3, 0] }, { at = [-2, 4], velocity = [-0.3, 0] },
    { at = [-5, 7], velocity = [0, -0.3] }, { at = [-5, 1], velocity = [0, 0.3] },
    { at = [8, 4], velocity = [0.3, 0] }, { at = [2, 4], velocity = [-0.3, 0] },
    { at = [5, 7], velocity = [0, 0.3] }, { at = [5, 1], velocity = [0, 0.3] },
]

[[groups]]
name = "walkers" # to and fro
speed = 1.2
goals = [{ seek = [-15, 0] }, { seek = [15, 0] }]
then = "repeat"
people = [{ position = [-12, 0] }, { position = [12, 0.5] }]

[[groups]]
name = "strayed"
led = { by = ["away"], share = 1, wander = 0 }
people = [{ position = [18, -12] }, { position = [19, -10] }]

[[groups]]
name = "knotted"
led = { by = ["knot"] }
people = [{ position = [-12, 12] }]
`;

let server: Server;
let visitor: Visitor;
staying({ file: "square.toml", text: SQUARE }, "", (stay) => ({ server, visitor } = stay));

const selected = "the arrow is selected";
const isArrow = (studio: { selection: unknown }) => (studio.selection as { kind?: string } | null)?.kind === "arrow";

it("an arrow is drawn with a reach, which is dragged, typed, undone, saved and read again", async () => {
  await visitor.page.click("[data-group=walkers]");
  await visitor.lookDown();
  await visitor.key("a");
  await visitor.drag([2, 1], [4, 1]);
  await visitor.until("it is there, with a reach", (studio) => studio.anchors.length === 1 && studio.anchors[0]!.reach === 10);

  // Its circle is drawn, and can be taken once the arrow is selected.
  await visitor.click(2, 1);
  await visitor.until(selected, isArrow);
  await visitor.drag([2, -9], [2, -5]);
  await visitor.until("its circle is smaller", (studio) => Math.abs(studio.anchors[0]!.reach! - 6) < 0.3);
  expect(await visitor.read((studio) => studio.anchors.length)).toBe(1);
  await visitor.until(selected, isArrow);
  await expect.poll(() => visitor.page.getByLabel("Reach", { exact: true }).inputValue(), { timeout: PATIENCE }).toMatch(/^(5|6)/);
  await visitor.key("Control+z");
  await visitor.until("one undo takes the drag back", (studio) => studio.anchors[0]!.reach === 10);
  await expect.poll(() => visitor.page.getByLabel("Reach", { exact: true }).inputValue(), { timeout: PATIENCE }).toBe("10");

  await visitor.page.getByLabel("Reach", { exact: true }).fill("4.5");
  await visitor.page.keyboard.press("Enter");
  await visitor.until("it is as typed", (studio) => studio.anchors[0]!.reach === 4.5);
  await visitor.page.locator(".selection button:has-text('Everywhere')").click();
  await visitor.until("it leads everywhere", (studio) => studio.anchors[0]!.reach === null);
  await visitor.page.locator(".selection button:has-text('Limit its reach')").click();
  await visitor.until("it is limited again", (studio) => studio.anchors[0]!.reach === 10);

  await visitor.key("Control+s");
  await visitor.until("it is saved", (studio) => studio.scene.saved);
  const text = server.read("square.toml");
  expect(text).toContain("reach = 10");
  expect(text).toContain("# to and fro");
  await visitor.page.reload();
  await visitor.until("it is as it was saved", (studio) => studio?.connection === "open" && studio.scene?.fields[2]?.anchors[0]?.reach === 10);
});

it("an arrow that asks for more than the group can do is limited to that, with a notice", async () => {
  await visitor.page.click("[data-group=walkers]");
  await visitor.lookDown();
  await visitor.key("a");
  const before = await visitor.read((studio) => studio.anchors.length);
  await visitor.drag([-12, -6], [4, -6]);
  await visitor.until("it is there", (studio, before) => studio.anchors.length === before + 1, before);
  const drawn = (await visitor.read((studio) => studio.anchors)).at(-1)!;
  // 1.3 times the speed of the group, and not the 8 m/s of the drag.
  expect(drawn.velocity[0]).toBeCloseTo(1.56, 1);
  await expect.poll(() => visitor.page.locator(".message.warning").first().textContent(), { timeout: PATIENCE }).toContain("faster than “walkers” can go");
  await visitor.key("Control+z");
  await visitor.until("it is undone", (studio, before) => studio.anchors.length === before, before);
});

it("people who are led out of the world are counted", async () => {
  await expect.poll(() => visitor.page.locator("#outside").textContent(), { timeout: PATIENCE }).toBe("2 people outside the bounds of the world");
  expect(await visitor.page.locator("#outside").isVisible()).toBe(true);
});

it("only places that catch people are marked as warnings, each by what it does", async () => {
  await visitor.page.click("[data-group=knotted]");
  await visitor.key("a");
  const titles = (kind: string) => visitor.page.locator(`.label-${kind}`).evaluateAll((labels) => labels.map((label) => (label as HTMLElement).title));
  await expect.poll(() => titles("warning"), { timeout: PATIENCE }).toContainEqual(expect.stringContaining("people pile up here"));
  await expect.poll(() => titles("critical"), { timeout: PATIENCE }).toContainEqual(expect.stringContaining("nobody is held up"));
  for (const title of await titles("critical")) expect(title).not.toContain("circles");
  for (const title of await titles("warning")) expect(title).toMatch(/pile up|in circles/);
});
