import { describe, expect, it } from "vitest";
import { cutDoor, gapAt, hoursOf, setHours } from "../../src/edits/doors.ts";
import { goalsInWords } from "../../src/edits/groups.ts";
import { addMeasurement, measurementsOf, moveEnd } from "../../src/edits/measurements.ts";
import { setSettings, settingsOf } from "../../src/edits/settings.ts";
import { parametersOf, resetParameter, setParameter } from "../../src/edits/steering.ts";
import { fileNote, sceneFileName } from "../../src/model/names.ts";
import { statusInWords } from "../../src/model/words.ts";
import type { JsonObject, SteeringModel } from "../../src/protocol.ts";
import { applyEdit, sceneOf } from "./helpers.ts";

describe("the settings of a scene", () => {
  it("are changed where they differ, and the table is made where there is none", () => {
    const scene = sceneOf({}, { world: { bounds: [[-20, -20], [20, 20]] } });
    const now = settingsOf(scene);
    expect(now).toMatchObject({ name: "Test", duration: 60, seed: 0, step: 0.1, navigation: true });
    expect(setSettings(scene, now)).toBeNull();
    const wanted = { ...now, seed: 7, duration: 90, bounds: [[-30, -20], [20, 25]] as typeof now.bounds };
    const after = applyEdit(scene.document, setSettings(scene, wanted)!.changes);
    expect(after).toEqual({ simulation: { seed: 7, duration: 90 }, world: { bounds: [[-30, -20], [20, 25]] } });
    const again = sceneOf({ duration: 90 }, { ...after, simulation: { seed: 7, duration: 90, step: 0.1 } });
    expect(applyEdit(again.document, setSettings(again, { ...settingsOf(again), name: "Hall", seed: 8 })!.changes)).toMatchObject({ name: "Hall", simulation: { seed: 8, duration: 90, step: 0.1 } });
  });
});

describe("steering parameters", () => {
  const model: SteeringModel = {
    name: "orca",
    summary: "",
    parameters: [
      { name: "time_horizon", description: "", unit: "s", default: 4, min: 0.1, max: 20 },
      { name: "responsibility", description: "", unit: "", default: 0.10000000149, min: 0, max: 1 },
    ],
  };
  const scene = (steering?: JsonObject): JsonObject => ({ groups: [{ name: "walkers", ...(steering ? { steering } : {}) }] });
  const steering = (document: JsonObject) => (document["groups"] as JsonObject[])[0]!["steering"];

  it("have their defaults where the scene gives none", () => {
    expect(parametersOf(scene(), "walkers", model).map(({ value, isSet }) => [value, isSet])).toEqual([[4, false], [0.1, false]]);
    const varied = parametersOf(scene({ model: "orca", time_horizon: { min: 2, max: 4 } }), "walkers", model)[0];
    expect(varied).toMatchObject({ value: 3, isSet: true, varies: true });
  });

  it("are set and reset one by one, and keep how far they vary", () => {
    const [horizon] = model.parameters as [SteeringModel["parameters"][0]];
    const set = (document: JsonObject, value: number) => steering(applyEdit(document, setParameter(document, "walkers", "orca", horizon, value).changes));
    expect(set(scene(), 5)).toEqual({ model: "orca", time_horizon: 5 });
    expect(set(scene({ model: "orca", responsibility: 0.5 }), 5)).toEqual({ model: "orca", responsibility: 0.5, time_horizon: 5 });
    expect(set(scene({ model: "orca", time_horizon: { min: 2, max: 4 } }), 1)).toEqual({ model: "orca", time_horizon: { min: 0.1, max: 2 } });
    const changed = scene({ model: "orca", time_horizon: 5 });
    expect(steering(applyEdit(changed, resetParameter("walkers", "time_horizon").changes))).toEqual({ model: "orca" });
  });
});

describe("doors", () => {
  const wall = { name: "wall", wall: { points: [[0, 0], [10, 0], [10, 6]], thickness: 0.2 }, height: 3 };
  const scene = sceneOf({}, { obstacles: [{ box: { center: [5, 5], size: [1, 1] } }, wall] });
  const obstacles = (leaf: boolean, at: [number, number], width = 2) => applyEdit(scene.document, cutDoor(scene, gapAt(scene, at, 0, width, 0.5)!, leaf).changes)["obstacles"] as JsonObject[];

  it("are gaps where a wall is clicked; both parts of it stay as they were", () => {
    const [, first, second, ...others] = obstacles(false, [4, 0.2]);
    expect(first).toEqual({ ...wall, wall: { points: [[0, 0], [3, 0]], thickness: 0.2 } });
    expect(second).toEqual({ ...wall, wall: { points: [[5, 0], [10, 0], [10, 6]], thickness: 0.2 } });
    expect(others).toEqual([]);
  });

  it("are moved into the wall at its ends, and closed at times if that is wanted", () => {
    const made = obstacles(true, [-0.3, 0]);
    expect(made[1]!["wall"]).toEqual({ points: [[2, 0], [10, 0], [10, 6]], thickness: 0.2 });
    expect(made[2]).toEqual({ name: "door", height: 3, wall: { points: [[0, 0], [2, 0]], thickness: 0.2 }, during: [{ from: 60 }] });
    expect(gapAt(scene, [5, 1.5], 0, 2, 0.5)).toBeNull();
    expect(gapAt(scene, [5, 0], 1, 2, 0.5)).toBeNull();
    expect(gapAt(scene, [10, 3], 0, 7, 0.5)).toBeNull();
    // A wall that is all door is gone.
    const short = sceneOf({}, { obstacles: [{ wall: { points: [[0, 0], [2, 0]], thickness: 0.2 } }] });
    expect(applyEdit(short.document, cutDoor(short, gapAt(short, [1, 0], 0, 2, 0.5)!, false).changes)["obstacles"]).toEqual([]);
  });

  it("have hours, which are read and written", () => {
    const document: JsonObject = { obstacles: [{ during: [{ to: 20 }, { from: 40 }] }] };
    const hours = hoursOf(document, 0);
    expect(hours).toEqual([{ from: 0, to: 20 }, { from: 40, to: null }]);
    expect(applyEdit(document, setHours(0, hours).changes)).toEqual({ obstacles: [{ during: [{ from: 0, to: 20 }, { from: 40 }] }] });
    expect(applyEdit(document, setHours(0, null).changes)).toEqual({ obstacles: [{}] });
    expect(hoursOf({ obstacles: [{}] }, 0)).toBeNull();
  });
});

it("lines on which people are counted get names of their own, and their ends are moved", () => {
  const scene = sceneOf({ measurements: [{ name: "line", layer: 0, line: [[0, 0], [1, 0]], area: null }] });
  const { edit, name } = addMeasurement(scene, [0, -2], [0, 2.004], 1);
  expect(name).not.toBe("line");
  const document = applyEdit({}, edit.changes);
  expect(document).toEqual({ measurements: [{ name, line: [[0, -2], [0, 2]], layer: "gallery" }] });
  expect(measurementsOf(document)).toEqual([{ name, isLine: true, interval: 1 }]);
  expect(applyEdit(document, moveEnd(document, name, 1, [3, 3], "drag")!.changes)).toMatchObject({ measurements: [{ line: [[0, -2], [3, 3]] }] });
  expect(moveEnd({ measurements: [{ name, area: "square" }] }, name, 0, [0, 0], "drag")).toBeNull();
});

it("words say what is meant: endings of files, goals without an end, and people who walk but get no nearer", () => {
  expect([sceneFileName(" hall "), sceneFileName("hall.toml"), sceneFileName("hall.v2"), sceneFileName("")]).toEqual(["hall.toml", "hall.toml", "hall.v2.toml", ""]);
  expect(fileNote("hall")).toContain("hall.toml");
  expect(fileNote("hall.toml")).toBe("");
  expect(goalsInWords({ groups: [{ name: "a", goals: [{ idle: 1e9 }, { idle: 5 }] }] }, "a")).toEqual(["stay until stopped", "stay for 5 s"]);
  expect([statusInWords("blocked", 0.1), statusInWords("blocked", 0.9), statusInWords("walking", 0.9)]).toEqual(["blocked", "walking, but gets no nearer", "walking"]);
});
