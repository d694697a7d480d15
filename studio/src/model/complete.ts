/** Scene events with all of their lists: what a server leaves out, or says is `null`, is empty. */
import type { SceneEvent } from "../protocol.ts";

const LISTS = ["warnings", "layers", "connectors", "obstacles", "regions", "fields", "groups", "measurements"] as const;

export function complete(scene: SceneEvent): SceneEvent {
  const result = { ...scene, document: scene.document ?? {} };
  for (const list of LISTS) (result as Record<string, unknown>)[list] = scene[list] ?? [];
  if (result.layers.length === 0) result.layers = [{ name: "ground", elevation: 0, ground: null, plan: null }];
  result.groups = result.groups.map((group) => ({ ...group, led: group.led ?? [] }));
  result.regions = result.regions.map((region) => ({ ...region, tags: region.tags ?? [] }));
  result.fields = result.fields.map((field) => ({ ...field, anchors: field.anchors ?? [], remarks: field.remarks ?? [] }));
  return result;
}
