import { describe, expect, it } from "vitest";
import * as arrows from "../../src/edits/arrows.ts";
import * as groups from "../../src/edits/groups.ts";
import * as interests from "../../src/edits/interests.ts";
import * as places from "../../src/edits/places.ts";
import { gazeInWords, traitsInWords } from "../../src/model/words.ts";
import type { Group, Interest, JsonObject, Point } from "../../src/protocol.ts";
import { seenFrom } from "../../src/view/interests.ts";
import { applyEdit, random, sceneOf } from "./helpers.ts";

const visitors: Group = { name: "visitors", color: "#3b82c4", species: "person", model: "orca", max_speed: 2.5, led: [], share: null };

const led = () =>
  sceneOf(
    {
      fields: [
        {
          name: "stream",
          layer: 0,
          region: null,
          editable: true,
          anchors: [
            { index: 0, name: null, at: [0, 0], velocity: [1, 0], met: [1, 0], residual: 0, reach: null },
            { index: 1, name: null, at: [5, 0], velocity: [0, 1], met: [0, 1], residual: 0, reach: null },
          ],
          remarks: [],
        },
      ],
      groups: [{ name: "visitors", color: "#3b82c4", species: "person", model: "orca", max_speed: 2.5, led: ["stream"], share: 0.7 }],
    },
    {
      fields: [{ name: "stream", anchors: [{ at: [0, 0], velocity: [1, 0] }, { at: [5, 0], velocity: [0, 1] }] }],
      groups: [{ name: "visitors", led: { by: ["stream"] }, people: [{ position: [1, 1] }] }],
    },
  );

describe("arrows", () => {
  it("are as fast as the drag is long, half a metre per second for a metre", () => {
    expect(arrows.velocityOfDrag([1, 1], [3, 1])).toEqual([1, 0]);
    expect(arrows.headOf({ at: [1, 1], velocity: [1, 0] })).toEqual([3, 1]);
    const [u, v] = arrows.velocityOfDrag([0, 0], [300, 400]);
    expect(Math.hypot(u, v)).toBeCloseTo(20, 1);
  });

  it("of a group that nothing leads bring their field with them", () => {
    const scene = sceneOf({}, { groups: [{ name: "visitors", people: [] }] });
    const edit = arrows.addArrow(scene, visitors, [1.234567, 2], [1, 0.5], 0);
    const after = applyEdit(scene.document, edit.changes) as any;
    expect(after.fields).toEqual([{ name: "visitors arrows", anchors: [{ at: [1.23, 2], velocity: [1, 0.5], reach: arrows.NEW_REACH }] }]);
    expect(after.groups[0].led).toEqual({ by: ["visitors arrows"] });
  });

  it("are no faster than those whom they lead", () => {
    for (const end of [[6, 0], [3, -5], [-4, 4.2]] as Point[]) {
      const [u, v] = arrows.velocityOfDrag([0, 0], end, arrows.speedLimit({ ...visitors, max_speed: 1.57 }));
      expect(Math.hypot(u, v)).toBeLessThanOrEqual(1.57);
      expect(Math.hypot(u, v)).toBeGreaterThan(1.54);
      expect(Math.atan2(v, u)).toBeCloseTo(Math.atan2(end[1], end[0]), 1);
    }
    const scene = led();
    scene.groups.push({ ...visitors, name: "runners", max_speed: 4, led: ["stream"] }, { ...visitors, name: "others", max_speed: 9 });
    expect(arrows.fastestLed(scene, "stream")?.name).toBe("runners");
    expect(arrows.fastestLed(scene, "nothing")).toBeNull();
    expect(arrows.speedLimit(null)).toBe(arrows.FASTEST);
  });

  it("have a reach that is changed and taken away", () => {
    const scene = led();
    let after = applyEdit(scene.document, arrows.setReach("stream", 1, 7.26).changes) as any;
    expect(after.fields[0].anchors.map((anchor: any) => anchor.reach)).toEqual([undefined, 7.3]);
    after = applyEdit(after, arrows.setReach("stream", 1, -3).changes);
    expect(after.fields[0].anchors[1].reach).toBe(arrows.REACHES.min);
    after = applyEdit(after, arrows.setReach("stream", 1, null).changes);
    expect(after.fields[0].anchors[1]).toEqual({ at: [5, 0], velocity: [0, 1] });
  });

  it("of a field whose arrows have a reach have one, too", () => {
    const scene = led();
    for (const anchor of scene.fields[0]!.anchors) anchor.reach = 6;
    const edit = arrows.addArrow(scene, { ...visitors, led: ["stream"] }, [9, 9], [1, 0], 0);
    const after = applyEdit(scene.document, edit.changes) as any;
    expect(after.fields[0].anchors[2]).toEqual({ at: [9, 9], velocity: [1, 0], reach: arrows.NEW_REACH });
  });

  it("join the field that there is", () => {
    const scene = led();
    const edit = arrows.addArrow(scene, { ...visitors, led: ["stream"] }, [9, 9], [1, 0], 0);
    const after = applyEdit(scene.document, edit.changes) as any;
    expect(after.fields).toHaveLength(1);
    expect(after.fields[0].anchors[2]).toEqual({ at: [9, 9], velocity: [1, 0] });
  });

  it("on another floor make a field there, beside those that lead already", () => {
    const scene = led();
    const edit = arrows.addArrow(scene, { ...visitors, led: ["stream"] }, [9, 9], [1, 0], 1);
    const after = applyEdit(scene.document, edit.changes) as any;
    expect(after.fields[1]).toMatchObject({ name: "visitors arrows", layer: "gallery" });
    expect(after.groups[0].led.by).toEqual(["stream", "visitors arrows"]);
  });

  it("are moved, turned and removed by their place in the document", () => {
    const scene = led();
    let after = applyEdit(scene.document, arrows.moveArrow("stream", 1, [6, 7]).changes) as any;
    expect(after.fields[0].anchors[1]).toEqual({ at: [6, 7], velocity: [0, 1] });
    after = applyEdit(after, arrows.turnArrow("stream", 0, [-1, 0]).changes);
    expect(after.fields[0].anchors[0].velocity).toEqual([-1, 0]);
    after = applyEdit(after, arrows.removeArrow(scene, "stream", 0).changes);
    expect(after.fields[0].anchors).toEqual([{ at: [6, 7], velocity: [0, 1] }]);
  });

  it("take their field with them when the last one goes", () => {
    const scene = led();
    scene.fields[0]!.anchors.pop();
    (scene.document["fields"] as any)[0].anchors.pop();
    const after = applyEdit(scene.document, arrows.removeArrow(scene, "stream", 0).changes) as any;
    expect(after.fields).toEqual([]);
    expect(after.groups[0]).not.toHaveProperty("led");
  });

  it("leave other fields leading when the last one of theirs goes", () => {
    const scene = led();
    scene.fields[0]!.anchors.pop();
    scene.groups[0]!.led = ["other", "stream"];
    const edit = arrows.removeArrow(scene, "stream", 0);
    expect(edit.changes[0]).toEqual({ set: { at: ["groups", { name: "visitors" }, "led", "by"], value: ["other"] } });
  });
});

describe("groups", () => {
  it("are added with nobody in them, each with a name and a colour of its own", () => {
    const first = groups.addGroup(sceneOf());
    expect(first.name).toBe("visitors");
    const document = applyEdit({}, first.edit.changes) as any;
    expect(document.groups).toEqual([{ name: "visitors", color: expect.stringMatching(/^#[0-9a-f]{6}$/) }]);
    expect(groups.isDeserted(document, "visitors")).toBe(true);
    const scene = sceneOf({ groups: [{ ...visitors, color: document.groups[0].color }, { ...visitors, name: "group" }] }, document);
    const next = groups.addGroup(scene);
    expect(next.name).toBe("group 2");
    expect((applyEdit(document, next.edit.changes) as any).groups[1].color).not.toBe(document.groups[0].color);
  });

  it("are of a species, which is told if they are no people", () => {
    const document: JsonObject = { groups: [{ name: "herd", color: "#6b4226" }] };
    expect(groups.setSpecies(document, "herd", "person").changes).toEqual([]);
    expect(groups.speedOf(document, "herd").value).toBe(1.34);
    const horses = applyEdit(document, groups.setSpecies(document, "herd", "horse").changes);
    expect(horses).toEqual({ groups: [{ name: "herd", color: "#6b4226", species: "horse" }] });
    expect(groups.speedOf(horses, "herd")).toMatchObject({ value: 1.6, kind: "normal" });
    const dogs = applyEdit(horses, groups.setSpecies(horses, "herd", "dog").changes) as any;
    expect(dogs.groups[0].species).toBe("dog");
    expect(applyEdit(dogs, groups.setSpecies(dogs, "herd", "person").changes)).toEqual(document);
  });

  it("have traits that are set one by one, and taken away together", () => {
    const document: JsonObject = { groups: [{ name: "visitors" }] };
    expect(groups.traitsOf(document, "visitors")).toBeNull();
    expect(groups.clearTraits(document, "visitors").changes).toEqual([]);
    const outgoing = applyEdit(document, groups.setTrait(document, "visitors", "extraversion", 0.4049).changes);
    expect(outgoing).toEqual({ groups: [{ name: "visitors", traits: { extraversion: 0.4 } }] });
    const spread = { mean: 0.25, sd: 0.3, min: -1, max: 1 };
    const both = applyEdit(outgoing, groups.setTrait(outgoing, "visitors", "neuroticism", -0.5, "slide").changes) as any;
    expect(both.groups[0].traits).toEqual({ extraversion: 0.4, neuroticism: -0.5 });
    both.groups[0].traits.openness = spread;
    const told = groups.traitsOf(both, "visitors");
    expect(told?.values).toEqual({ openness: 0.25, conscientiousness: 0, extraversion: 0.4, agreeableness: 0, neuroticism: -0.5 });
    expect(told?.varied).toEqual(["openness"]);
    expect(groups.setTrait(both, "visitors", "openness", 0, "slide").join).toBe("slide");
    expect(applyEdit(both, groups.clearTraits(both, "visitors").changes)).toEqual(document);
  });

  it("are deserted until somebody is there or comes", () => {
    const group = (content: JsonObject) => groups.isDeserted({ groups: [{ name: "visitors", ...content }] }, "visitors");
    expect(group({ people: [], goals: [{ idle: 3 }] })).toBe(true);
    expect(group({ people: [{ position: [0, 0] }] })).toBe(false);
    expect(group({ crowds: [{ count: 3, region: "hall" }] })).toBe(false);
    expect(group({ sources: [{ region: "hall", rate: 1 }] })).toBe(false);
  });

  it("take the fields with them that lead nobody else", () => {
    const scene = led();
    scene.fields.push({ ...scene.fields[0]!, name: "tide" });
    (scene.document["fields"] as JsonObject[]).push({ name: "tide", anchors: [] });
    scene.groups = [{ ...visitors, led: ["stream", "tide"] }, { ...visitors, name: "others", led: ["tide"] }];
    let after = applyEdit(scene.document, groups.removeGroup(scene, scene.groups[0]!).changes) as any;
    expect(after.groups).toEqual([]);
    expect(after.fields.map((field: JsonObject) => field["name"])).toEqual(["tide"]);
    after = applyEdit({ ...scene.document, groups: [{ name: "others" }] }, groups.removeGroup(scene, scene.groups[1]!).changes);
    expect(after.fields).toHaveLength(2);
  });
});

describe("people", () => {
  it("are added to their group", () => {
    const edit = groups.paintPeople(sceneOf(), "visitors", [[1, 2]], 1);
    expect(edit.changes).toEqual([
      { add: { to: ["groups", { name: "visitors" }, "people"], value: { position: [1, 2], layer: "gallery" } } },
    ]);
  });

  it("come from a source whose region is made in the same edit", () => {
    const scene = sceneOf({}, { groups: [{ name: "visitors" }] });
    const edit = groups.addSource(scene, "visitors", [4, 4], [1, 2], 0.5, 0);
    const after = applyEdit(scene.document, edit.changes) as any;
    expect(after.regions).toEqual([{ name: "visitors entrance", rectangle: [[1, 2], [4, 4]] }]);
    expect(after.groups[0].sources).toEqual([{ region: "visitors entrance", rate: 0.5 }]);
  });

  it("are given goals: points, regions, and places to leave at", () => {
    const scene = sceneOf({}, { groups: [{ name: "visitors", goals: [{ idle: 3 }] }] });
    let after = applyEdit(scene.document, groups.setGoal(scene, "visitors", { point: [1, 2], layer: 1 }, true).changes) as any;
    expect(after.groups[0].goals).toEqual([{ idle: 3 }, { seek: [1, 2], layer: "gallery" }]);
    after = applyEdit(scene.document, groups.leaveAt(scene, "visitors", "gate").changes);
    expect(after.groups[0]).toMatchObject({ goals: [{ seek: "gate" }], then: "leave" });
  });
});

describe("renames", () => {
  const document: JsonObject = {
    regions: [{ name: "gate" }, { name: "hall" }],
    fields: [{ name: "f", region: "gate" }],
    groups: [
      {
        name: "a",
        goals: [{ seek: "gate" }, { seek: { nearest: ["hall", "gate"] } }, { seek: { random: "gate" } }, { seek: { group: "b" } }],
        crowds: [{ count: 3, region: "gate" }],
        people: [{ position: [0, 0], goal: { seek: "gate" } }, { position: [1, 0], goals: [{ flee: { group: "b" } }] }],
      },
      { name: "b", sources: [{ region: "gate", rate: 1 }] },
    ],
    measurements: [{ name: "m", area: "gate" }, { name: "n", area: [[0, 0]] }],
  };

  it("of regions reach all that names them, and nothing else", () => {
    const after = applyEdit(document, places.renameRegion(document, "gate", "portal").changes);
    expect(JSON.stringify(after)).toBe(JSON.stringify(document).replaceAll('"gate"', '"portal"'));
  });

  it("of groups, too", () => {
    const after = applyEdit(document, groups.renameGroup(document, "b", "guards").changes);
    expect(JSON.stringify(after)).toBe(JSON.stringify(document).replaceAll('"b"', '"guards"'));
  });
});

describe("obstacles", () => {
  const document: JsonObject = {
    obstacles: [
      { circle: { center: [0, 0], radius: 1 } },
      { box: { center: [1, 1], size: [2, 1], angle: 30 } },
      { wall: { points: [[0, 0], [1, 0]], thickness: 0.2 } },
      { polygon: [[0, 0], [1, 0], [1, 1]] },
      { file: "walls.wkt" },
    ],
  };

  it("move as a whole and keep their shape", () => {
    const next = random(2);
    for (let run = 0; run < 50; run++) {
      const by: Point = [Math.round(next() * 1000) / 100, Math.round(next() * -1000) / 100];
      const index = Math.floor(next() * 4);
      const edit = places.moveObstacle(document, index, by, "drag 1")!;
      expect(edit.join).toBe("drag 1");
      const there = applyEdit(document, edit.changes);
      const back = places.moveObstacle(there, index, [-by[0], -by[1]], "drag 2")!;
      expect(applyEdit(there, back.changes)).toEqual(document);
      expect(there).not.toEqual(document);
    }
  });

  it("whose shape is in a file stay where they are", () => {
    expect(places.moveObstacle(document, 4, [1, 0], "drag")).toBeNull();
  });

  it("are added on their floor", () => {
    const wall = places.addWall(sceneOf(), [[0, 0], [2.0001, 0]], 0.2, 2.5, 1);
    expect(wall.changes).toEqual([
      { add: { to: ["obstacles"], value: { wall: { points: [[0, 0], [2, 0]], thickness: 0.2 }, height: 2.5, layer: "gallery" } } },
    ]);
    const box = places.addBox(sceneOf(), [3, 5], [1, 1], 1, 0);
    expect(box.changes).toEqual([{ add: { to: ["obstacles"], value: { box: { center: [2, 3], size: [2, 4] }, height: 1 } } }]);
  });
});

describe("the field that leads a group", () => {
  it("is chosen, and what else is said of how it is led stays", () => {
    const scene = led();
    const document: JsonObject = { ...scene.document, groups: [{ name: "visitors", led: { by: ["stream"], share: 0.3 } }, { name: "others" }] };
    const edited = { ...scene, document };
    expect(groups.setField(edited, "visitors", "tide").changes).toEqual([{ set: { at: ["groups", { name: "visitors" }, "led", "by"], value: ["tide"] } }]);
    expect(groups.setField(edited, "others", "stream").changes).toEqual([{ set: { at: ["groups", { name: "others" }, "led"], value: { by: ["stream"] } } }]);
    expect(groups.setField(edited, "visitors", "").changes).toEqual([{ remove: { at: ["groups", { name: "visitors" }, "led"] } }]);
    expect(groups.setField(edited, "others", "").changes).toEqual([]);
  });
});

describe("what people look at", () => {
  const clock: Interest = { name: "sight", layer: 0, position: [1, 2], height: 1.5, level: 0.7, reach: 10, facing: null, field: null };
  const document = (): JsonObject => ({ interests: [{ name: "sight", position: [1, 2] }] });

  it("is placed under a name that is free, at the height of eyes, on its floor", () => {
    const scene = sceneOf({ interests: [clock] }, document());
    const name = interests.suggestInterestName(scene);
    expect(name).toBe("sight 2");
    const after = applyEdit(scene.document, interests.addInterest(scene, name, [3.14159, -2], 1).changes) as any;
    expect(after.interests[1]).toEqual({ name: "sight 2", position: [3.14, -2], height: 1.5, layer: "gallery" });
    const first = applyEdit({}, interests.addInterest(sceneOf(), "sight", [0, 0], 0).changes) as any;
    expect(first.interests).toEqual([{ name: "sight", position: [0, 0], height: 1.5 }]);
  });

  it("is moved from where it was when the drag began", () => {
    const edit = interests.moveInterest(document(), "sight", [0.5, -1], "drag 1")!;
    expect(edit.join).toBe("drag 1");
    expect((applyEdit(document(), edit.changes) as any).interests[0].position).toEqual([1.5, 1]);
    expect(interests.moveInterest(document(), "nothing", [1, 1], "drag 2")).toBeNull();
  });

  it("is changed key by key, renamed and removed", () => {
    let after = applyEdit(document(), interests.setInterest("sight", "level", 0.3333).changes) as any;
    after = applyEdit(after, interests.setInterest("sight", "facing", 90).changes);
    after = applyEdit(after, interests.setInterest("sight", "field", 120).changes);
    after = applyEdit(after, interests.renameInterest("sight", "clock").changes);
    expect(after.interests).toEqual([{ name: "clock", position: [1, 2], level: 0.33, facing: 90, field: 120 }]);
    after = applyEdit(after, interests.unfaceInterest(after, "clock").changes);
    expect(after.interests).toEqual([{ name: "clock", position: [1, 2], level: 0.33 }]);
    expect((applyEdit(after, interests.removeInterest("clock").changes) as any).interests).toEqual([]);
  });

  it("that faces somewhere without a field of its own is turned back without an error", () => {
    const faced = applyEdit(document(), interests.setInterest("sight", "facing", 45).changes);
    expect(applyEdit(faced, interests.unfaceInterest(faced, "sight").changes)).toEqual(document());
  });

  it("is seen from all around, or from in front of it", () => {
    const around = seenFrom(clock, clock.position);
    expect(around.every(([x, y]) => Math.abs(Math.hypot(x - 1, y - 2) - 10) < 1e-9)).toBe(true);
    const [tip, ...arc] = seenFrom({ reach: 5, facing: 90, field: 60 }, [0, 0]);
    expect(tip).toEqual([0, 0]);
    const angles = arc.map(([x, y]) => (Math.atan2(y, x) * 180) / Math.PI);
    expect(Math.min(...angles)).toBeCloseTo(60, 6);
    expect(Math.max(...angles)).toBeCloseTo(120, 6);
  });
});

it("what somebody is like is told in words, the strongest first", () => {
  const traits = { openness: 0, conscientiousness: 0.2, extraversion: -0.45, agreeableness: 0, neuroticism: 0 };
  expect(traitsInWords(traits)).toBe("withdrawn 0.45, orderly 0.20");
  expect(traitsInWords({ ...traits, conscientiousness: 0, extraversion: 0 })).toBe("neutral");
  expect(traitsInWords(null)).toBe("");
});

it("what somebody looks at is told in words", () => {
  expect(gazeInWords(null)).toBe("ahead");
  expect(gazeInWords({ kind: "place", name: "clock", phase: "hold" })).toBe("“clock”");
  expect(gazeInWords({ kind: "person", id: 7, phase: "shift" })).toBe("turns to person 7");
  expect(gazeInWords({ kind: "viewer", phase: "hold" })).toBe("who watches");
});
