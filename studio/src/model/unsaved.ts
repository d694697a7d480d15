/**
 * Unsaved edits live in the server, and end with it. So the page keeps the text of a scene that is not saved, beyond being loaded again; when another run
 * of the server answers, what it kept is what was lost.
 */
import type { SceneEvent } from "../protocol.ts";
import { NewestOnly } from "./newest.ts";
import { signal } from "./signal.ts";

export interface UnsavedEdits {
  /** The run of the server that had them. */
  run: number;
  /** Name of the scene's file; `null` if it was never saved. */
  file: string | null;
  /** The whole scene, with them. */
  text: string;
}

/** Where they are kept. */
export interface Shelf {
  read(): string | null;
  write(text: string | null): void;
}

const KEY = "throng.unsaved";
/** The storage of this tab of the browser; where there is none, edits are kept until the page is closed. */
export const tabShelf: Shelf = {
  read: () => attempt(() => sessionStorage.getItem(KEY)),
  write: (text) => attempt(() => (text === null ? sessionStorage.removeItem(KEY) : sessionStorage.setItem(KEY, text))) ?? undefined,
};

export class Unsaved {
  /** Edits of this run of the server. */
  readonly kept = signal<UnsavedEdits | null>(null);
  /** Edits that the server had in an earlier run and does not have any more. */
  readonly lost = signal<UnsavedEdits | null>(null);
  private readonly fetcher: NewestOnly<{ run: number; file: string | null }>;
  /** Edits are there that `fetcher` has been told of. */
  private isEdited = false;

  constructor(
    fetchText: () => Promise<string>,
    private readonly shelf: Shelf,
  ) {
    this.kept.set(parsed(shelf.read()));
    this.fetcher = new NewestOnly(async (of) => {
      const text = await fetchText();
      if (this.isEdited) this.keep({ ...of, text });
    });
  }

  /** Another scene, or another state of it, has come from a run of the server. */
  note(scene: SceneEvent, run: number): void {
    const { kept } = this;
    if (kept.value && kept.value.run !== run) {
      this.lost.set(kept.value);
      this.keep(null);
    }
    this.isEdited = scene.kind === "live" && !scene.saved && scene.undo !== null;
    if (this.isEdited) this.fetcher.push({ run, file: scene.file });
    else this.keep(null);
  }

  private keep(edits: UnsavedEdits | null): void {
    if (edits === this.kept.value) return;
    this.kept.set(edits);
    this.shelf.write(edits && JSON.stringify(edits));
  }
}

function parsed(text: string | null): UnsavedEdits | null {
  return attempt(() => {
    const { run, file, text: scene } = JSON.parse(text ?? "null") as UnsavedEdits;
    return typeof run === "number" && typeof scene === "string" ? { run, file, text: scene } : null;
  });
}

function attempt<T>(call: () => T): T | null {
  try {
    return call();
  } catch {
    return null;
  }
}
