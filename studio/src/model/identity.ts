/** Whether a scene event is of another scene than the last: then the camera begins anew, and what was selected is gone. */
import type { SceneEvent } from "../protocol.ts";

export function isAnotherScene(previous: SceneEvent | null, next: SceneEvent): boolean {
  if (!previous) return true;
  if (previous.kind !== next.kind) return true;
  // A scene that is saved under another name is still the same.
  return previous.file !== next.file && JSON.stringify(previous.document) !== JSON.stringify(next.document);
}
