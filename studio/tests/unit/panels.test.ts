import { expect, it } from "vitest";
import { completeInspection } from "../../src/model/complete.ts";
import type { StateEvent } from "../../src/protocol.ts";
import { performanceRows } from "../../src/ui/performance-panel.ts";
import { factsOf } from "../../src/ui/selection-panel.ts";

const RATES = { frames: 30, pictures: 60, bytes: 11.25, bodyBytes: 0 };

it("the performance of a recording has no rows of what is not simulated", () => {
  const replay: StateEvent = { event: "state", playing: true, speed: 1, time: 3, step: 30, start: 0, end: 9, people: 40, recording: null, clients: 2, pace: 1, frame_ms: 0.5 };
  const keys = performanceRows(replay, RATES).map(([key]) => key);
  expect(keys).toEqual(["A frame takes", "People", "Pace", "Frames from server", "Pictures on screen", "Bytes per person", "Pages open"]);
  const live = Object.fromEntries(performanceRows({ ...replay, end: null, step_ms: 2, contacts: 7 }, RATES));
  expect(live).toMatchObject({ "A step takes": "2.00 ms", "People per second": "20,000", Contacts: "7" });
});

it("the card of a recorded person tells no goal, wish, neighbours or model", () => {
  const person = completeInspection({ id: 4, group: "walkers", velocity: [1, 0], speed: 1, status: "walking" });
  expect(factsOf(person, true)).toEqual([
    ["Group", "walkers"],
    ["Status", "walking"],
    ["Speed", "1.00 m/s"],
  ]);
  const keys = factsOf({ ...person, model: "orca" }, false).map(([key]) => key);
  expect(keys).toEqual(["Group", "Goal", "Status", "Speed", "Heeds", "Model"]);
});
