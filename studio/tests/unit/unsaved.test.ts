import { describe, expect, it } from "vitest";
import { Unsaved, type Shelf } from "../../src/model/unsaved.ts";
import { sceneOf } from "./helpers.ts";

const shelfOf = (): Shelf & { text: string | null } => ({
  text: null,
  read() {
    return this.text;
  },
  write(text) {
    this.text = text;
  },
});

const settle = () => new Promise((resolve) => setTimeout(resolve));
const edited = sceneOf({ saved: false, undo: "Add a wall" });

describe("edits that are not saved", () => {
  it("are kept with their text, and lost when another run of the server answers", async () => {
    const shelf = shelfOf();
    let text = "one wall";
    const unsaved = new Unsaved(() => Promise.resolve(text), shelf);
    unsaved.note(edited, 7);
    await settle();
    expect(unsaved.kept.value).toEqual({ run: 7, file: "test.toml", text: "one wall" });
    text = "two walls";
    unsaved.note({ ...edited, revision: 2 }, 7);
    await settle();
    // The line was cut, and the same server answers again.
    unsaved.note({ ...edited, revision: 2 }, 7);
    await settle();
    expect(unsaved.lost.value).toBeNull();
    unsaved.note(sceneOf(), 8);
    expect(unsaved.lost.value).toMatchObject({ file: "test.toml", text: "two walls" });
    expect(unsaved.kept.value).toBeNull();
    expect(shelf.text).toBeNull();
  });

  it("outlive the page, as long as its tab is open", async () => {
    const shelf = shelfOf();
    new Unsaved(() => Promise.resolve("a wall"), shelf).note(edited, 7);
    await settle();
    const next = new Unsaved(() => Promise.resolve("a wall"), shelf);
    next.note(edited, 7);
    expect(next.lost.value).toBeNull();
    const third = new Unsaved(() => Promise.resolve(""), shelf);
    third.note(sceneOf(), 9);
    expect(third.lost.value?.text).toBe("a wall");
    shelf.text = "{ no JSON";
    expect(new Unsaved(() => Promise.resolve(""), shelf).kept.value).toBeNull();
  });

  it("are none once they are saved or undone, even if their text comes later, nor in recordings and empty scenes", async () => {
    const shelf = shelfOf();
    const unsaved = new Unsaved(() => Promise.resolve("a wall"), shelf);
    unsaved.note(edited, 7);
    unsaved.note(sceneOf({ saved: true }), 7);
    await settle();
    unsaved.note(sceneOf({ saved: false, file: null }), 7);
    unsaved.note({ ...edited, kind: "replay" }, 7);
    await settle();
    unsaved.note(sceneOf(), 8);
    expect([unsaved.kept.value, unsaved.lost.value, shelf.text]).toEqual([null, null, null]);
  });
});
