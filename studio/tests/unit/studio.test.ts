import { expect, it } from "vitest";
import { BodyTimeline } from "../../src/model/body-timeline.ts";
import { RoleBook } from "../../src/model/roles.ts";
import { Connection } from "../../src/connection.ts";
import type { Group } from "../../src/protocol.ts";
import { Studio, type Message } from "../../src/studio.ts";
import { PALETTES } from "../../src/view/palette.ts";
import { PeopleView, type Crew, type PeopleStyle } from "../../src/view/people.ts";
import { Timeline } from "../../src/model/timeline.ts";
import { frameOf } from "./helpers.ts";

const studioOf = () => new Studio(new Connection({ url: "ws://test/ws", openSocket: () => ({}) as never }), { read: () => null, write: () => {} });

it("people stay where they were last seen while the server is away, and make room for those of the next one", () => {
  const studio = studioOf();
  studio.connection.status.set({ kind: "open", server: "throng" });
  studio.connection.onFrame(frameOf(3, [[1, 2, 3], [2, 4, 5]]));
  studio.connection.status.set({ kind: "lost", attempt: 1, retryAt: 0 });
  expect(studio.timeline.shown().count).toBe(2);
  studio.connection.status.set({ kind: "open", server: "throng" });
  expect(studio.timeline.shown().count).toBe(0);
});

it("an arrow that is too fast is spoken of once for each group, and again when its largest speed has changed", () => {
  const studio = studioOf();
  const messages: Message[] = [];
  studio.showMessage = (message) => messages.push(message);
  const group = { name: "walkers", max_speed: 2 } as Group;
  studio.warnOfSpeed(1.9, group, null);
  expect(messages).toEqual([]);
  for (let i = 0; i < 3; i++) studio.warnOfSpeed(5, group, null);
  expect(messages).toMatchObject([{ level: "warning", text: "5.0 m/s is faster than “walkers” can go" }]);
  studio.warnOfSpeed(5, { ...group, name: "runners" }, null);
  studio.warnOfSpeed(5, { ...group, max_speed: 3 }, null);
  expect(messages).toHaveLength(3);
});

it("people in the plan have marks as long as these are larger than they are", () => {
  const nothing = { begin: () => {}, end: () => {}, push: () => false, isDressed: () => false };
  const view = new PeopleView(new BodyTimeline(), new RoleBook(), { bodies: nothing, posed: nothing, impostors: nothing } as unknown as Crew);
  view.setPalette(PALETTES.light);
  const timeline = new Timeline();
  timeline.push(frameOf(1, [[1, 2, 3, 1.5], [2, 4, 5], [3, 6, 7]]), 0);
  const style: PeopleStyle = { colors: ["#ff0000"], species: ["person"], bySpeed: false, byLevel: false, embodied: false, selected: new Set([2]), ownClothes: false, hidden: Uint8Array.from([0, 0, 1]), toCamera: null, markRadius: null };
  const marksAt = (markRadius: number | null) => {
    view.show(timeline.shown(), { ...style, markRadius }, [0, 0, 50], 1, 1);
    return view.marks;
  };
  expect(marksAt(null)).toBe(0);
  expect(marksAt(0.1)).toBe(0);
  // One is on a hidden floor.
  expect(marksAt(0.8)).toBe(2);
});
