import { beforeEach, expect, it, vi } from "vitest";
import type { Anchor, Point } from "../../src/protocol.ts";
import type { Selection } from "../../src/studio.ts";
import { signal } from "../../src/model/signal.ts";
import { SelectTool } from "../../src/tools/select.ts";
import type { Pointer, ToolContext } from "../../src/tools/tool.ts";
import { sceneOf } from "./helpers.ts";

/** An arrow whose head a person stands on, in a region around both. */
const anchor = { at: [0, 0], velocity: [1, 0], reach: null, index: 0, name: null, residual: 0, met: [1, 0] } as unknown as Anchor;
const square: Point[] = [[-9, -9], [9, -9], [9, 9], [-9, 9]];
const scene = sceneOf(
  {
    regions: [{ name: "square", layer: 0, polygon: square, tags: [] }] as never,
    fields: [{ name: "stream", layer: 0, editable: true, anchors: [anchor] }] as never,
  },
  { regions: [{ name: "square", polygon: square }], fields: [{ name: "stream", anchors: [{ at: [0, 0], velocity: [1, 0] }] }] },
);

const requests: unknown[] = [];
const selection = signal<Selection>(null);
const held: unknown[] = [];
let tool: SelectTool;

/** Pixels are metres here. */
const pointer = (x: number, y: number): Pointer => ({ x, y, layer: 0, ground: [x / 10, y / 10], shift: false, control: false, touch: false });
const drag = async (from: Pointer, to: Pointer) => {
  tool.down(from);
  tool.drag(to);
  tool.up(to);
  await new Promise((resolve) => setTimeout(resolve));
};
const click = (at: Pointer) => {
  tool.down(at);
  tool.up(at);
};

beforeEach(() => {
  requests.length = held.length = 0;
  selection.set(null);
  const near = (at: Point, x: number, y: number) => Math.hypot(at[0] - x, at[1] - y) < 0.5;
  const grip = (at: Point) => (near(at, 2, 0) ? "head" : near(at, 0, 0) ? "tail" : near(at, 1, 0) ? "shaft" : null);
  const world = {
    personAt: (x: number, y: number) => (near([x / 10, y / 10], 2, 0) || near([x / 10, y / 10], 1, 0) ? 5 : null),
    interestAt: () => null,
    obstacleAt: () => null,
    arrowAt: (at: Point) => (grip(at) ? { field: "stream", anchor, grip: grip(at) } : null),
    regionAt: () => scene.regions[0],
    isOnRegionHandle: (_: string, at: Point) => Math.abs(Math.abs(at[0]) - 9) < 0.5 || near(at, 0, 5),
    peopleWithin: () => [1, 2],
    hold: (what: unknown) => held.push(what),
    stage: { canvas: { style: {} } },
  };
  const studio = {
    scene: signal(scene),
    selection,
    sending: signal(false),
    isReplay: false,
    selectedPeople: [],
    markDone: () => {},
    sceneArrives: () => Promise.resolve(),
    warnOfSpeed: () => {},
    connection: { request: (_: string, edit: unknown) => Promise.resolve((requests.push(edit), { revision: 1 })) },
  };
  const context = { studio, world, tip: vi.fn(), marquee: vi.fn() } as unknown as ToolContext;
  tool = new SelectTool(context);
});

it("the handles of a selected arrow come before people who are there; without a selection, people do", async () => {
  click(pointer(20, 0));
  expect(selection.value).toEqual({ kind: "people", ids: new Set([5]) });
  selection.set({ kind: "arrow", field: "stream", index: 0 });
  await drag(pointer(20, 0), pointer(20, 30));
  expect(requests.at(-1)).toMatchObject({ label: "Turn an arrow" });
  expect(selection.value).toMatchObject({ kind: "arrow" });
  click(pointer(20, 0));
  expect(selection.value).toMatchObject({ kind: "arrow" });
  // On the shaft a click means the person, and a drag the arrow.
  await drag(pointer(10, 0), pointer(10, 20));
  expect(requests.at(-1)).toMatchObject({ label: "Move an arrow" });
  click(pointer(10, 0));
  expect(selection.value).toMatchObject({ kind: "people" });
});

it("a drag over the ground of a selected region selects people, and one at its outline or its handle moves it", async () => {
  click(pointer(40, 40));
  expect(selection.value).toEqual({ kind: "region", name: "square" });
  await drag(pointer(40, 40), pointer(70, 70));
  expect(requests).toEqual([]);
  expect(selection.value).toEqual({ kind: "people", ids: new Set([1, 2]) });
  for (const from of [pointer(90, 30), pointer(0, 50)]) {
    selection.set({ kind: "region", name: "square" });
    await drag(from, pointer(from.x - 20, from.y));
    expect(requests.at(-1)).toMatchObject({ label: "Move region “square”" });
    expect(selection.value).toMatchObject({ kind: "region" });
  }
});
