/** What people look at, with a real server and a real browser: interests are placed, and the camera is noticed. */
import { expect, it } from "vitest";
import { PATIENCE, staying, type Server, type Visitor } from "./harness.ts";

/** Four who stand in a row and face east. */
const ROW = `# A row, for tests.
format = 1

[simulation]
duration = 600

[world]
bounds = [[-20, -12], [20, 12]]

[[groups]]
name = "row"
interest = 0 # they do not look at each other
people = [
    { position = [0, 0], heading = 0 }, { position = [0, 2], heading = 0 },
    { position = [0, -2], heading = 0 }, { position = [0, 4], heading = 0 },
]
`;

type Body = { body?: { looks_at?: { kind: string; name?: string } | null } | null } | null;

let server: Server;
let visitor: Visitor;
// East of them, and not high above.
staying({ file: "row.toml", text: ROW }, "#camera=0.5,0,1.2,1.57,1.2,5", (stay) => ({ server, visitor } = stay));

/** Selects one after the other until somebody looks at something of these kinds: not everybody cares. */
async function somebodyLooks(kinds: string[]): Promise<void> {
  for (let round = 0; round < 30; round++) {
    for (const y of [0, 2, -2]) {
      const at = await visitor.place(0, y);
      await visitor.page.mouse.click(at.x, at.y - 40);
      for (let i = 0; i < 5; i++) {
        await visitor.page.waitForTimeout(200);
        const look = await visitor.read((studio) => (studio.inspection as Body)?.body?.looks_at ?? null);
        if (look && kinds.includes(look.kind)) return;
      }
    }
  }
  throw new Error(`nobody has looked at a ${kinds.join(" or ")}`);
}

it("people look at the camera while they are asked to", async () => {
  await visitor.until("they have bodies", (studio) => studio.bodies.count === 4);
  await visitor.page.locator("#noticed").click();
  await visitor.until("it is switched on", (studio) => studio.noticed);
  await somebodyLooks(["viewer", "viewer_gaze"]);
  await expect.poll(() => visitor.page.locator(".person .facts").textContent(), { timeout: PATIENCE }).toContain("Looks at");
  await visitor.key("m");
  await visitor.until("it is switched off", (studio) => !studio.noticed);
  await visitor.until("they look away", (studio) => (studio.inspection as Body)?.body?.looks_at === null);
  await visitor.key("Escape");
});

it("an interest is placed, looked at, edited, moved, undone and saved", async () => {
  await visitor.key("i");
  await visitor.until("the tool is taken", (studio) => studio.tool === "interest");
  await visitor.click(0.9, 1);
  await visitor.until("it is there and selected", (studio) => studio.scene.interests.length === 1 && (studio.selection as { kind?: string } | null)?.kind === "interest");
  const [made] = await visitor.read((studio) => studio.scene.interests);
  expect(made).toMatchObject({ name: "sight", height: 1.5, facing: null });
  expect(Math.hypot(made!.position[0] - 0.9, made!.position[1] - 1)).toBeLessThan(0.1);
  await expect.poll(() => visitor.page.locator(".label-interest").textContent(), { timeout: PATIENCE }).toBe("sight");

  await visitor.page.getByLabel("Level", { exact: true }).fill("1");
  await visitor.page.keyboard.press("Enter");
  await visitor.until("its level is set", (studio) => studio.scene.interests[0]!.level === 1);
  await visitor.page.getByLabel("Height", { exact: true }).fill("0");
  await visitor.page.keyboard.press("Enter");
  await visitor.until("its height is set", (studio) => studio.scene.interests[0]!.height === 0);
  await visitor.page.getByLabel("Seen from", { exact: true }).selectOption("front");
  await visitor.until("it faces somewhere", (studio) => studio.scene.interests[0]!.facing === 0 && studio.scene.interests[0]!.field === 160);
  await visitor.page.getByLabel("Seen from", { exact: true }).selectOption("everywhere");
  await visitor.until("it does not any more", (studio) => studio.scene.interests[0]!.facing === null);

  await visitor.key("v");
  await visitor.drag([made!.position[0], made!.position[1]], [0.9, -1]);
  await visitor.until("it is moved", (studio) => Math.abs(studio.scene.interests[0]!.position[1] + 1) < 0.2);
  await visitor.key("Control+z");
  await visitor.until("it is back", (studio) => Math.abs(studio.scene.interests[0]!.position[1] - 1) < 0.2);
  await visitor.key("Control+s");
  await visitor.until("it is saved", (studio) => studio.scene.saved);
  const saved = server.read("row.toml");
  expect(saved).toContain("[[interests]]");
  expect(saved).toContain("# they do not look at each other");

  await visitor.key("Escape");
  await somebodyLooks(["place"]);
});

it("Delete takes away what is selected", async () => {
  await visitor.key("Escape");
  const [made] = await visitor.read((studio) => studio.scene.interests);
  await visitor.click(made!.position[0], made!.position[1]);
  await visitor.until("it is selected", (studio) => (studio.selection as { kind?: string } | null)?.kind === "interest");
  await visitor.key("Delete");
  await visitor.until("it is gone", (studio) => studio.scene.interests.length === 0 && studio.selection === null);
});
