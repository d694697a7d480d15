/** People with bodies, with a real server and a real browser. */
import { expect, it } from "vitest";
import { PATIENCE, STREAM, staying, until, type Spot, type Visitor } from "./harness.ts";

let visitor: Visitor;
// Close to where people appear.
staying({ file: "street.toml", text: STREAM }, "#camera=-12,0,1,0.4,1.1,11", (stay) => ({ visitor } = stay));

it("people near the camera have bodies, which are where the people are", async () => {
  const look = () => visitor.read((studio) => ({ bodies: studio.bodies, displayed: studio.displayed }));
  let { bodies, displayed } = await look();
  await until("bodies are shown", async () => {
    ({ bodies, displayed } = await look());
    // Those of a moment that have not come yet are where they were.
    return bodies.count >= 5 && Object.keys(bodies.places).length >= 5 && bodies.time! >= displayed.time;
  });
  for (const [id, [x, y]] of Object.entries(bodies.places)) {
    const [px, py] = displayed.people[Number(id)]!;
    expect(Math.hypot(x - px, y - py)).toBeLessThan(0.5);
  }
});

it("a body can be clicked on, and the card tells what it does", async () => {
  await visitor.key(" ");
  await visitor.stands();
  // Half-way up: whoever is near is looked down upon, and a click at their feet would miss them. The camera is turned by 0.4.
  const look = () =>
    visitor.read((studio) =>
      Object.values(studio.bodies.places).map(([x, y]) => {
        const [feet, beside] = [studio.project(x, y), studio.project(x + Math.cos(0.4), y + Math.sin(0.4))];
        return { x: feet.x, y: feet.y - 0.75 * (beside.x - feet.x) };
      }),
    );
  let spot: Spot | undefined;
  await until("somebody is in the middle of the window, where no panel is", async () => {
    spot = (await look()).find(({ x, y }) => x > 200 && x < 700 && y > 150 && y < 560);
    return spot !== undefined;
  });
  await visitor.page.mouse.click(spot!.x, spot!.y);
  await visitor.until("somebody is selected", (studio) => (studio.selection as { ids?: number[] } | null)?.ids?.length === 1);
  await visitor.until("the card tells of their body", (studio) => (studio.inspection as { body?: { clip?: string } | null } | null)?.body?.clip);
  await expect.poll(() => visitor.page.locator(".person .facts").textContent(), { timeout: PATIENCE }).toContain("Deviation");
});

it("the panel tells how far feet slip, and a click selects the person", async () => {
  await visitor.key("Escape");
  await visitor.key(" ");
  await visitor.key("6");
  await visitor.page.locator(".skating-list .button").first().click();
  await visitor.until("they are selected", (studio) => (studio.selection as { ids?: number[] } | null)?.ids?.length === 1);
});

it("bodies can be switched off and come back", async () => {
  await visitor.page.selectOption(".bodies", "off");
  await visitor.until("all are figures", (studio) => studio.bodies.count === 0 && studio.state.bodies === 0);
  await visitor.page.selectOption(".bodies", "more");
  await visitor.until("they are back", (studio) => studio.bodies.count >= 5);
});
