/**
 * Findings: what of the patterns matters, and where. The evaluation counts every three seconds in which somebody gets nowhere or turns to
 * and fro. Most of that is everyday: people wait a moment, or shuffle in a queue. Those are told apart by how long they last and by whether
 * others at the same place get on meanwhile; the rest is grouped by place, and graded by duration and number of people.
 */
import { PATTERNS, type FoundPattern, type PatternName, type Point, type SceneEvent } from "../protocol.ts";
import { contains, distance, signedArea } from "./geometry.ts";


/** `high`: somebody is stuck for good or very long, or many are. `low`: short waits and queues. */
export type Severity = "high" | "medium" | "low";

export interface Finding {
  pattern: PatternName;
  severity: Severity;
  /** Whom it is about, those who had it longest first. */
  people: number[];
  /** In the order in which they begin. */
  events: FoundPattern[];
  /** The longest of them: where the camera goes. */
  worst: FoundPattern;
}

/** Shorter than this is a wait, s: as one waits for others to pass a door. The patterns themselves need three seconds to be seen. */
export const SHORT_WAIT = 8;
/** Who stands longer than this while others at the same place get on is not in a queue but passed over, s: a queue that moves has moved by a step. */
export const LONGEST_QUEUE_WAIT = 20;
/** So many others who get on at the same place make a queue of it: one may be a coincidence. */
export const QUEUE_OTHERS = 2;
/** Places no farther apart than this are one, m: about what people before a door stand apart, twice. */
export const SAME_PLACE = 2;
/** From here on it is severe: so long, s, or so many people at one place. */
export const LONG = 30;
export const MANY = 5;
/** Who had a pattern until so shortly before the end never got on, s. */
const AT_THE_END = 1;

/** All findings, the most severe first. `end` is the last moment that was searched, s. */
export function findingsOf(list: readonly FoundPattern[], end: number): Finding[] {
  const findings = placesOf(list).flatMap((place) =>
    PATTERNS.flatMap((pattern) =>
      [false, true].flatMap((passing) => {
        const events = place.filter((event) => event.pattern === pattern && isPassing(event, place) === passing);
        return events.length > 0 ? [finding(events, end, passing)] : [];
      }),
    ),
  );
  const rank = { high: 0, medium: 1, low: 2 };
  return findings.sort((a, b) => rank[a.severity] - rank[b.severity] || lengthOf(b.worst) - lengthOf(a.worst) || a.worst.from - b.worst.from);
}

/** Those that matter: all but short waits and queues. */
export const notable = (findings: readonly Finding[]): Finding[] => findings.filter((one) => one.severity !== "low");

/** The events of findings, in the order in which they begin. */
export const eventsOf = (findings: readonly Finding[]): FoundPattern[] => findings.flatMap((one) => one.events).sort((a, b) => a.from - b.from || a.person - b.person);

/** A wait that is short, or part of a queue that moves. Nobody spins while they wait: spins always matter. */
function isPassing(event: FoundPattern, place: readonly FoundPattern[]): boolean {
  if (event.pattern === "spin") return false;
  const length = lengthOf(event);
  if (length < SHORT_WAIT) return true;
  if (length > LONGEST_QUEUE_WAIT) return false;
  const gotOn = place.filter((other) => other.person !== event.person && other.to > event.from && other.to < event.to);
  return new Set(gotOn.map((other) => other.person)).size >= QUEUE_OTHERS;
}

function finding(events: FoundPattern[], end: number, isPassing: boolean): Finding {
  const longest = [...events].sort((a, b) => lengthOf(b) - lengthOf(a));
  const worst = longest[0]!;
  const people = [...new Set(longest.map((event) => event.person))];
  const isSevere = lengthOf(worst) >= LONG || people.length >= MANY || (worst.pattern === "deadlock" && longest.some((event) => event.to >= end - AT_THE_END));
  return { pattern: worst.pattern, severity: isPassing ? "low" : isSevere ? "high" : "medium", people, events, worst };
}

/** Events by place: those that are near to one another, directly or through others, are at one. */
function placesOf(events: readonly FoundPattern[]): FoundPattern[][] {
  const places: FoundPattern[][] = [];
  for (const event of events) {
    const isNear = (place: FoundPattern[]) => place.some((other) => other.layer === event.layer && distance(other.place, event.place) <= SAME_PLACE);
    const near = places.filter(isNear);
    const merged = [...near.flat(), event].sort((a, b) => a.from - b.from);
    for (const place of near) places.splice(places.indexOf(place), 1);
    places.push(merged);
  }
  return places;
}

const lengthOf = (found: FoundPattern): number => found.to - found.from;

/** The smallest region around a place by its name, or else the place itself; with its floor where there are several. */
export function placeInWords(scene: Pick<SceneEvent, "regions" | "layers"> | null, at: Point, layer: number): string {
  const around = (scene?.regions ?? []).filter((region) => region.layer === layer && contains(region.polygon, at));
  const smallest = around.sort((a, b) => Math.abs(signedArea(a.polygon)) - Math.abs(signedArea(b.polygon)))[0];
  const where = smallest ? smallest.name : `(${at.map((value) => value.toFixed(1)).join(", ")})`;
  const floor = (scene?.layers.length ?? 0) > 1 ? scene?.layers[layer]?.name : undefined;
  return floor === undefined ? where : `${where}, ${floor}`;
}

/** `person 4`, `people 4, 9`, `12 people: 4, 9, 11, …`. */
export function peopleInWords(people: readonly number[]): string {
  if (people.length === 1) return `person ${people[0]}`;
  return people.length <= 4 ? `people ${people.join(", ")}` : `${people.length} people: ${people.slice(0, 3).join(", ")}, …`;
}
