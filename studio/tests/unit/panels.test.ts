import { expect, it } from "vitest";
import type { Inspection, StateEvent } from "../../src/protocol.ts";
import { performanceRows } from "../../src/ui/performance-panel.ts";
import { factsOf } from "../../src/ui/selection-panel.ts";

const RATES = { frames: 30, pictures: 60, bytes: 11.25, bodyBytes: 0 };

it("the performance of a recording has no rows of what is not simulated", () => {
  const time = { playing: true, speed: 1, pace: 1, time: 3, step: 30, start: 0, end: 9 };
  const simulated = { step_ms: null, stages: [], contacts: null, patterns_ms: null, pipeline: [], efforts: null };
  const replay: StateEvent = { event: "state", ...time, people: 40, recording: null, clients: 2, ...simulated, frame_ms: 0.5, bodies: 0, bodies_ms: 0, levels: null };
  const keys = performanceRows(replay, RATES).map(([key]) => key);
  expect(keys).toEqual(["A frame takes", "People", "Pace", "Frames from server", "Pictures on screen", "Bytes per person", "Pages open"]);
  const live = Object.fromEntries(performanceRows({ ...replay, end: null, step_ms: 2, contacts: 7 }, RATES));
  expect(live).toMatchObject({ "A step takes": "2.00 ms", "People per second": "20,000", Contacts: "7" });
});

it("the card of a recorded person tells no goal, wish, neighbours or model", () => {
  const simulated = { preferred: null, chosen: null, words: "", model: null, goal: null, field: null, path: [], corridor: [], neighbours: [], companions: [], waits_for: null, constraints: [] };
  const state = { layer: 0, position: [0, 0], velocity: [1, 0], speed: 1, heading: 0, radius: 0.25, status: "walking" } as const;
  const person = { id: 4, group: "walkers", ...state, traits: null, level: null, body: null, ...simulated } as unknown as Inspection;
  expect(factsOf(person, true)).toEqual([
    ["Group", "walkers"],
    ["Status", "walking"],
    ["Speed", "1.00 m/s"],
  ]);
  const keys = factsOf({ ...person, model: "orca" }, false).map(([key]) => key);
  expect(keys).toEqual(["Group", "Goal", "Status", "Speed", "Heeds", "Model"]);
});
