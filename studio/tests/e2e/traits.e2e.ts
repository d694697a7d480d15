/** What people are like, with a real server and a real browser: traits are told, edited, undone and saved. */
import { expect, it } from "vitest";
import { PATIENCE, staying, type Server, type Visitor } from "./harness.ts";

const ROW = `# A row, for tests.
format = 1

[world]
bounds = [[-20, -12], [20, 12]]

[[groups]]
name = "row" # of three
people = [{ position = [0, 0] }, { position = [0, 2] }, { position = [0, -2], traits = { neuroticism = -0.8 } }]
`;

let server: Server;
let visitor: Visitor;
staying({ file: "row.toml", text: ROW }, "#camera=0.5,0,1.2,1.57,1.2,8", (stay) => ({ server, visitor } = stay));

const facts = () => visitor.page.locator(".person .facts").textContent();
const select = async (y: number) => {
  const at = await visitor.place(0, y);
  await visitor.page.mouse.click(at.x, at.y - 20);
};

it("the traits of a group are edited by sliders, told of each person, undone and saved", async () => {
  await visitor.page.locator("[data-group=row]").click();
  await visitor.page.locator("details.traits summary", { hasText: "Traits" }).click();
  const slider = visitor.page.locator("[data-trait=extraversion]");
  await slider.focus();
  for (let i = 0; i < 6; i++) await visitor.page.keyboard.press("ArrowRight");
  type Groups = { traits?: Record<string, number> }[];
  await visitor.until("it is in the document", (studio) => (studio.scene.document["groups"] as unknown as Groups)[0]?.traits?.["extraversion"] === 0.3);
  expect(await visitor.page.locator(".trait output").allTextContents()).toEqual(["0.00", "0.00", "0.30", "0.00", "0.00"]);

  await select(0);
  await expect.poll(facts, { timeout: PATIENCE }).toContain("outgoing 0.30");
  await select(-2);
  await expect.poll(facts, { timeout: PATIENCE }).toContain("calm 0.80, outgoing 0.30");

  await visitor.key("Control+s");
  await visitor.until("it is saved", (studio) => studio.scene.saved);
  expect(server.read("row.toml")).toBe(ROW + "traits = { extraversion = 0.3 }\n");

  // Keys are movements of their own: one undo for each.
  for (let i = 0; i < 6; i++) await visitor.key("Control+z");
  await visitor.until("they are as they were", (studio) => (studio.scene.document["groups"] as unknown as Groups)[0]?.traits === undefined);
  await expect.poll(facts, { timeout: PATIENCE }).toMatch(/^(?!.*outgoing).*calm 0\.80/s);
  await expect.poll(() => slider.inputValue(), { timeout: PATIENCE }).toBe("0");
  await visitor.key("Control+Shift+z");
  await visitor.until("it is done again", (studio) => (studio.scene.document["groups"] as unknown as Groups)[0]?.traits?.["extraversion"] === 0.05);
  await visitor.page.locator("details.traits button").click();
  await visitor.until("they are gone", (studio) => (studio.scene.document["groups"] as unknown as Groups)[0]?.traits === undefined);
});
