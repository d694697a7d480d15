/** Messages with all of their parts: what a server leaves out, or says is `null`, is empty. Recordings know less of people, for one. */
import { SPECIES, type Inspection, type SceneEvent } from "../protocol.ts";

const LISTS = ["warnings", "layers", "connectors", "obstacles", "regions", "interests", "fields", "groups", "measurements", "cameras"] as const;

export function complete(scene: SceneEvent): SceneEvent {
  const result = { ...scene, document: scene.document ?? {} };
  for (const list of LISTS) (result as Record<string, unknown>)[list] = scene[list] ?? [];
  if (result.layers.length === 0) result.layers = [{ name: "ground", elevation: 0, ground: null, plan: null }];
  result.groups = result.groups.map((group) => ({ ...group, species: SPECIES.includes(group.species) ? group.species : "person", led: group.led ?? [], max_speed: group.max_speed ?? Infinity }));
  result.regions = result.regions.map((region) => ({ ...region, tags: region.tags ?? [] }));
  result.interests = result.interests.map((interest) => ({ ...interest, facing: interest.facing ?? null, field: interest.field ?? null }));
  result.fields = result.fields.map((field) => ({ ...field, anchors: (field.anchors ?? []).map((anchor) => ({ ...anchor, reach: anchor.reach ?? null })), remarks: field.remarks ?? [] }));
  return result;
}

export function completeInspection(told: Partial<Inspection> & { id: number }): Inspection {
  const velocity = told.velocity ?? [0, 0];
  return {
    group: "",
    layer: 0,
    position: [0, 0],
    preferred: velocity,
    speed: Math.hypot(...velocity),
    heading: 0,
    radius: 0.25,
    status: "",
    words: "",
    model: "",
    ...told,
    velocity,
    traits: told.traits ?? null,
    goal: told.goal ?? null,
    field: told.field ?? null,
    path: told.path ?? null,
    corridor: told.corridor ?? null,
    neighbours: told.neighbours ?? [],
    companions: told.companions ?? [],
    waits_for: told.waits_for ?? null,
    constraints: told.constraints ?? [],
    body: told.body ?? null,
  };
}
