import { describe, expect, it } from "vitest";
import { LONGEST_QUEUE_WAIT, SHORT_WAIT, eventsOf, findingsOf, notable, peopleInWords, placeInWords } from "../../src/model/findings.ts";
import type { FoundPattern, PatternName, Point } from "../../src/protocol.ts";
import { findingInWords } from "../../src/ui/patterns-panel.ts";

const END = 200;
const found = (person: number, from: number, length: number, place: Point = [0, 0], pattern: PatternName = "deadlock", layer = 0): FoundPattern => ({
  pattern,
  person,
  from,
  to: from + length,
  place,
  layer,
});
const told = (list: FoundPattern[]) => notable(findingsOf(list, END)).map((one) => [one.severity, one.people]);

describe("findings", () => {
  it("leave out short waits, and keep long ones", () => {
    expect(told([found(1, 10, SHORT_WAIT - 0.1)])).toEqual([]);
    expect(told([found(1, 10, SHORT_WAIT)])).toEqual([["medium", [1]]]);
    expect(told([found(1, 10, 30)])).toEqual([["high", [1]]]);
  });

  it("leave out a queue in which others get on, but not who is passed over in it", () => {
    const queue = [found(2, 8, 5, [1, 0]), found(3, 11, 4, [0, 1]), found(4, 12, 6, [1, 1])];
    expect(told([found(1, 10, LONGEST_QUEUE_WAIT), ...queue])).toEqual([]);
    expect(told([found(1, 10, LONGEST_QUEUE_WAIT + 1), ...queue])).toEqual([["medium", [1]]]);
    // One other may be a coincidence, and others elsewhere are no queue.
    expect(told([found(1, 10, 12), queue[0]!])).toEqual([["medium", [1]]]);
    expect(told([found(1, 10, 12), ...queue.map((event) => ({ ...event, place: [9, 9] as Point }))])).toEqual([["medium", [1]]]);
    expect(told([found(1, 10, 12), ...queue.map((event) => ({ ...event, layer: 1 }))])).toEqual([["medium", [1]]]);
  });

  it("are severe when somebody never gets on, or many do not", () => {
    expect(told([found(1, END - 10, 10)])).toEqual([["high", [1]]]);
    // They stand at once, so nobody gets on meanwhile.
    expect(told([1, 2, 3, 4, 5].map((person) => found(person, 10, 10, [person, 0])))).toEqual([["high", [1, 2, 3, 4, 5]]]);
  });

  it("group what is at one place, the longest first", () => {
    const list = [found(1, 10, 9, [0, 0]), found(2, 50, 12, [1.5, 0]), found(1, 90, 10, [3, 0]), found(3, 95, 11, [20, 0]), found(7, 20, 0.3, [0, 0], "spin")];
    const findings = notable(findingsOf(list, END));
    expect(findings.map((one) => [one.pattern, one.people, one.events.length, one.worst.from])).toEqual([
      ["deadlock", [2, 1], 3, 50],
      ["deadlock", [3], 1, 95],
      ["spin", [7], 1, 20],
    ]);
    expect(eventsOf(findings).map((event) => event.from)).toEqual([10, 20, 50, 90, 95]);
  });

  it("join places that a later one connects", () => {
    expect(told([found(1, 10, 9, [0, 0]), found(2, 30, 9, [3, 0]), found(3, 50, 9, [1.5, 0])])).toEqual([["medium", [1, 2, 3]]]);
  });

  it("keep what is left out", () => {
    const [only] = findingsOf([found(1, 10, 3), found(2, 40, 3)], END);
    expect([only!.severity, only!.people]).toEqual(["low", [1, 2]]);
  });

  it("are told in words, with people and place", () => {
    const square = (size: number): Point[] => [[-size, -size], [size, -size], [size, size], [-size, size]];
    const region = (name: string, size: number, layer = 0) => ({ name, layer, polygon: square(size), tags: [] });
    const layer = (name: string) => ({ name, elevation: 0, ground: null, plan: null });
    const scene = { regions: [region("hall", 9), region("door", 2), region("attic", 1, 1)], layers: [layer("ground")] };
    expect(placeInWords(scene, [0, 0], 0)).toBe("door");
    expect(placeInWords(scene, [5, 0], 0)).toBe("hall");
    expect(placeInWords({ ...scene, layers: [layer("ground"), layer("first floor")] }, [12, 0.25], 1)).toBe("(12.0, 0.3), first floor");
    expect(peopleInWords([4])).toBe("person 4");
    expect(peopleInWords([4, 9])).toBe("people 4, 9");
    expect(peopleInWords([4, 9, 1, 3, 8])).toBe("5 people: 4, 9, 1, …");
    const [finding] = findingsOf([found(4, 61, 40)], END);
    expect(findingInWords(finding!, null)).toBe("Deadlock, severe, person 4, (0.0, 0.0) at 1:01.0 for 40.0 s");
  });
});
